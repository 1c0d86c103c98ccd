"""What a run plans anew: units that a release cannot take, artifacts that are damaged, texts that are taken down."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.references import Artifact, UnitFailure, UnitReference
from tasks.frame.build import open_store
from tasks.frame.plan import RunPlan, list_known


def find_damaged(request: tuple[str, Sequence[Artifact]]) -> tuple[str, ...]:
    """Return the keys of the artifacts that are missing or damaged, of those of a unit in the store of a URL."""
    store, artifacts = open_store(request[0]), request[1]
    found = ((artifact, store.read_if_there(artifact.key)) for artifact in artifacts)
    return tuple(artifact.key for artifact, content in found if content is None or content[1] != artifact.sha256)


def refuse_units(plan: RunPlan, failures: Sequence[UnitFailure], references: Mapping[str, UnitReference]) -> RunPlan:
    """Return a plan without units that a release cannot take; their last good state replaces them, if its artifacts are others.

    `references` are those that the release could not take.
    """
    out = {failure.unit for failure in failures}
    earlier = plan.earlier.items()
    named = (replace(failure, paths=plan.list_paths(failure.unit)) for failure in failures)
    return replace(
        plan,
        to_build=tuple(unit for unit in plan.to_build if unit not in out),
        reused={unit: found for unit, found in plan.reused.items() if unit not in out},
        earlier={unit: found for unit, found in earlier if unit not in out or found.artifacts != references[unit].artifacts},
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


def list_contents(reference: UnitReference, members: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the SHA-256 of the landed files of a unit, or of each small unit of a shard, in order; records have none."""
    if members != (reference.unit,) and not reference.owners:
        return {}
    found: dict[str, list[str]] = {}
    for owner, key in zip(reference.owners or [reference.unit] * len(reference.inputs), reference.inputs, strict=True):
        found.setdefault(owner, []).append(key.split("/")[3])
    return found


def find_renamed(plan: RunPlan, references: Mapping[str, UnitReference]) -> dict[str, str]:
    """Return the units that are on the takedown list under another name, since they have its text; each with the listed id."""
    takedown = plan.withheld.takedown
    if not takedown.contents:
        return {}
    found: dict[str, str] = {}
    for unit, reference in references.items():
        found |= takedown.find_copies(list_contents(reference, plan.members[unit]))
    return found
