"""Writes the README of a release. Its YAML header tells `datasets.load_dataset` the configs and their files."""

import sys
from collections.abc import Mapping

import yaml


def write_card(
    name: str, version: str, configs: Mapping[str, Mapping[str, int]], descriptions: Mapping[str, str] | None = None
) -> str:
    """Return the README of a release as Markdown with a YAML header.

    Args:
        name: the dataset's name.
        version: of this release.
        configs: rows by split, by config name, the default config first; the files are `data/<config>/<split>-*.parquet`. A split
            or config without rows is left out of the header, since `datasets` refuses it.
        descriptions: what a config holds, by its name; those of no config or without a text are left out.
    """
    header: dict[str, object] = {"pretty_name": name}
    filled = [config for config, rows in configs.items() if any(rows.values())]
    header["configs"] = [
        {
            "config_name": config,
            **({"default": True} if config == filled[0] else {}),
            "data_files": [
                {"split": split, "path": f"data/{config}/{split}-*.parquet"} for split, count in configs[config].items() if count
            ],
        }
        for config in filled
    ]
    text = yaml.safe_dump(header, sort_keys=False, allow_unicode=True, width=sys.maxsize)
    lines = ["---", text.rstrip("\n"), "---", "", f"# {name} {version}", "", "| config | split | rows |", "|---|---|---|"]
    lines += [f"| {config} | {split} | {count} |" for config, rows in configs.items() for split, count in rows.items()]
    told = [(config, text) for config in configs if (text := (descriptions or {}).get(config, ""))]
    if told:
        lines += ["", *(f"- `{config}`: {text}." for config, text in told)]
    lines += [
        "",
        "Load it with `datasets.load_dataset(<this folder>, <config>)`. `manifest.json` names every file and its checksum.",
        "",
    ]
    return "\n".join(lines)
