"""The history of a dataset: the split of every unit that any release placed, and which run published each release.

It keeps a unit in its test set for ever. A damaged history is derived from the pointer and the manifests of the releases.

Runs are numbered by a counter and not by a clock: a run's number is one more than any that it finds (Lamport's logical clock). So
a run that begins after another has been published always has the higher number, whatever the clocks of the two machines say.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime

from pydantic import TypeAdapter

from core.dataset.splits import Split
from core.errors import StoreError
from infra.store.manifests import (
    MANIFEST,
    POINTER,
    ReleasePointer,
    list_manifests,
    name_time,
    pointer_key,
    read_release,
    release_key,
)
from infra.store.objects import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """Which run published a release: its number, and when it began (ISO 8601, UTC; "" where nothing tells).

    `parent` is the version that it followed. `moved`: the pointer named the release. A run that a later one has overtaken leaves
    the pointer, and so does one with a limit (`limited`) where a run without a limit has published before.
    """

    run: int
    started: str
    parent: str | None = None
    limited: bool = False
    moved: bool = True

    def __post_init__(self) -> None:
        if self.started:  # a history with what is no time is damaged: whoever reads it orders runs and catalogs by it
            datetime.fromisoformat(self.started)

    @property
    def order(self) -> tuple[bool, int, str]:
        """A key that sorts releases: what the pointer never named first, then by run; the time counts between equal numbers."""
        return self.moved, self.run, self.started


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What `history.json` says: the split of every unit, and how each version was published; `sound` if it was not derived."""

    splits: dict[str, Split]
    releases: dict[str, Publication]
    sound: bool = field(default=True)

    @property
    def last(self) -> Publication | None:
        """How the release was published that the pointer named last; None before the first."""
        return max((found for found in self.releases.values() if found.moved), key=lambda found: found.order, default=None)


HISTORY = TypeAdapter(History)


def history_key(dataset: str) -> str:
    """Return the key of a dataset's history."""
    return f"datasets/{dataset}/history.json"


def read_history(store: Store, dataset: str, derived: History | None = None) -> History:
    """Return the history of a dataset; it is empty before the first release.

    A damaged or missing history is derived, with a warning, from the pointer and the manifests of all releases. The pointer knows
    every unit that was placed and has left, except units on the takedown list whose last release was pruned. What an earlier
    call returned (`derived`) wins: a run that has just written a manifest would otherwise derive the history from it.

    Raises:
        StoreError: it is damaged or missing and a manifest that it would be derived from is damaged too.
    """
    key = history_key(dataset)
    anew = "it is derived from the manifests of the releases"
    pointer = store.read_derived(pointer_key(dataset), POINTER, None)  # read before the history: runs write that one first
    history = store.read_derived(key, HISTORY, anew)
    if history is not None and (foreign := find_foreign(store, dataset, history, pointer)):
        store.tell_damage(key, foreign, anew)
        history = None
    if history is not None:
        return history
    if derived is not None:
        return derived
    try:
        history = derive_history(store, dataset)
    except StoreError:
        if (history := store.read_derived(key, HISTORY, anew)) is None:  # a run may have begun the first release meanwhile
            raise
    if not history.sound and not store.exists(key):
        store.tell_damage(key, "it is missing", anew)
    return history


def find_foreign(store: Store, dataset: str, history: History, pointer: ReleasePointer | None) -> str:
    """Return why a history is not the dataset's own (older than the pointer, or of another dataset); "" if it is."""
    if pointer is None or not history.releases or pointer.version in history.releases:
        return ""
    if not store.exists(f"{release_key(dataset, pointer.version)}/{MANIFEST}"):  # the pointer is to blame, or the release is gone
        return ""
    return f"it does not know release {pointer.version}, which the pointer names"


def derive_history(store: Store, dataset: str) -> History:
    """Return the history of a dataset as its pointer and manifests tell it; it is empty where nothing was ever published."""
    key = history_key(dataset)
    listed = list_manifests(store, dataset)
    whole = {version: manifest for version in listed if (manifest := read_release(store, dataset, version)) is not None}
    if not listed and not store.exists(key) and not store.exists(pointer_key(dataset)):
        return History(splits={}, releases={})  # nothing was ever published
    pointer = store.read_derived(pointer_key(dataset), POINTER, None)
    damaged = sorted((set(listed) | ({pointer.version} if pointer is not None else set())) - set(whole))
    if damaged or not whole:
        named = ", ".join(f"{release_key(dataset, version)}/{MANIFEST}" for version in damaged)
        lost = named or f"every manifest in datasets/{dataset}"
        raise StoreError(
            f"store {store.url}: {key} is damaged or missing, and so is {lost}: nothing tells in which split each unit was, and "
            "one of an earlier test set could move to training. Restore the history from a backup, or remove "
            f"datasets/{dataset} as a whole to begin anew"
        )
    releases = {version: Publication(run=0, started=name_time(listed[version])) for version in whole}
    splits: dict[str, Split] = {}
    for manifest in whole.values():  # a unit that any has in its test set is in the test set
        splits |= {unit: split for unit, split in manifest.splits.items() if splits.get(unit) != "test"}
    if pointer is not None:
        known = releases[pointer.version]
        releases[pointer.version] = replace(known, run=pointer.run, parent=pointer.parent, limited=pointer.limited)
        splits = {**pointer.gone, **splits}
    return History(splits=splits, releases=releases, sound=False)


def number_run(store: Store, dataset: str, others: Iterable[int]) -> int:
    """Return the number of a run that begins now: one more than those of `others` and of all that published the dataset.

    What is damaged is passed over here: whoever publishes warns of it.
    """
    history = store.read_derived(history_key(dataset), HISTORY, None)
    pointer = store.read_derived(pointer_key(dataset), POINTER, None)
    known = [publication.run for publication in history.releases.values()] if history is not None else []
    return 1 + max([0, *others, *known, pointer.run if pointer is not None else 0])


def write_history(store: Store, dataset: str, history: History) -> None:
    """Write a dataset's history."""
    value = asdict(history)
    del value["sound"]
    store.write_json(history_key(dataset), value)
