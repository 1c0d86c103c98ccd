"""The history of a dataset: the split of every unit that any release placed, and when each release was published.

It is what keeps a unit in its test set for ever. A damaged history is derived from the manifests of the releases.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from pydantic import TypeAdapter

from core.errors import StoreError
from core.splits import Split
from infra.store.manifests import POINTER, Manifest, list_manifests, name_time, pointer_key, read_release
from infra.store.objects import Store
from infra.store.seal import open_seal


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What `history.json` says: `started` is when the last run began that published, `releases` the same by version (ISO 8601).

    `sound`: it was read and not derived.
    """

    started: str
    splits: dict[str, Split]
    releases: dict[str, str]
    sound: bool = field(default=True)


HISTORY = TypeAdapter(History)


def history_key(dataset: str) -> str:
    """Return the key of a dataset's history."""
    return f"datasets/{dataset}/history.json"


def read_history(store: Store, dataset: str, derived: History | None = None) -> History:
    """Return the history of a dataset; it is empty before the first release.

    A damaged or missing history is derived, with a warning, from the manifests of all releases. These know every unit that was
    placed, but for units on the takedown list whose last release was pruned.

    Args:
        store: where it is.
        dataset: the dataset's name.
        derived: what an earlier call returned: it takes the place of a damaged or missing history. A run that has just written a
            manifest would otherwise derive the history from it.

    Raises:
        StoreError: it is damaged or missing and a manifest that it would be derived from is damaged too.
    """
    key = history_key(dataset)
    anew = "it is derived from the manifests of the releases"
    history = store.read_derived(key, HISTORY, anew)
    if history is not None:
        return history
    if derived is not None:
        return derived
    history = derive_history(store, dataset)
    if not history.sound and not store.exists(key):
        store.tell_damage(key, "it is missing", anew)
    return history


def derive_history(store: Store, dataset: str) -> History:
    """Return the history of a dataset as the manifests of its releases tell it; it is empty where nothing was ever published.

    Raises:
        StoreError: something was published, and a manifest is damaged or missing.
    """
    key = history_key(dataset)
    listed = list_manifests(store, dataset)
    whole = {version: manifest for version in listed if (manifest := read_release(store, dataset, version)) is not None}
    if not listed and not store.exists(key) and not store.exists(pointer_key(dataset)):
        return History(started="", splits={}, releases={})  # nothing was ever published
    damaged = sorted((set(listed) | _read_pointed(store, dataset)) - set(whole))
    if damaged or not whole:
        raise StoreError(
            f"store {store.url}: {key} is damaged or missing, and so is {_name_manifests(dataset, damaged)}: nothing tells any "
            "more in which split each unit was. A unit of an earlier test set could move to training. Restore the history from a "
            f"backup, or remove datasets/{dataset} as a whole to begin anew"
        )
    times = {version: name_time(listed[version]) for version in whole}
    return History(
        started=max(times.values()),
        splits=_join_splits(whole),
        releases=times,
        sound=False,
    )


def write_history(store: Store, dataset: str, history: History) -> None:
    """Write a dataset's history."""
    value = asdict(history)
    del value["sound"]
    store.write_json(history_key(dataset), value)


def _join_splits(manifests: Mapping[str, Manifest]) -> dict[str, Split]:
    """Return the split of every unit of some manifests, oldest first; a unit that any has in its test set is in the test set."""
    splits: dict[str, Split] = {}
    for manifest in manifests.values():
        splits |= {unit: split for unit, split in manifest.splits.items() if splits.get(unit) != "test"}
    return splits


def _read_pointed(store: Store, dataset: str) -> set[str]:
    """Return the version that the pointer names; none where it is missing or damaged."""
    found = store.read_if_there(pointer_key(dataset))
    try:
        return set() if found is None else {POINTER.validate_json(open_seal(found[0])).version}
    except ValueError:
        return set()


def _name_manifests(dataset: str, damaged: list[str]) -> str:
    if not damaged:
        return f"the manifest of every release in datasets/{dataset}"
    return ", ".join(f"datasets/{dataset}/{version}/manifest.json" for version in damaged)
