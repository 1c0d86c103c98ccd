"""The tables of judged rows that fits are made on. They are derived: a fit makes its own (`--write`), `make tables` all."""

import argparse
import csv
from collections.abc import Iterable
from pathlib import Path

from core.errors import ConfigError


def read_call(description: str | None) -> argparse.Namespace:
    """Return the options of a fit: `cache`, a folder or None, and `write`."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, help="folder for prepared episodes, or for sentence vectors")
    parser.add_argument("--write", action="store_true", help="judge the rows of the corpora, and write the table anew")
    return parser.parse_args()


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table by column."""
    if not path.is_file():
        raise ConfigError(f"{path} is not there; make it: FABULA_CORPORA=DIR python -m lab.fitting.{path.stem} --write")
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


def write_rows(path: Path, heads: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    """Write a table."""
    path.write_text("".join("\t".join(row) + "\n" for row in (heads, *rows)), encoding="utf-8")
