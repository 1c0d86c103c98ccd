"""What a model that reads has said of the units of a release: their stage `reading`."""

from typing import Any

from core.reading.belief import READING
from infra.store.objects import Store
from infra.tables.codecs import Codec
from tasks.frame.artifacts import read_artifact
from tasks.frame.asking import Said
from tasks.frame.release_spec import Landed, ReleaseUnit


def read_readings(landed: Landed[Any], codec: Codec[Said]) -> list[Said]:
    """Return what the reader of the settings says of each unit that has a stage `reading`."""
    units = [(unit, found.artifacts[READING]) for unit, found in landed.references.items() if READING in found.artifacts]
    readings = [codec.decode(read_artifact(landed.store, unit, artifact)) for unit, artifact in units]
    return [found for found in readings if found.model == landed.config.reader.model]


def read_reading(store: Store, unit: ReleaseUnit, codec: Codec[Said], model: str) -> Said | None:
    """Return what a model says of a unit of a release, None where it has said nothing."""
    found = codec.decode(unit.read(store, READING)) if READING in unit.artifacts else None
    return found if found is not None and found.model == model else None
