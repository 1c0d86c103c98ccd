"""Quarantine: one object per failed unit or file, kept until the unit lands."""

import hashlib
from collections.abc import Collection, Iterable

from core.references import UnitFailure
from infra.store.objects import Store


def quarantine_unit(store: Store, dataset: str, failure: UnitFailure, run_id: str, time: str) -> None:
    """Write down why a unit failed; `time` is in ISO 8601."""
    store.write_json(
        _key(dataset, failure),
        {
            "unit": failure.unit,
            "paths": list(failure.paths),
            "stage": failure.stage,
            "reason": failure.reason,
            "error": failure.error,
            "checksum": failure.checksum,
            "run_id": run_id,
            "time": time,
        },
    )


def quarantine_units(
    store: Store, dataset: str, failures: Iterable[UnitFailure], known: Iterable[UnitFailure], run_id: str, time: str
) -> None:
    """Write down the failures of a run; those that it only knows from an earlier run have their records already."""
    recorded = set(store.list_keys(f"quarantine/{dataset}"))
    same = {failure for failure in known if failure.stage != "discovery"}
    for failure in failures:
        if failure not in same or _key(dataset, failure) not in recorded:
            quarantine_unit(store, dataset, failure, run_id, time)


def clear_quarantine(
    store: Store, dataset: str, landed: Collection[str], refused: Collection[str], failures: Iterable[UnitFailure] = ()
) -> None:
    """Remove the records of units that have landed since, and of files that discovery does not refuse any more.

    The records of `failures` stay, and are not read: a run with many failures and nothing new reads none.
    """
    stay = {_key(dataset, failure) for failure in failures}
    for key in store.list_keys(f"quarantine/{dataset}"):
        if key in stay:
            continue
        record = store.read_json_if_there(key)
        if record is None:
            continue  # another run has removed it meanwhile
        if record["unit"] in landed or (record["stage"] == "discovery" and record["unit"] not in refused):
            store.delete(key)


def _key(dataset: str, failure: UnitFailure) -> str:
    # Several units may come from one file (the episodes of a series): the path alone does not tell them apart.
    named = "\n".join(dict.fromkeys((*failure.paths[:1], failure.unit)))
    digest = hashlib.sha256(named.encode("utf-8", "surrogateescape")).hexdigest()
    return f"quarantine/{dataset}/{digest}.json"
