"""Figures that the papers published, to stand beside ours on data of the same kind. No difference from them is tested."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lab.readings.published import read_published


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedRow:
    """A row of a paper's table. `measures` are from 0 to 1 under this project's names; `half` is half of the 95 % interval.

    `units` are the columns that name the unit in releases of the same kind of data: the row is shown beside runs on these.
    """

    paper: str
    table: str
    data: str
    system: str
    extractive: bool
    measures: Mapping[str, float]
    half: Mapping[str, float]
    units: frozenset[str]


_PLAYED, _FILMED, _PRINTED = frozenset({"episode"}), frozenset({"movie", "film"}), frozenset({"article"})
_MEASURES = tuple(f"{order}.{part}" for order in ("rouge1", "rouge2", "rougeLsum") for part in ("precision", "recall", "f1"))
_TABLES = (
    ("CRD3", "crd3-5", "CRD3, test", (*_MEASURES, "meteor"), _PLAYED),
    ("SumTitles", "sumtitles-3", "SumTitles, annotated part", _MEASURES[2::3], _FILMED),
    ("SumTitles", "sumtitles-4", "CNN/DailyMail, test", _MEASURES[2::3], _PRINTED),
)


def _read_table(paper: str, table: str, data: str, names: Sequence[str], units: frozenset[str]) -> Iterator[PublishedRow]:
    """Yield the rows of a table: how a system works, its figures and half intervals by the measures' names, in percent."""
    for system, (kind, *columns) in read_published(table).items():
        measures, half = ([float(figure) / 100 for figure in column.split()] for column in (*columns, "")[:2])
        yield PublishedRow(
            paper=paper,
            table=table.rpartition("-")[2],
            data=data,
            system=system,
            extractive=kind == "extractive",
            measures=dict(zip(names, measures, strict=True)),
            half=dict(zip(names, half, strict=False)),
            units=units,
        )


PUBLISHED: tuple[PublishedRow, ...] = tuple(row for table in _TABLES for row in _read_table(*table))
"""CRD3, table 5; SumTitles, tables 3 and 4. Their "RL" is taken for ROUGE-Lsum: both used ROUGE 1.5.5, whose L is by sentences.

Neither paper prints the variant of its ROUGE.
"""

PUBLISHED_OVERLAP: Mapping[str, float] = {"overlap.1": 0.679, "overlap.2": 0.336, "overlap.3": 0.205}
"""Unique n-gram overlap of the summaries of CRD3's validation set (section 5.2)."""


def select_published(unit_columns: Collection[str]) -> tuple[PublishedRow, ...]:
    """Return the published rows of data whose units are named by one of these columns; none for data of another kind."""
    return tuple(row for row in PUBLISHED if not row.units.isdisjoint(unit_columns))


def select_overlap(unit_columns: Collection[str]) -> Mapping[str, float]:
    """Return `PUBLISHED_OVERLAP` beside data of its kind, else nothing."""
    return PUBLISHED_OVERLAP if not _PLAYED.isdisjoint(unit_columns) else {}
