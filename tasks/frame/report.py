"""The report of a release: its parts are written by workers, as the shards are, from what a pipeline shows of each unit.

A part has an index, by which the page lists, filters and searches, and chunks, which the page loads when somebody reads a row:

    report/index/003.json.gz      a column of ids, of units, of reasons, of summaries, ...
    report/rows/003-01.json.gz    units with their turns, rows with the places of theirs

They are compressed as files, so that they are small on every kind of server; the page unpacks them itself.
"""

import gzip
import hashlib
import json
import zlib
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from html import escape
from typing import Any

from pydantic import TypeAdapter

from core.dataset.card import Card
from core.dataset.report import (
    Measure,
    ReportCounts,
    ReportRow,
    ReportSpec,
    ReportTurn,
    ReviewCurve,
    UnitReport,
    add_counts,
    count_rows,
    describe_row,
    describe_unit,
    limit_rejects,
    measure_rows,
)
from core.dataset.units import plan_shards
from core.errors import ConfigError, StoreError, UnfitUnitsError
from core.fingerprints import canonicalise
from core.references import UnitFailure
from infra.pages import read_asset
from infra.store.manifests import ReleaseFile
from infra.store.objects import Store
from tasks.frame.build import open_store
from tasks.frame.pipeline import Pipeline
from tasks.frame.release import describe_unfit
from tasks.frame.release_spec import MAKE_REPORTER, Landed, Present, ReleasePlan, ReleaseUnit, Reporter, TableSpec

REPORT_VERSION = 4
"""Raised when the parts of a report change though the units that they are made from do not."""
FOLDER = "report"
_PARTS = "data plots drawings overview search reader units quality store report"
ASSETS = {
    "index.html": "report/index.html",
    "common.css": "common.css",
    "report.css": "report/report.css",
    **{f"{name}.js": f"report/{name}.js" for name in _PARTS.split()},
    **{name: f"vendor/{name}" for name in ("d3.v5.min.js", "d3-license.txt")},
}
"""The files of the page in a release's `report/`, with their places in `infra/pages`."""
PART_BYTES = 2 * 2**20
"""Text of a part: enough that few requests bring the whole index, little enough that every worker has one to write."""
MOST_PARTS = 24
"""A large release has larger parts instead of more, since the page loads all indexes before it can say how many rows match."""
CHUNK_BYTES = 200_000
"""Text after which a new chunk begins, before compression. A unit is never divided: its turns stand in one chunk."""
_SYSTEM = 9
"""Place of the byte in which gzip names the system that wrote it: versions of Python differ there."""
_CURVE = TypeAdapter(ReviewCurve)
_QUALITY = ("gold", "counted", "judged", "measured", "figures")
"""What the page tells of a comparison with gold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRequest:
    """A part to write: its units with their splits."""

    store: str
    release: str
    part: int
    present: Present
    measures: tuple[Measure, ...]
    units: tuple[tuple[ReleaseUnit, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPart:
    """A written part: its files, its figures, and how many rows its index lists (fewer than it counts: `limit_rejects`)."""

    index: str
    files: tuple[ReleaseFile, ...]
    listed: int
    counts: ReportCounts


@cache
def read_recorded_curve(pipeline: str) -> ReviewCurve:
    """Return the review that a benchmark has simulated on gold of this pipeline (`lab/quality/simulated_review.py`)."""
    return _CURVE.validate_json(read_asset(f"report/curves/{pipeline}.json"))


def choose_reporter(pipeline: Pipeline, landed: Landed[Any], tables: Sequence[TableSpec]) -> Reporter:
    """Return a pipeline's reporter, or one that shows the rows of its tables as they are."""
    if (make := pipeline.find(MAKE_REPORTER)) is not None:
        return make(landed, tables)
    rejects = next((table for table in tables if table.name == "rejects"), None)
    return Reporter(present=TablePresenter(kept=tables[0], rejects=rejects))


def identify_report(reporter: Reporter) -> object:
    """Return what a report depends on beside the units, as JSON values: the page, the compression, the pipeline's words."""
    pages = {name: hashlib.sha256(read_asset(path)).hexdigest() for name, path in ASSETS.items()}
    return [REPORT_VERSION, zlib.ZLIB_RUNTIME_VERSION, pages, canonicalise(reporter.spec)]


def plan_report(plan: ReleasePlan, reporter: Reporter) -> dict[str, ReportRequest]:
    """Return the parts of a release's report to write, by the name of their index."""
    units = {unit.unit: unit for request in plan.requests.values() for unit in request.units}
    chosen = [units[name] for name in plan.splits if name in units]
    most = max(PART_BYTES, sum(unit.size for unit in chosen) // MOST_PARTS + 1)
    parts = plan_shards(((unit.unit, unit.size) for unit in chosen), max_bytes=most)
    store = next((request.store for request in plan.requests.values()), "")
    return {
        f"{FOLDER}/index/{number:03d}.json.gz": ReportRequest(
            store=store,
            release=plan.folder,
            part=number,
            present=reporter.present,
            measures=reporter.spec.measures,
            units=tuple((units[name], plan.splits[name]) for name in members),
        )
        for number, members in enumerate(parts)
    }


def write_report_part(request: ReportRequest) -> ReportPart:
    """Write a part of a report; the same request gives the same bytes, so a second try does no harm.

    Raises:
        UnfitUnitsError: some units cannot be shown.
    """
    writer = _PartWriter(open_store(request.store), request)
    unfit: list[UnitFailure] = []
    for unit, split in request.units:
        try:
            for report in request.present(writer.store, unit):
                writer.add(report, split, unit.withheld)
        except (StoreError, ConfigError, MemoryError):
            raise
        except Exception as error:  # whatever is wrong with one unit
            unfit.append(describe_unfit(unit.unit, "the report cannot show it", error))
    if unfit:
        raise UnfitUnitsError(tuple(unfit))
    return writer.finish()


class _PartWriter:
    """Collects what the units of a part show, and writes each chunk as soon as it is full."""

    def __init__(self, store: Store, request: ReportRequest) -> None:
        self.store = store
        self._request = request
        self._files: list[ReleaseFile] = []
        self._counts: list[ReportCounts] = []
        self._units: list[list[object]] = []
        self._reasons: dict[str, int] = {"": 0}
        self._columns: dict[str, list[Any]] = {
            name: [] for name in ("id", "unit", "reason", "confidence", "turns", "words", "series", "summary", "opening")
        }
        self._chunk: dict[str, Any] = {"units": {}, "rows": []}
        self._filled = self._number = 0

    def add(self, report: UnitReport, split: str, withheld: Container[str]) -> None:
        """Take in a unit, without the rows that the takedown list keeps out."""
        rows = tuple(row for row in report.rows if row.id not in withheld)
        whole = UnitReport(id=report.id, title=report.title, turns=report.turns, rows=rows, drawings=report.drawings)
        values = measure_rows(whole)
        self._counts.append(count_rows(whole, values, self._request.measures))
        listed = {id(row) for row in limit_rejects(rows)}
        place = len(self._units)
        kept = sum(not row.reason for row in rows)
        self._units.append([report.id, report.title, split, self._name_chunk(), len(report.turns), kept, len(rows) - kept])
        self._chunk["units"][report.id] = describe_unit(whole)
        self._filled += sum([len(turn.text) + 30 for turn in report.turns])
        for row, measured in zip(rows, values, strict=True):
            if id(row) in listed:
                opening = "" if row.summary or not row.spans else report.turns[row.spans[0][0]].text[:180]
                self._list_row(place, report.id, row, measured, opening)
        if self._filled >= CHUNK_BYTES:
            self._write_chunk()

    def _list_row(self, place: int, unit: str, row: ReportRow, values: Mapping[str, float], opening: str) -> None:
        entry = {
            "id": row.id,
            "unit": place,
            "reason": self._reasons.setdefault(row.reason, len(self._reasons)),
            "confidence": None if row.confidence is None else round(row.confidence, 3),
            "turns": int(values.get("turns", 0)),
            "words": int(values.get("words", 0)),
            "series": row.series,
            "summary": row.summary,
            "opening": opening,
        }
        for name, value in entry.items():
            self._columns[name].append(value)
        self._chunk["rows"].append(describe_row(unit, row, values))
        self._filled += 150

    def _name_chunk(self) -> str:
        return f"rows/{self._request.part:03d}-{self._number:02d}.json.gz"

    def _write_chunk(self) -> None:
        if self._chunk["units"]:
            self._write(self._name_chunk(), self._chunk)
            self._chunk = {"units": {}, "rows": []}
            self._filled, self._number = 0, self._number + 1

    def finish(self) -> ReportPart:
        """Write what is left, and the index."""
        self._write_chunk()
        name = f"index/{self._request.part:03d}.json.gz"
        self._write(name, {"units": self._units, "reasons": list(self._reasons), "rows": self._columns})
        return ReportPart(
            index=name,
            files=tuple(self._files),
            listed=len(self._columns["id"]),
            counts=add_counts(self._counts),
        )

    def _write(self, name: str, value: object) -> None:
        path = f"{FOLDER}/{name}"
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
        stored = self.store.write(f"{self._request.release}/{path}", _compress(text))
        self._files.append(ReleaseFile(path, stored.sha256, stored.size))


def _compress(text: bytes) -> bytes:
    """Return a text as gzip that names no time and no system, so that every Python writes the same bytes."""
    packed = bytearray(gzip.compress(text, 6, mtime=0))
    packed[_SYSTEM] = 0xFF
    return bytes(packed)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableColumns:
    """Which columns of a table say what of a row; a column that a table lacks says nothing.

    `facts` are shown beside the row, under the names given here. `values` are measured. `draw` returns drawings of a row.
    """

    unit: tuple[str, ...] = ("unit", "episode", "movie", "film", "post", "document")
    summary: tuple[str, ...] = ("summary", "text")
    confidence: str = "confidence"
    values: tuple[str, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    draw: Callable[[Mapping[str, Any]], tuple[dict[str, Any], ...]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePresenter:
    """Shows the rows of the default config and of `rejects` as they stand in these tables: for every pipeline."""

    kept: TableSpec
    rejects: TableSpec | None = None
    columns: TableColumns = field(default_factory=TableColumns)

    def __call__(self, store: Store, unit: ReleaseUnit) -> Iterator[UnitReport]:
        """Yield what the report shows of a unit, or of each of those that travel in it."""
        units: dict[str, _Collected] = {}
        for table, reason in ((self.kept, ""), (self.rejects, "rejected")):
            if table is None or (table.units is not None and unit.unit not in table.units):
                continue
            for row in table.build(store, unit).table.to_pylist():
                name = _find(row, self.columns.unit) or unit.unit
                units.setdefault(name, _Collected(name)).add(row, reason, self.columns)
        for name, found in units.items():
            yield UnitReport(id=name, title=found.title, turns=tuple(found.turns), rows=tuple(found.rows))


class _Collected:
    """The rows of one unit, and their turns, each once."""

    def __init__(self, unit: str) -> None:
        self._unit = unit
        self.title = ""
        self.turns: list[ReportTurn] = []
        self.rows: list[ReportRow] = []
        self._places: dict[ReportTurn, int] = {}

    def add(self, row: Mapping[str, Any], reason: str, columns: TableColumns) -> None:
        """Take in a row of a table."""
        self.title = self.title or str(row.get("title") or "")
        spans = self._place_turns(row.get("turns") or ())
        facts = {label: _show(row[name]) for name, label in columns.facts.items() if row.get(name) not in (None, "", [])}
        confidence = row.get(columns.confidence)
        self.rows.append(
            ReportRow(
                id=str(row.get("id") or f"{self._unit}#{len(self.rows):05d}"),  # the page finds rows of all units by it
                summary=_find(row, columns.summary),
                spans=spans,
                reason=str(row.get("reason") or reason) if reason else "",
                confidence=None if confidence is None else float(confidence),
                values={name: float(row[name]) for name in columns.values if row.get(name) is not None},
                facts=facts,
                drawings=() if columns.draw is None else columns.draw(row),
            )
        )

    def _place_turns(self, turns: Iterable[Mapping[str, Any]]) -> tuple[tuple[int, int], ...]:
        """Return the places of a row's turns as spans; turns that are new come last."""
        spans: list[list[int]] = []
        for each in turns:
            turn = ReportTurn(each["number"], tuple(each["speakers"]), each["text"])
            place = self._places.setdefault(turn, len(self.turns))
            if place == len(self.turns):
                self.turns.append(turn)
            if spans and spans[-1][1] == place:
                spans[-1][1] = place + 1
            else:
                spans.append([place, place + 1])
        return tuple((start, stop) for start, stop in spans)


def _find(row: Mapping[str, Any], names: Sequence[str]) -> str:
    return next((str(row[name]) for name in names if row.get(name)), "")


def _show(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(str(each) for each in value)
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def write_page(card: Card, spec: ReportSpec, parts: Sequence[ReportPart]) -> dict[str, str]:
    """Return the files of a release's `report/` beside its parts, as text by path."""
    files = {f"{FOLDER}/{name}": read_asset(path).decode() for name, path in ASSETS.items()}
    page = files[f"{FOLDER}/index.html"]
    title = escape(f"{card.name} {card.version}")
    told = _embed(_tell(card, spec, parts))
    files[f"{FOLDER}/index.html"] = page.replace("{{title}}", title).replace("{{release}}", told)
    return files


def _tell(card: Card, spec: ReportSpec, parts: Sequence[ReportPart]) -> dict[str, Any]:
    """Return what the page tells before it loads anything, as JSON values."""
    counts = add_counts(part.counts for part in parts)
    own = [quality.curve for quality in card.quality if quality.curve is not None]
    curve = max(own, key=lambda curve: curve.rows) if own else spec.curve  # of the release's own gold, else the recorded one
    return {
        "name": card.name,
        "version": card.version,
        "about": card.description.about,
        "words": {"unit": spec.unit, "row": spec.row, "explores": spec.explores},
        "tables": [{"name": table.name, "config": table.config, "rows": dict(table.rows)} for table in card.tables],
        "units": dict(card.units),
        "figures": [dict(row) for row in card.figures],
        "quality": [{name: asdict(each)[name] for name in _QUALITY} for each in card.quality],
        "curve": None if curve is None else asdict(curve),
        "rejects": [asdict(each) for each in card.rejects],
        "withheld": dict(card.withheld),
        "licenses": list(card.licenses),
        "attribution": card.attribution,
        "faults": list(card.description.faults),
        "measures": [asdict(measure) | {"bins": counts.bins.get(measure.name, {})} for measure in spec.measures],
        "thresholds": [asdict(threshold) for threshold in spec.thresholds],
        "counts": {"units": counts.units, "turns": counts.turns, "reasons": dict(sorted(counts.reasons.items()))},
        "parts": [{"index": part.index, "listed": part.listed} for part in parts],
        "sharded": card.sharded,
    }


def _embed(value: Mapping[str, Any]) -> str:
    """Return a value as JSON that can stand inside an element of HTML: nothing in it ends the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
