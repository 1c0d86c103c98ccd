"""What releases do with what a model that reads has said: the stage `reading` of their units, and what statistics tell of it."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol, TypeVar

from core.reading.controls import Counts
from infra.store.objects import Store
from infra.tables.codecs import Codec
from tasks.frame.release_spec import Landed, ReleaseUnit, read_artifact


class Reading(Protocol):
    """What a reader says of a unit, with how much he was asked and answered."""

    @property
    def counts(self) -> Counts:
        """The questions and answers about it."""


Found = TypeVar("Found", bound=Reading)


def read_readings(landed: Landed[Any], codec: Codec[Found]) -> list[Found]:
    """Return what the reader of the settings says of each unit that has a stage `reading`."""
    units = [(unit, found.artifacts["reading"]) for unit, found in landed.references.items() if "reading" in found.artifacts]
    readings = [codec.decode(read_artifact(landed.store, unit, artifact)) for unit, artifact in units]
    return [found for found in readings if found.counts.model == landed.config.reader.model]


def read_reading(store: Store, unit: ReleaseUnit, codec: Codec[Found], model: str) -> Found | None:
    """Return what a model says of a unit of a release, None where it has said nothing."""
    found = codec.decode(unit.read(store, "reading")) if "reading" in unit.artifacts else None
    return found if found is not None and found.counts.model == model else None


def summarise_readings(model: str, counts: Iterable[Counts], weight: float) -> dict[str, Any]:
    """Return what the statistics of a release say of its reader, who is believed with the probability `weight`."""
    units = [*counts]
    told = {name: sum(getattr(unit, name) for unit in units) for name in ("questions", "answers", "unreadable")}
    return {"model": model, **told, "weight": round(weight, 3)}


def tabulate_readings(reading: Mapping[str, Any] | None) -> list[dict[str, str]]:
    """Return the same for a person, as rows with `metric` and `value`; none without a reader."""
    if reading is None:
        return []
    came = f"{reading['questions']:,}; {reading['answers']:,} have an answer, {reading['unreadable']:,} of these cannot be read"
    believed = f"{reading['weight']:.0%} of his answers" if reading["weight"] else "not at all"
    return [
        {"metric": "reader", "value": reading["model"]},
        {"metric": "questions to the reader", "value": came},
        {"metric": "how far the reader is believed", "value": believed},
    ]
