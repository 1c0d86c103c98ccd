"""Units that the sources of a dataset had at its last run and have no more."""

from infra.store.objects import Store
from tasks.frame.planning import RunPlan


def find_removed(store: Store, pipeline: str, dataset: str, plan: RunPlan) -> tuple[str, ...]:
    """Return the units of the dataset's last run that its sources do not hold any more, by id.

    A unit that is taken down is not among them, nor one whose half is gone: it waits.
    """
    known = store.read_json_if_there(_key(pipeline, dataset)) or []
    return tuple(sorted(set(known).difference(plan.discovered, plan.withheld.takedown.reasons)))


def remember_units(store: Store, pipeline: str, dataset: str, plan: RunPlan) -> None:
    """Write down which units the sources hold, for the next run; a list that is the same stays as it is."""
    if store.read_json_if_there(_key(pipeline, dataset)) != list(plan.discovered):
        store.write_json(_key(pipeline, dataset), list(plan.discovered))


def _key(pipeline: str, dataset: str) -> str:
    return f"catalog/{pipeline}/units-{dataset}.json"
