"""What a report shows of a dataset: units with turns and rows, what rules measure, quality on gold, and drawings."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from core.dataset.rejects import Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class QualityFigure:
    """A figure, and its 95 % interval (None: unknown)."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewCurve:
    """A simulated review as a report shows it: by order the points (share looked at, pooled F1, its 95 % interval).

    `rows` is how many rows with gold of how many `units` it rests on; `row` and `unit` are their names in the plural. `recorded`
    says on what it was measured ("": on the gold of the release itself).
    """

    rows: int
    units: int
    row: str
    unit: str
    orders: Mapping[str, tuple[tuple[float, float, float, float], ...]]
    recorded: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """Figures of one comparison with gold.

    `gold` says what people judged, `judged` when (a date or two, "": nobody has said), `measured` when the figures were computed
    ("": with the release), `counted` how many judgements they rest on. `artifacts` are the SHA-256 of what was compared, by unit,
    and `stage` the stage that made it; `settings` are those that the figures depend on besides, and `versions` those of stages
    whose results were not compared one by one. If any of these has changed, the figures do not hold for the release. `curve` is a
    review simulated with the same gold, None where there is too little.
    """

    gold: str
    figures: tuple[QualityFigure, ...]
    judged: str = ""
    measured: str = ""
    counted: str = ""
    stage: str = ""
    artifacts: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)
    versions: Mapping[str, int] = field(default_factory=dict)
    curve: ReviewCurve | None = None

    def holds(
        self, artifacts: Mapping[str, Mapping[str, str]], settings: Mapping[str, object], versions: Mapping[str, int]
    ) -> bool:
        """Tell whether the figures are those of a release: its artifacts' SHA-256 by unit and stage, settings, stage versions."""
        return (
            bool(self.artifacts or self.versions)
            and all(artifacts.get(unit, {}).get(self.stage) == sha256 for unit, sha256 in self.artifacts.items())
            and all(settings.get(name) == value for name, value in self.settings.items())
            and all(versions.get(stage) == version for stage, version in self.versions.items())
        )


def name_figures(rates: Mapping[str, Any], names: Mapping[str, str]) -> tuple[QualityFigure, ...]:
    """Return estimates (`value`, `low`, `high`) under the names that a card gives them; those that are None are left out."""
    return tuple(
        QualityFigure(name=title, value=rates[name]["value"], low=rates[name]["low"], high=rates[name]["high"])
        for name, title in names.items()
        if rates.get(name)
    )


Drawing = Mapping[str, Any]
"""What the page draws beyond what rows and turns tell, as JSON values. `kind` says how (`infra/pages/report/drawings.js`)."""

LENGTHS = (0, 1, 2, 3, 4, 5, 7, 10, 14, 20, 28, 40, 56, 80, 112, 160, 224, 320, 448, 640, 896, 1280, 2560, 5120, 10240)
"""Edges of the bins of lengths: each is about √2 times the one before."""
SHARES = tuple(place / 100 for place in range(101))
"""Edges of the bins of probabilities."""
MOST_REJECTS = 200
"""Rejected rows of a unit that the report lists for one reason; it counts all."""


@dataclass(frozen=True, slots=True)
class ReportTurn:
    """A turn as the report shows it."""

    number: int
    speakers: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRow:
    """A row as the report shows it.

    `spans` are its turns as places in the unit's list of turns (first, and the one after the last). `reason` says why it was
    left out, "" where it was kept. `confidence` is a probability, None where there is none. `series` names the rows that are
    drawn together, in order (a chunking). `values` are what rules measure, by name; `facts` is what else a person wants to know.
    """

    id: str
    summary: str
    spans: tuple[tuple[int, int], ...] = ()
    reason: str = ""
    confidence: float | None = None
    series: str = ""
    values: Mapping[str, float] = field(default_factory=dict)
    facts: Mapping[str, str] = field(default_factory=dict)
    drawings: tuple[Drawing, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitReport:
    """A unit as the report shows it: an episode, a film, a post. Its turns stand here once, whatever number of rows has them."""

    id: str
    title: str = ""
    turns: tuple[ReportTurn, ...] = ()
    rows: tuple[ReportRow, ...] = ()
    drawings: tuple[Drawing, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A figure of each row whose distribution the report shows; `edges` are those of its bins, in order."""

    name: str
    label: str
    edges: tuple[float, ...] = LENGTHS


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """A setting that leaves out rows for `reason`: those whose measure is below `value`, or above it where it is not `least`."""

    measure: str
    reason: str
    setting: str
    value: float
    least: bool = True


def list_thresholds(rules: Iterable[Rule], config: Any) -> tuple[Threshold, ...]:
    """Return the thresholds of the rules of a filter that are on."""
    return tuple(
        Threshold(measure=rule.measure, reason=rule.reason, setting=f"filter.{rule.setting}", value=value, least=rule.least)
        for rule in rules
        if (value := getattr(config, rule.setting))
    )


MEASURES = (
    Measure(name="turns", label="turns of a row"),
    Measure(name="words", label="words of its dialogue"),
    Measure(name="summary_words", label="words of its summary"),
)
"""What the report measures of every row."""
CONFIDENCE = Measure(name="confidence", label="confidence", edges=SHARES)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSpec:
    """How the report of a pipeline speaks: names of a unit and of a row (one, several), measures, thresholds.

    `explores` names what the page can have computed for a unit while the store is there ("": nothing). `curve` is a review that
    was simulated on other gold, shown where the release has too little gold of its own.
    """

    unit: tuple[str, str] = ("unit", "units")
    row: tuple[str, str] = ("row", "rows")
    measures: tuple[Measure, ...] = MEASURES
    thresholds: tuple[Threshold, ...] = ()
    explores: str = ""
    curve: ReviewCurve | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportCounts:
    """Figures of units together: `reasons` counts rows ("": kept), `bins` by measure and reason the rows of each bin."""

    units: int = 0
    turns: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    bins: dict[str, dict[str, list[int]]] = field(default_factory=dict)


def measure_rows(unit: UnitReport) -> list[dict[str, float]]:
    """Return of each row of a unit its values by the name of the measure: those of every row, its confidence, its own."""
    words = [0, *accumulate(len(turn.text.split()) for turn in unit.turns)]
    found = []
    for row in unit.rows:
        values: dict[str, float] = {"summary_words": len(row.summary.split())}
        if row.spans:
            values["turns"] = sum([stop - start for start, stop in row.spans])
            values["words"] = sum([words[stop] - words[start] for start, stop in row.spans])
        if row.confidence is not None:
            values["confidence"] = row.confidence
        values.update(row.values)
        found.append(values)
    return found


def count_rows(unit: UnitReport, values: Sequence[Mapping[str, float]], measures: Sequence[Measure]) -> ReportCounts:
    """Count a unit with the values of its rows (`measure_rows`). A value outside the edges counts in the outermost bin."""
    bins: dict[str, dict[str, list[int]]] = {measure.name: {} for measure in measures}
    for measure in measures:
        name, edges, by_reason = measure.name, measure.edges, bins[measure.name]
        for row, measured in zip(unit.rows, values, strict=True):
            if name in measured:
                if (counts := by_reason.get(row.reason)) is None:
                    counts = by_reason[row.reason] = [0] * (len(edges) - 1)
                # The value's bin; what is outside the edges is in the first or the last one.
                counts[bisect_right(edges, measured[name], 1, len(counts)) - 1] += 1
    return ReportCounts(units=1, turns=len(unit.turns), reasons=Counter(row.reason for row in unit.rows), bins=bins)


def add_counts(parts: Iterable[ReportCounts]) -> ReportCounts:
    """Return the figures of several parts together."""
    units = turns = 0
    reasons: Counter[str] = Counter()
    bins: defaultdict[str, dict[str, list[int]]] = defaultdict(dict)
    for part in parts:
        units, turns = units + part.units, turns + part.turns
        reasons.update(part.reasons)
        for measure, by_reason in part.bins.items():
            found = bins[measure]
            for reason, counts in by_reason.items():
                before = found.get(reason, [0] * len(counts))
                found[reason] = [old + new for old, new in zip(before, counts, strict=True)]
    return ReportCounts(units=units, turns=turns, reasons=reasons, bins=dict(bins))


def limit_rejects(rows: Sequence[ReportRow], most: int = MOST_REJECTS) -> tuple[ReportRow, ...]:
    """Return all kept rows and the first `most` rejected ones of each reason."""
    seen: Counter[str] = Counter()
    listed = []
    for row in rows:
        seen[row.reason] += 1
        if not row.reason or seen[row.reason] <= most:
            listed.append(row)
    return tuple(listed)


def describe_unit(unit: UnitReport) -> dict[str, Any]:
    """Return a unit as the JSON value that the page loads when somebody reads in it."""
    return {
        "title": unit.title,
        "turns": [[turn.number, list(turn.speakers), turn.text] for turn in unit.turns],
        "drawings": list(unit.drawings),
    }


def describe_row(unit: str, row: ReportRow, values: Mapping[str, float]) -> dict[str, Any]:
    """Return a row as the JSON value that the page loads when somebody reads it; its summary stands in the index."""
    told = {"id": row.id, "unit": unit, "spans": [list(span) for span in row.spans]}
    figures = {name: round(value, 4) for name, value in values.items()}
    optional = {"values": figures, "facts": dict(row.facts), "drawings": list(row.drawings)}
    return told | {name: value for name, value in optional.items() if value}
