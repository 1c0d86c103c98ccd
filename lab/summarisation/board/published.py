"""Figures that the papers published, to stand beside ours on data of the same kind. No difference from them is tested."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass


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


def _crd3(system: str, extractive: bool, figures: str, halves: str) -> PublishedRow:
    """Return a row of table 5: P, R, F1 of ROUGE-1, 2, L and METEOR, in percent; `halves` of all but METEOR."""
    names = [f"{order}.{part}" for order in ("rouge1", "rouge2", "rougeLsum") for part in ("precision", "recall", "f1")]
    found = dict(zip((*names, "meteor"), (float(figure) / 100 for figure in figures.split()), strict=True))
    half = dict(zip(names, (float(figure) / 100 for figure in halves.split()), strict=True))
    return PublishedRow(
        paper="CRD3",
        table="5",
        data="CRD3, test",
        system=system,
        extractive=extractive,
        measures=found,
        half=half,
        units=_PLAYED,
    )


def _sumtitles(table: str, data: str, system: str, extractive: bool, *f1: float) -> PublishedRow:
    """Return a row of table 3 or 4: F1 of ROUGE-1, 2, L in percent."""
    names = ("rouge1.f1", "rouge2.f1", "rougeLsum.f1")
    found = dict(zip(names, (figure / 100 for figure in f1), strict=True))
    return PublishedRow(
        paper="SumTitles",
        table=table,
        data=data,
        system=system,
        extractive=extractive,
        measures=found,
        half={},
        units=_PRINTED if data == _NEWS else _FILMED,
    )


_GOLD, _NEWS = "SumTitles, annotated part", "CNN/DailyMail, test"
PUBLISHED: tuple[PublishedRow, ...] = (
    _crd3(
        "rnn-ext + RL",
        True,
        "20.83 44.59 25.20 7.34 17.42 9.23 18.38 39.22 22.20 16.58",
        "0.34 0.66 0.34 0.28 0.62 0.32 0.32 0.61 0.32",
    ),
    _crd3(
        "rnn-ext + abs + RL + rerank",
        False,
        "27.38 22.65 23.35 5.91 4.75 4.91 25.18 20.74 21.41 8.33",
        "0.34 0.27 0.23 0.20 0.16 0.16 0.32 0.26 0.23",
    ),
    _sumtitles("3", _GOLD, "extractive oracle, w/ speakers", True, 26.19, 3.86, 23.26),
    _sumtitles("3", _GOLD, "BertSumExt, w/ speakers", True, 17.93, 1.65, 15.98),
    _sumtitles("3", _GOLD, "BART", False, 19.08, 2.36, 15.47),
    _sumtitles("3", _GOLD, "BART, w/ seps", False, 19.51, 2.49, 16.10),
    _sumtitles("3", _GOLD, "BART, w/ speakers", False, 20.77, 2.71, 16.75),
    _sumtitles("3", _GOLD, "BART, w/ speakers & seps", False, 21.16, 3.10, 17.36),
    _sumtitles("4", _NEWS, "extractive oracle", True, 54.09, 32.35, 50.51),
    _sumtitles("4", _NEWS, "BertSumExt", True, 42.73, 20.13, 39.20),
    _sumtitles("4", _NEWS, "BART", False, 44.16, 21.28, 40.90),
)
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
