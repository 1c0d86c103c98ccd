"""Quarantine: one object per failed unit or file, kept until the unit lands."""

import hashlib
from collections.abc import Collection, Container, Iterable
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from core.credentials import hide_credentials
from core.references import UnitFailure
from infra.store.objects import Store, encode_json, open_seal, seal_json


@dataclass(frozen=True, slots=True)
class QuarantineRecord:
    """What the store needs to know of a record again; it says more, for a person."""

    unit: str
    stage: str = ""
    checksum: str = ""


RECORD = TypeAdapter(QuarantineRecord)
_TOLD = TypeAdapter(dict[str, Any])


def quarantine_unit(store: Store, dataset: str, failure: UnitFailure, run_id: str, time: str) -> None:
    """Write down why a unit failed; `time` is in ISO 8601."""
    store.write_json(_key(dataset, failure), _describe(failure, run_id, time))


def quarantine_units(
    store: Store, dataset: str, failures: Iterable[UnitFailure], known: Iterable[UnitFailure], run_id: str, time: str
) -> None:
    """Write down the failures of a run; those that it only knows from an earlier run have their records already.

    Such a record is not read. One of another size than it should have is damaged: a warning says so, and it is written anew.
    """
    sizes = {entry.key: entry.size for entry in store.list_objects(f"quarantine/{dataset}")}
    same = {failure for failure in known if failure.stage != "discovery"}
    for failure in failures:
        key = _key(dataset, failure)
        if failure in same and key in sizes:
            # Ids and times of runs have the same length, whichever run it was.
            size = len(seal_json(encode_json(_describe(failure, run_id, time))))
            if sizes[key] == size:
                continue
            store.tell_damage(key, f"{sizes[key]:,} bytes and not {size:,}")
        quarantine_unit(store, dataset, failure, run_id, time)


def _describe(failure: UnitFailure, run_id: str, time: str) -> dict[str, Any]:
    return {
        "unit": failure.unit,
        "paths": list(failure.paths),
        "stage": failure.stage,
        "reason": hide_credentials(failure.reason),
        "error": hide_credentials(failure.error),
        "checksum": failure.checksum,
        "run_id": run_id,
        "time": time,
    }


def list_quarantine(store: Store, dataset: str) -> list[dict[str, str]]:
    """Return what is in quarantine of a dataset, the latest first: unit, stage, reason, error and time of each."""
    records = []
    for key, content in store.read_all(store.list_keys(f"quarantine/{dataset}")).items():
        try:
            said = _TOLD.validate_json(open_seal(content))
        except ValueError:
            said = {"unit": key.rsplit("/", 1)[-1], "reason": "this record is damaged; the next run writes it anew"}
        records.append({name: str(said.get(name) or "") for name in ("unit", "stage", "reason", "error", "time")})
    return sorted(records, key=lambda record: (record["time"], record["unit"]), reverse=True)


def clear_quarantine(
    store: Store,
    dataset: str,
    landed: Collection[str],
    refused: Collection[str],
    failures: Iterable[UnitFailure] = (),
    withheld: Container[str] = (),
) -> None:
    """Remove the records of units that have landed since or are withheld, and of files that discovery does not refuse any more.

    The records of `failures` stay unread.
    """
    stay = {_key(dataset, failure) for failure in failures}
    for key in store.list_keys(f"quarantine/{dataset}"):
        if key in stay:
            continue
        record = store.read_derived(key, RECORD)  # None: it is gone or damaged; a unit that fails again gets a new one
        if (
            record is None
            or record.unit in landed
            or record.unit in withheld
            or (record.stage == "discovery" and record.unit not in refused)
        ):
            store.delete(key)


def _key(dataset: str, failure: UnitFailure) -> str:
    # Several units may come from one file (the episodes of a series): the path alone does not tell them apart.
    named = "\n".join(dict.fromkeys((*failure.paths[:1], failure.unit)))
    digest = hashlib.sha256(named.encode("utf-8", "surrogateescape")).hexdigest()
    return f"quarantine/{dataset}/{digest}.json"
