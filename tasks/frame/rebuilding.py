"""Building again within one run: which artifacts are damaged, and plans that make them anew or go on without their units."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.references import Artifact, UnitFailure, UnitReference
from tasks.frame.building import open_store
from tasks.frame.planning import RunPlan, list_known


@dataclass(frozen=True, slots=True)
class ArtifactCheck:
    """Artifacts of a unit to be compared with their SHA-256."""

    store: str
    artifacts: tuple[Artifact, ...]


def find_damaged(request: ArtifactCheck) -> tuple[str, ...]:
    """Return the keys of the artifacts that are missing or damaged.

    Raises:
        StoreError: the store failed.
    """
    store = open_store(request.store)
    found = ((artifact, store.read_if_there(artifact.key)) for artifact in request.artifacts)
    return tuple(artifact.key for artifact, content in found if content is None or content[1] != artifact.sha256)


def refuse_units(plan: RunPlan, failures: Sequence[UnitFailure], references: Mapping[str, UnitReference]) -> RunPlan:
    """Return a plan without units that a release cannot take; what they were before stands in for them, if that is another thing.

    `references` are those that the release could not take.
    """
    out = {failure.unit for failure in failures}
    named = (replace(failure, paths=plan.paths.get(failure.unit, ())) for failure in failures)
    return replace(
        plan,
        to_build=tuple(unit for unit in plan.to_build if unit not in out),
        reused={unit: found for unit, found in plan.reused.items() if unit not in out},
        earlier={
            unit: found
            for unit, found in plan.earlier.items()
            if unit not in out or found.artifacts != references[unit].artifacts
        },
        failures=(*plan.failures, *named),
    )


def replan(plan: RunPlan, damaged: Mapping[str, UnitReference]) -> RunPlan:
    """Return a plan that builds the units of damaged artifacts too, though nothing of them has changed.

    `damaged` has their references: what is found in the store with another SHA-256 is computed again.
    """
    again = tuple(dict.fromkeys([*plan.to_build, *damaged]))
    known = {unit: replace(plan.requests[unit], known=list_known(reference)) for unit, reference in damaged.items()}
    reused = {unit: found for unit, found in plan.reused.items() if unit not in again}
    return replace(plan, requests=plan.requests | known, to_build=again, reused=reused)
