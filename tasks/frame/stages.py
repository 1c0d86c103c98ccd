"""One stage of one unit: found in the store by its fingerprint, or computed and stored."""

from collections.abc import Callable
from typing import Generic, TypeVar

from core.references import Artifact
from infra.store.objects import Store
from infra.tables.codecs import Codec

Value = TypeVar("Value")


class StageResult(Generic[Value]):
    """The artifact, and its value: at hand where it was just computed, read only when asked for where it was found."""

    def __init__(self, artifact: Artifact, computed: bool, load: Callable[[], Value]) -> None:
        """Hold an artifact whose value `load` gives."""
        self.artifact = artifact
        self.computed = computed
        self.load = load


def run_stage(
    store: Store, pipeline: str, stage: str, unit: str, fingerprint: str, codec: Codec[Value], compute: Callable[[], Value]
) -> StageResult[Value]:
    """Return the stage's result for this fingerprint, computing and storing it if the store lacks it."""
    key = f"artifacts/{pipeline}/{stage}/{unit}/{fingerprint}{codec.suffix}"
    found = store.read_if_there(key)
    if found is not None:
        content, sha256 = found
        return StageResult(Artifact(stage, fingerprint, key, sha256), False, lambda: codec.decode(content))
    value = compute()
    stored = store.write(key, codec.encode(value))
    return StageResult(Artifact(stage, fingerprint, key, stored.sha256), True, lambda: value)
