"""How well a dataset agrees with what people have judged, as a card tells it."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class QualityFigure:
    """A figure, and its 95 % interval (None: unknown)."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """Figures of one comparison with gold.

    `gold` says what people judged, `judged` when (a date or two, "": nobody has said), `measured` when the figures were computed
    ("": with the release), `counted` how many judgements they rest on. `artifacts` are the SHA-256 of what was compared, by unit,
    and `stage` the stage that made it; `settings` are those that the figures depend on besides. Where these are others now, the
    figures say nothing of the release.
    """

    gold: str
    figures: tuple[QualityFigure, ...]
    judged: str = ""
    measured: str = ""
    counted: str = ""
    stage: str = ""
    artifacts: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)

    def holds(self, artifacts: Mapping[str, Mapping[str, str]], settings: Mapping[str, object]) -> bool:
        """Tell whether the figures are those of a release: `artifacts` are its SHA-256 by unit and stage."""
        same = all(artifacts.get(unit, {}).get(self.stage) == sha256 for unit, sha256 in self.artifacts.items())
        return bool(self.artifacts) and same and all(settings.get(name) == value for name, value in self.settings.items())
