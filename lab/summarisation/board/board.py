"""The leader board: runs of one split side by side, each compared with one of them on the same rows, beside published rows."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.readings.published import read_published
from lab.summarisation.board.bootstrap import Difference, Resampling

LEADING = "rouge1.f1"
"""The measure by which runs are ordered and compared."""
COMPARED = (LEADING, "rouge2.f1", "rougeLsum.f1", "meteor", "bert_score.f1")

Columns = Mapping[str, NDArray[np.float64]]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRow:
    """A run: its result as it is stored, the name it is shown under, and its differences from the run compared with."""

    name: str
    result: Mapping[str, Any]
    differences: Mapping[str, Difference | None]

    def find(self, measure: str) -> Mapping[str, float] | None:
        """Return value, low, high and rows of a measure; None where it is not defined."""
        found: Mapping[str, float] | None = self.result["measures"].get(measure)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """Runs on the same rows, the best first.

    `seed` drew the rows where there is a limit; None: there is none. `published` are rows of papers on data of this kind, and
    `published_overlap` the unique n-gram overlap of such references.
    """

    dataset: str
    version: str
    config: str
    split: str
    limit: int | None
    seed: int | None
    n_rows: int
    n_units: int
    drawn: str
    against: str
    rows: tuple[BoardRow, ...]
    published: tuple[PublishedRow, ...]
    published_overlap: Mapping[str, float]

    @property
    def variants(self) -> dict[str, str]:
        """The variant of every measure; where it is not the same in all runs, each with the runs that have it."""
        told: dict[str, str] = {}
        for measure in dict.fromkeys(name for row in self.rows for name in row.result["variants"]):
            of_runs: dict[str, list[str]] = {}
            for row in self.rows:
                of_runs.setdefault(row.result["variants"].get(measure, "not told"), []).append(row.name)
            several = len(of_runs) > 1
            told[measure] = " | ".join(f"{text} ({', '.join(runs)})" if several else text for text, runs in of_runs.items())
        return told

    @property
    def title(self) -> str:
        """What the runs summarise, in one line."""
        drawn = "" if self.limit is None else f", drawn with seed {self.seed}"
        units = "1 unit" if self.n_units == 1 else f"{self.n_units:,} units"
        return f"{self.dataset} {self.version}: {self.config}, {self.split} ({self.n_rows:,} rows of {units}{drawn})"

    def as_json(self) -> dict[str, Any]:
        """Return the board as JSON values; published rows come under `published`."""
        told = {
            name: getattr(self, name) for name in ("dataset", "version", "config", "split", "limit", "seed", "drawn", "against")
        }
        return {
            **told,
            "rows": self.n_rows,
            "units": self.n_units,
            "runs": [
                {
                    "name": row.name,
                    **row.result,
                    "differences": {name: found and asdict(found) for name, found in row.differences.items()},
                }
                for row in self.rows
            ],
            "published": [{**asdict(row), "units": sorted(row.units)} for row in self.published],
        }


def make_board(
    results: Sequence[Mapping[str, Any]], scores: Sequence[Columns], draws: Resampling, against: str | None = None
) -> Board:
    """Return the board of runs.

    Args:
        results: results of runs on the same rows, at least one.
        scores: the columns of measures of each, in the same order of rows.
        draws: the resampling of these rows; one for all, so that the comparison is paired.
        against: name or label of the run that the others are compared with; None, or one that is not there: `lead`, else the
            first. Of several runs with this label, the first.
    """
    names = name_runs(results)
    labels = [result["label"] for result in results]
    chosen = next(
        (
            name
            for wanted in (against, "lead")
            for told in (names, labels)
            for name, own in zip(names, told, strict=True)
            if own == wanted
        ),
        names[0],
    )
    base, meteor = scores[names.index(chosen)], tell_meteor(results[names.index(chosen)])
    rows = [
        BoardRow(
            name=name,
            result=result,
            differences={}
            if name == chosen
            else {
                each: None if each == "meteor" and tell_meteor(result) != meteor else draws.compare(columns[each], base[each])
                for each in COMPARED
            },
        )
        for name, result, columns in zip(names, results, scores, strict=True)
    ]
    rows.sort(key=lambda row: -((row.find(LEADING) or {"value": 0.0})["value"]))
    first = results[0]
    kinds = {column for result in results for column in result.get("unit_columns", ())}  # old results tell none
    return Board(
        dataset=first["dataset"],
        version=first["version"],
        config=first["config"],
        split=first["split"],
        limit=first["limit"],
        seed=None if first["limit"] is None else first["seed"],
        n_rows=first["rows"],
        n_units=first["units"],
        drawn=draws.drawn,
        against=chosen,
        rows=tuple(rows),
        published=select_published(kinds),
        published_overlap=select_overlap(kinds),
    )


def name_runs(results: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a name for each run: its label; where several runs have it, with what tells them apart. No two are equal."""
    labels = [str(result["label"]) for result in results]
    names = []
    for label, result in zip(labels, results, strict=True):
        same = [other for other in results if other["label"] == label]
        names.append(label if len(same) == 1 else f"{label} ({_tell_apart(result, same)})")
    return [
        name if names.count(name) == 1 else f"{name[:-1]}, {_shorten_run(result)})"
        for name, result in zip(names, results, strict=True)
    ]


def tell_meteor(result: Mapping[str, Any]) -> tuple[str, str]:
    """Return METEOR's variant of a run, and the checksum of its WordNet: figures of different ones are not compared."""
    return result["variants"].get("meteor", ""), result.get("synonyms", "")


def tell_length(budget: Mapping[str, Any]) -> str:
    """Return how long the selections of a run are: `2 turns`, or `62 tokens of sentences`."""
    units = f"{budget['unit']}s"
    return f"{budget['count']} {units}" if budget["count"] else f"{budget['tokens']} tokens of {units}"


def _tell_apart(result: Mapping[str, Any], same: Sequence[Mapping[str, Any]]) -> str:
    told = {name: _flatten(run) for run in same for name in [run["run"]]}
    own = told[result["run"]]
    differing = [name for name in own if len({str(other.get(name)) for other in told.values()}) > 1]
    return ", ".join(f"{name} {own[name]}" for name in differing) or _shorten_run(result)


def _shorten_run(result: Mapping[str, Any]) -> str:
    return str(result["run"]).rsplit("-", 1)[-1]


def _flatten(result: Mapping[str, Any]) -> dict[str, Any]:
    others = {name: result.get(name) for name in ("system", "seed", "train", "pretrain")}
    length = tell_length(result["budget"])
    return {**result["settings"], "length": length, **others, "METEOR": tell_meteor(result)[0].rsplit("; ", 1)[-1]}
