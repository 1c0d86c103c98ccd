"""Reads the tables of judged rows that fits are made on. They are derived: a fit makes its own (`--write`), `make tables` all."""

import csv
from pathlib import Path

from core.errors import ConfigError


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table by column."""
    if not path.is_file():
        raise ConfigError(f"{path} is not there; make it: FABULA_CORPORA=DIR python -m lab.fitting.{path.stem} --write")
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))
