"""The figures that the papers published, by table: `published.tsv`."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path


def read_facts(file: Path) -> list[list[str]]:
    """Return the rows of a file of facts, a line each with its cells between tabs, without the heads."""
    return [line.split("\t") for line in file.read_text("utf-8").splitlines()[1:]]


@cache
def read_published(table: str) -> Mapping[str, tuple[str, ...]]:
    """Return the rows of a published table (`crd3-1`) by their names."""
    paper, _, where = table.partition("-")
    rows = read_facts(Path(__file__).with_name("published.tsv"))
    return {row[2]: tuple(row[3:]) for row in rows if row[:2] == [paper, where]}
