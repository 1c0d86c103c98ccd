"""Describes what a store holds: its datasets, an episode's turns, what cleaning changed, one pair."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from core.dialogue import Turn
from core.errors import ConfigError
from core.transcripts.dialogues.differences import diff_turns
from infra.store.catalog import read_catalog
from infra.store.objects import Store
from infra.store.releases import read_manifest, release_key
from infra.tables.parquet import find_row
from infra.tables.turns import DIALOGUE
from tasks.transcripts.build import PIPELINE


def is_pair_id(name: str) -> bool:
    """Tell whether a name is the id of a pair (`C1E001_2_0_0017`); ids of episodes may have underscores too."""
    return re.fullmatch(r".+_\d+_\d+_\d{4,}", name) is not None


def list_datasets(store_url: str) -> list[dict[str, Any]]:
    """Return the description of every dataset of a store, as `describe_dataset` does."""
    pointers = (key.split("/") for key in Store(store_url).list_keys("datasets") if key.endswith("/latest.json"))
    return [describe_dataset(store_url, parts[1]) for parts in pointers if len(parts) == 3]


def describe_dataset(store_url: str, name: str) -> dict[str, Any]:
    """Describe a dataset's latest release: name, version, URL, and number of rows by table.

    Raises:
        ConfigError: the store has no such dataset.
    """
    store = Store(store_url)
    manifest = read_manifest(store, name)
    if manifest is None:
        raise ConfigError(f"store {store.url} has no dataset {name!r}; `fabula datasets` lists those it has")
    rows: Counter[str] = Counter()
    for file in manifest["files"]:
        if file["path"].endswith(".parquet"):
            rows[file["path"].removeprefix("data/").split("/")[0]] += file["rows"]
    return {
        "name": name,
        "version": manifest["version"],
        "url": store.locate(release_key(name, manifest["version"])),
        "rows": dict(rows),
    }


def describe_dialogue(store_url: str, unit: str) -> Iterator[str]:
    """Yield an episode's clean turns as lines."""
    for turn in _read_turns(store_url, unit):
        time = "" if turn.start is None else f"[{turn.start:9.2f}] "
        yield f"{turn.number:>5} {time}{', '.join(turn.speakers)}: {turn.text}"


def describe_differences(store_url: str, unit: str) -> Iterator[str]:
    """Yield what cleaning changed in an episode, as a diff from raw to clean."""
    yield from diff_turns(_read_turns(store_url, unit))


def describe_pair(store_url: str, pair: str, dataset: str | None) -> Iterator[str]:
    """Yield a pair as lines: its turn numbers and score, its summary and, if it was kept, its turns.

    Raises:
        ConfigError: the pair or the dataset does not exist, or the store has several datasets with pairs and none is named.
    """
    store = Store(store_url)
    if dataset is None:
        names = [entry["name"] for entry in list_datasets(store_url) if "pairs" in entry["rows"]]
        if len(names) != 1:
            found = f"{len(names)} datasets with pairs ({', '.join(names)})"
            raise ConfigError(f"store {store.url} has {found}; name one: fabula show DATASET {pair}")
        dataset = names[0]
    described = describe_dataset(store_url, dataset)
    folder = release_key(dataset, described["version"])
    row = _find(store, folder, "alignments/", pair)
    if row is None:
        raise ConfigError(f"dataset {dataset} has no pair {pair!r}; ids look like C1E001_2_0_0017")
    outcome = "kept" if row["kept"] else row["reason"]
    yield f"{pair}  turns {row['turn_start']} to {row['turn_end']}, score {row['score']:.2f}, {outcome}"
    yield row["summary"]
    kept = _find(store, folder, "data/pairs/", pair) if row["kept"] else None
    for turn in kept["turns"] if kept is not None else []:
        yield f"{turn['number']:>5} {', '.join(turn['speakers'])}: {turn['text']}"


def _find(store: Store, folder: str, prefix: str, pair: str) -> dict[str, Any] | None:
    keys = store.list_keys(f"{folder}/{prefix}".rstrip("/"))
    return next((row for key in keys if (row := find_row(store, key, pair)) is not None), None)


def _read_turns(store_url: str, unit: str) -> Iterable[Turn]:
    store = Store(store_url)
    entry = read_catalog(store, PIPELINE).get(unit)
    if entry is None or entry.reference is None:
        why = f"it is in quarantine: {entry.failure.reason}" if entry and entry.failure else "it has not landed"
        raise ConfigError(f"store {store.url} has no episode {unit!r}: {why}")
    return DIALOGUE.decode(store.read(entry.reference.artifacts["dialogue"].key))
