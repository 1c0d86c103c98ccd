"""The README of a release: a YAML header from which `datasets.load_dataset` knows the configs and their files."""

from collections.abc import Mapping, Sequence


def write_card(name: str, version: str, configs: Mapping[str, Sequence[str]], default: str, rows: Mapping[str, int]) -> str:
    """Return the README of a release as Markdown with a YAML header.

    Args:
        name: the dataset's name.
        version: of this release.
        configs: split names that have files, by config name; files are `data/<config>/<split>-*.parquet`.
        default: the config that is loaded where none is named.
        rows: rows by config.
    """
    lines = ["---", f"pretty_name: {name}", "configs:"]
    for config, splits in configs.items():
        lines.append(f"- config_name: {config}")
        if config == default:
            lines.append("  default: true")
        lines.append("  data_files:")
        for split in splits:
            lines += [f"  - split: {split}", f"    path: data/{config}/{split}-*.parquet"]
    lines += ["---", "", f"# {name} {version}", ""]
    lines += [f"- `{config}`: {rows[config]} rows" for config in configs]
    lines += [
        "",
        "Load it with `datasets.load_dataset(<this folder>, <config>)`.",
        "`manifest.json` lists every file with its checksum.",
        "",
    ]
    return "\n".join(lines)
