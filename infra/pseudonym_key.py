"""The secret key of pseudonyms, of digests of private values, and of sealed records: the environment's, else the store's own."""

import hashlib
import hmac
import logging
import os
import re
import secrets
import time
from typing import Any

from pydantic import TypeAdapter

from core.errors import ConfigError, StoreError
from infra.store.objects import Store

KEY = "FABULA_PSEUDONYM_KEY"  # environment variable with the key; it wins over the store's
FOLDER = "private/pseudonyms"
"""Where a store keeps its own key: the oldest object counts. No release, export or published copy has it."""
LEAST_CHARACTERS = 16  # A shorter key may be found by trying
_SETTLE = 1.5  # seconds after which a key that is written later has a later time: S3 tells times by the second
_OWN = re.compile(rb"[0-9a-f]{64}")
_ENTRY = TypeAdapter(dict[str, Any])  # of a takedown list: ingestion, which asks for the key, knows nothing of releases
logger = logging.getLogger(__name__)


def read_pseudonym_key(store: Store, expected: str | None = None) -> bytes:
    """Return the key of a store's pseudonyms; where there is none it is made.

    `expected` is what `identify_key` said of the key that the run was planned with.
    """
    keys = find_pseudonym_keys(store)
    if expected is None:
        _refuse_other_authors(store, keys)
        return keys[0] if keys else _make_key(store)
    for key in keys:
        if identify_key(key) == expected:
            return key
    raise ConfigError(f"the key of pseudonyms is another here than the run's; set {KEY} to one value everywhere, or nowhere")


def find_pseudonym_keys(store: Store) -> list[bytes]:
    """Return the key of a store's pseudonyms as the first of a list, which is empty where none is made yet.

    Those behind it were made by runs at the same time, which may still be going on.
    """
    if named := os.environ.get(KEY):
        return [named.encode()]
    names = _list_names(store)
    found = store.read_all(names)
    keys = [(name, found[name]) for name in names if name in found]  # a run may have taken its own back meanwhile
    for name, key in keys:
        if _OWN.fullmatch(key) is None:
            raise StoreError(
                f"store {store.url}: {name} is damaged (expected 64 hexadecimal digits); restore it from a backup. Without it "
                "authors get other pseudonyms: remove it only if that may be"
            )
    return [key for _, key in keys]


def _list_names(store: Store) -> list[str]:
    return [entry.key for entry in sorted(store.list_objects(FOLDER), key=lambda entry: (entry.modified, entry.key))]


def find_weakness() -> str:
    """Return why the environment's key protects nobody, "" where it does or there is none."""
    named = os.environ.get(KEY, "")
    if 0 < len(named) < LEAST_CHARACTERS:
        return f"{KEY} has {len(named)} characters; a key below {LEAST_CHARACTERS} can be found by trying, and names with it"
    return ""


def identify_key(key: bytes) -> str:
    """Return an identifier of a key, by which processes compare theirs. It reveals no more of the key than a pseudonym does."""
    return hmac.new(key, b"fabula: which key of pseudonyms", hashlib.sha256).hexdigest()


def _make_key(store: Store) -> bytes:
    """Write a key into a store. Runs that do so at once wait until they see each other's keys; all take the oldest."""
    used = "threads" in store.list_folders("artifacts")
    name = f"{FOLDER}/{secrets.token_hex(8)}.key"
    store.write(name, secrets.token_hex(32).encode())
    time.sleep(_SETTLE)
    oldest, *_ = _list_names(store)
    key = store.read(oldest)
    if oldest != name:
        store.delete(name)
        return key
    logger.warning(
        "a key of the pseudonyms was made: %s in the store. Keep a copy in a safe place: the same names get other pseudonyms "
        "without it%s",
        name,
        "; the pseudonyms of this store so far were made with another key, all threads are computed anew, and `fabula prune "
        "--older-than 0` removes what was made before"
        if used
        else "",
    )
    return key


def _refuse_other_authors(store: Store, keys: list[bytes]) -> None:
    """Refuse a key by which authors on the takedown list of threads would get other pseudonyms, and be released again.

    What is on the list is read only as far as it can be. An entry of an earlier version does not say which key made it.
    """
    authors = []
    for path in store.list_keys("takedown/threads"):
        name = path.rsplit("/", 1)[-1].removesuffix(".json")
        if name.casefold().startswith("author"):
            made_by = str((store.read_derived(path, _ENTRY, None) or {}).get("contents") or "")
            if not keys or (made_by and identify_key(keys[0]) not in made_by):
                authors.append(name)
    if authors:
        raise ConfigError(
            f"store {store.url}: the takedown of threads names {len(authors)} authors by their pseudonyms ({authors[0]}, …), and "
            f"the key that made these is not here; restore {FOLDER}/ from a backup or set {KEY} to the key, or remove these ids "
            "and add the authors again by their names"
        )
