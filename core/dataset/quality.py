"""How well a dataset agrees with what people have judged, as a card tells it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


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
    whose results were not compared one by one. Where these are others now, the figures say nothing of the release. `curve` is a
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
