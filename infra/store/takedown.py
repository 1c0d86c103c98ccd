"""The takedown list of a pipeline in the store: one object an id, so that simultaneous changes lose nothing.

`takedown/<pipeline>/<id>.json` says since when an id is out and why. It has the SHA-256 of the unit's texts, too: by them a run
knows the unit under another name.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from urllib.parse import quote, unquote

from pydantic import TypeAdapter

from core.dataset.takedown import Takedown, identify
from core.errors import ConfigError, StoreError
from infra.store.objects import Store, describe_damage, open_seal

_ID = re.compile(r"[^\W_][\w.-]{0,199}")  # a unit's id, perhaps with a row's place in it
_TABLE = (
    "is the list of an earlier version of fabula, which is not read any more: put its ids on the list with "
    "`fabula takedown add`, and remove it"
)


@dataclass(frozen=True, slots=True)
class TakedownEntry:
    """An id that is out, since when (ISO 8601) and why.

    `contents` are the SHA-256 of the unit's texts. A run adds a unit that has one of them; `copy_of` is the id whose text it has.
    """

    id: str
    time: str
    reason: str
    contents: tuple[str, ...] = ()
    copy_of: str = ""


ENTRY = TypeAdapter(TakedownEntry)


def read_takedown(store: Store, pipeline: str) -> Takedown:
    """Return what is to stay out of a pipeline's releases; `StoreError` where the list is damaged."""
    entries = list_takedown(store, pipeline)
    contents = {sha256: entry.id for entry in entries for sha256 in entry.contents}
    return Takedown({entry.id: entry.reason for entry in entries}, contents)


def list_takedown(store: Store, pipeline: str) -> list[TakedownEntry]:
    """Return the list by id; StoreError where an entry is damaged: a list without it would publish what is out."""
    if store.exists(table := f"takedown/{pipeline}.tsv"):
        raise StoreError(f"store {store.url}: {table} {_TABLE}")
    contents = store.read_all(store.list_keys(f"takedown/{pipeline}"))
    return sorted((parse_entry(store, key, content) for key, content in contents.items()), key=lambda entry: entry.id)


def add_takedown(
    store: Store,
    pipeline: str,
    names: Iterable[str],
    reason: str,
    time: str,
    contents: Mapping[str, Sequence[str]] | None = None,
    copy_of: str = "",
) -> list[str]:
    """Put ids of units or pairs on the list, and return those that were not on it; the others get the new reason.

    Nothing of the list but these entries is written: calls at the same time lose nothing of each other. `reason` is one line, and
    public: a release's manifest counts by it. `time` is now (ISO 8601), `contents` the SHA-256 of the texts of units by id,
    `copy_of` the id on the list whose text they have, where a run adds them.
    """
    wanted = list(dict.fromkeys(unicodedata.normalize("NFC", name) for name in names))
    for name in wanted:
        if _ID.fullmatch(name) is None:
            raise ConfigError(f"{name!r} is no id of a unit or pair; ids look like C1E001, tt0133093 or C1E001_2_0_0017")
    if not reason.strip() or not reason.isprintable():
        raise ConfigError(f"reason {reason!r}: expected one line that says why, such as --reason 'asked for by its author'")
    listed = {identify(name): name for name in list_names(store, pipeline)}
    for name in wanted:
        spelt = listed.get(identify(name), name)
        key = f"takedown/{pipeline}/{quote(spelt, safe='')}.json"
        known = store.read_derived(key, ENTRY, None)
        if known is None or identify(known.id) != identify(spelt):
            known = TakedownEntry(spelt, time, reason)
        sums = {*(contents or {}).get(name, ()), *known.contents}
        store.write_json(key, asdict(TakedownEntry(spelt, known.time, reason, tuple(sorted(sums)), copy_of)))
    return [name for name in wanted if identify(name) not in listed]


def list_listed(store: Store) -> list[str]:
    """Return the pipelines that have a takedown list."""
    return sorted({key.split("/")[1].removesuffix(".tsv") for key in store.list_keys("takedown")})


def list_names(store: Store, pipeline: str) -> list[str]:
    """Return the ids on the list, also those whose entries are damaged."""
    return [_name_of(key) for key in store.list_keys(f"takedown/{pipeline}")]


def remove_takedown(store: Store, pipeline: str, names: Iterable[str]) -> None:
    """Take ids off the list, with the copies that runs found of them; nothing changes where one is not on it."""
    listed = {identify(_name_of(key)): key for key in store.list_keys(f"takedown/{pipeline}")}
    wanted = {identify(name): name for name in names}
    if missing := [name for identity, name in wanted.items() if identity not in listed]:
        raise ConfigError(f"{missing[0]} is not on the takedown list of {pipeline}; `fabula takedown list` shows what is")
    found = {key: store.read_derived(key, ENTRY, None) for key in listed.values()}
    copies = [key for key, entry in found.items() if entry is not None and entry.copy_of and identify(entry.copy_of) in wanted]
    store.delete_all(sorted({*(listed[identity] for identity in wanted), *copies}))


def find_damage(store: Store) -> Iterator[tuple[str, str]]:
    """Yield the key of every object of every takedown list, with what is wrong with it, "" where nothing is."""
    for key in store.list_keys("takedown"):
        if key.endswith(".tsv"):
            yield key, _TABLE
            continue
        try:
            if (found := store.read_if_there(key)) is not None:
                parse_entry(store, key, found[0])
        except StoreError as error:
            yield key, str(error)
        else:
            yield key, ""


def parse_entry(store: Store, key: str, content: bytes) -> TakedownEntry:
    """Return an entry of a list; `StoreError` where it is not what was written."""
    pipeline, name = key.split("/")[1], _name_of(key)
    try:
        entry = ENTRY.validate_json(open_seal(content))
        found = "" if identify(entry.id) == identify(name) else f"it is the entry of {entry.id}"  # else `name` would be published
    except ValueError as error:
        found = describe_damage(error)
    if found:
        raise StoreError(
            f"store {store.url}: {key} is damaged ({found}). It keeps {name} out of every release, so no run "
            f"goes on without it: write it anew with `fabula takedown add {name} --pipeline {pipeline} --reason …`, or restore it"
        )
    return entry


def _name_of(key: str) -> str:
    return unquote(key.rsplit("/", 1)[-1].removesuffix(".json"))
