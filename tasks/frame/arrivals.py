"""What a pipeline's sources hold that no run has worked on yet, told once: the memory of the watcher."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import TypeAdapter

from core.references import CatalogEntry
from infra.store.objects import Store
from tasks.frame.planning import RunPlan

ANNOUNCED = TypeAdapter(dict[str, str])
"""The signature of every unit that was announced, by id."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A unit that a run would compute; `changed` where an earlier run has looked at it, `paths` are its files."""

    unit: str
    changed: bool
    paths: tuple[str, ...]


def find_arrivals(store: Store, dataset: str, plan: RunPlan, catalog: Mapping[str, CatalogEntry]) -> list[Arrival]:
    """Return the units of a plan that are to be computed and have not been announced in this state, by id.

    A unit that fails for a passing reason stays in the plan; it is not announced again until its files or the settings change.
    """
    announced = _read(store, dataset)
    return [
        Arrival(unit, unit in catalog, plan.paths[unit])
        for unit in sorted(plan.to_build)
        if announced.get(unit) != plan.signatures[unit]
    ]


def remember_announced(store: Store, dataset: str, plan: RunPlan) -> None:
    """Write down that all units to be computed are announced; those that have landed meanwhile are forgotten."""
    announced = {unit: plan.signatures[unit] for unit in sorted(plan.to_build)}
    known = store.read_derived(announced_key(dataset), ANNOUNCED)
    if announced != known and (announced or known is not None or store.exists(announced_key(dataset))):
        store.write_json(announced_key(dataset), announced)


def _read(store: Store, dataset: str) -> dict[str, str]:
    return store.read_derived(announced_key(dataset), ANNOUNCED) or {}


def announced_key(dataset: str) -> str:
    """Return the key of what the watcher has announced of a dataset."""
    return f"catalog/{dataset}/announced.json"
