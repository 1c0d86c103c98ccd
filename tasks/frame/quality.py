"""Comparisons with gold: what an evaluation leaves for the card of the next release, and which of them hold for a release."""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any

from core.dataset.report import Quality
from core.errors import ConfigError
from core.references import UnitReference
from core.review.judgements import is_model
from infra.store.catalog import read_catalog
from infra.store.evaluations import read_evaluations
from infra.store.objects import Store
from infra.store.reviews import read_reviews

REVIEWED = "what readers decided (fabula review)"
"""How a card calls gold that comes from reviews."""


def find_quality(
    store: Store,
    dataset: str,
    references: Mapping[str, UnitReference],
    settings: Any,
    versions: Mapping[str, int],
) -> list[Quality]:
    """Return the recorded comparisons (`fabula evaluate --record`) of just the artifacts, settings and stages of a release."""
    artifacts = {
        unit: {stage: artifact.sha256 for stage, artifact in reference.artifacts.items()}
        for unit, reference in references.items()
    }
    return [quality for quality in read_evaluations(store, dataset).values() if quality.holds(artifacts, settings, versions)]


def find_compared(store: Store, dataset: str, units: Collection[str], stage: str) -> dict[str, str]:
    """Return the SHA-256 of a stage's artifact of each unit that was compared, of those that have landed.

    Raises:
        ConfigError: none has.
    """
    catalog = read_catalog(store, dataset)
    found = {
        unit: reference.artifacts[stage].sha256
        for unit in sorted(units)
        if (entry := catalog.get(unit)) is not None and (reference := entry.reference) is not None
    }
    if not found:
        raise ConfigError(f"no unit of {dataset} was compared, so there is nothing to record")
    return found


def tell_judged(store: Store, dataset: str, questions: Collection[str]) -> str:
    """Return the first and the last day on which people answered these questions ("": nobody did)."""
    answers = read_reviews(store, dataset).judgements
    days = sorted({entry.at[:10] for entry in answers if entry.question in questions and not is_model(entry.reader)})
    return " to ".join(dict.fromkeys([days[0], days[-1]])) if days else ""


def tell_today() -> str:
    """Return today's date (UTC), as a card says when figures were computed."""
    return datetime.now(UTC).date().isoformat()
