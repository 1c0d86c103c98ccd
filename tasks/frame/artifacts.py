"""Reads what the stages have made of a unit, each time compared with its checksum."""

from core.errors import DamagedArtifactError
from core.references import Artifact, UnitReference
from infra.store.objects import Store


def read_artifact(store: Store, unit: str, artifact: Artifact) -> bytes:
    """Return the bytes of a unit's artifact.

    Raises:
        DamagedArtifactError: it is missing, or its bytes are not those that were written.
    """
    found = store.read_if_there(artifact.key)
    if found is None or found[1] != artifact.sha256:
        raise DamagedArtifactError(unit, artifact.key, "missing" if found is None else "damaged")
    return found[0]


def read_stage(store: Store, reference: UnitReference, stage: str) -> bytes:
    """Return the bytes of what a stage has made of a unit; errors as in `read_artifact`."""
    return read_artifact(store, reference.unit, reference.artifacts[stage])
