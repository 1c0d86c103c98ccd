"""Comparisons with gold that hold for a release."""

from collections.abc import Mapping
from typing import Any

from core.quality import Quality
from core.references import UnitReference
from infra.store.evaluations import read_evaluations
from infra.store.objects import Store


def find_quality(store: Store, dataset: str, references: Mapping[str, UnitReference], settings: Any) -> list[Quality]:
    """Return the recorded comparisons (`fabula evaluate --record`) of just the artifacts and settings of a release."""
    artifacts = {
        unit: {stage: artifact.sha256 for stage, artifact in reference.artifacts.items()}
        for unit, reference in references.items()
    }
    return [quality for quality in read_evaluations(store, dataset).values() if quality.holds(artifacts, settings)]
