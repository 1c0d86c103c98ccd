"""The parts of the four papers and what became of each: one table, which `fabula paper` and docs/papers.md both show."""

from collections.abc import Iterable
from dataclasses import astuple, dataclass

from lab.papers.tables import read_rows

PAPERS = {
    "crd3": "CRD3 (2020)",
    "sumtitles": "SumTitles (2020)",
    "forums": "Forums (thesis, 2022)",
    "rooms": "Rooms (report, 2022)",
}
HEADS = ("part", "where", "verdict", "ours", "published")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a paper: where it is in fabula, the verdict with what is still needed, our figure and the published one."""

    name: str
    where: str
    verdict: str
    ours: str
    published: str


def read_parts(paper: str) -> list[Part]:
    """Return the parts of a paper in their order (`parts.tsv`)."""
    return [Part(*cells) for of, *cells in read_rows("parts.tsv") if of == paper]


def write_rows(rows: Iterable[Iterable[str]]) -> list[str]:
    """Return rows of a table as lines of Markdown, the heads first."""
    heads, *others = [tuple(row) for row in rows]
    return [f"| {' | '.join(row)} |" for row in (heads, ("---",) * len(heads), *others)]


def describe_parts(paper: str) -> list[str]:
    """Return the parts of a paper as lines of Markdown."""
    return write_rows([HEADS, *map(astuple, read_parts(paper))])
