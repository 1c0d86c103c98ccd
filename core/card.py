"""The README of a release: a YAML header from which `datasets.load_dataset` knows the configs and their files."""

from collections.abc import Mapping


def write_card(name: str, version: str, configs: Mapping[str, Mapping[str, int]]) -> str:
    """Return the README of a release as Markdown with a YAML header.

    Args:
        name: the dataset's name.
        version: of this release.
        configs: rows by split, by config name, the default config first; the files are `data/<config>/<split>-*.parquet`. A split
            or config without rows is left out of the header, since `datasets` refuses it.
    """
    lines = ["---", f"pretty_name: {name}", "configs:"]
    filled = {config: rows for config, rows in configs.items() if any(rows.values())}
    for number, (config, rows) in enumerate(filled.items()):
        lines.append(f"- config_name: {config}")
        if number == 0:
            lines.append("  default: true")
        lines.append("  data_files:")
        for split in (split for split, count in rows.items() if count):
            lines += [f"  - split: {split}", f"    path: data/{config}/{split}-*.parquet"]
    lines += ["---", "", f"# {name} {version}", "", "| config | split | rows |", "|---|---|---|"]
    lines += [f"| {config} | {split} | {count} |" for config, rows in configs.items() for split, count in rows.items()]
    lines += [
        "",
        "Load it with `datasets.load_dataset(<this folder>, <config>)`. `manifest.json` names every file and its checksum.",
        "",
    ]
    return "\n".join(lines)
