"""What became of every unit of a dataset, as its last run left it, and a few of the rows that a release has or left out."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from random import Random
from typing import Any

from core.dataset.shards import find_shard, is_shard
from core.dataset.units import find_nearest
from core.errors import ConfigError
from core.references import CatalogEntry
from infra.store.catalog import list_cataloged, read_catalog
from infra.store.manifests import release_key
from infra.store.objects import Store
from infra.store.releases import read_default_config, read_manifest
from infra.store.takedown import read_takedown
from infra.tables.parquet import take_rows
from tasks.frame.ledger import UNITS, name_moment, units_key
from tasks.frame.rejects import REJECTS

SAMPLE_SEED = 13
"""The same sample each time, so that two people can speak of it."""
_RECORDS_AT_ONCE = 32
_CLOCKS_DIFFER = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class UnitState:
    """What became of a unit: "landed", "quarantined", "stale" (it failed, and its last good state stays), "waiting", "not built".

    `why` says why it has not landed.
    """

    unit: str
    state: str
    why: str = ""


def list_units(store: Store, dataset: str) -> list[UnitState]:
    """Return every unit that the last run of a dataset found, by id, with what became of it.

    Raises:
        ConfigError: no run has made such a dataset.
    """
    return _list_states(store, dataset, read_last_run(store, dataset))


def _list_states(store: Store, dataset: str, record: Mapping[str, Any] | None) -> list[UnitState]:
    """Do what `list_units` does, with the record of the dataset's last run."""
    catalog = read_catalog(store, dataset)
    if record is None and not catalog:
        known = ", ".join(list_cataloged(store)) or "none"
        raise ConfigError(f"store {store.url} has no dataset {dataset!r}; it has {known}")
    found = store.read_derived(units_key(dataset), UNITS)
    units = found.units if found is not None else []
    landed = _list_landed(catalog, units, found.alone if found is not None else None)
    states = {unit: UnitState(unit, "landed") for unit in landed}
    for unit in units:
        if unit not in states:
            states[unit] = UnitState(unit, "not built", "the last run left it to a later one (--limit)")
    for waiting in (record or {}).get("waiting", ()):
        states[waiting["unit"]] = UnitState(waiting["unit"], "waiting", f"it has no {waiting['missing']} yet")
    stale = set((record or {}).get("stale", ()))
    for failure in (record or {}).get("quarantined", ()):
        unit = failure["unit"]
        states[unit] = UnitState(unit, "stale" if unit in stale else "quarantined", failure["reason"])
    return [states[unit] for unit in sorted(states)]


def _list_landed(catalog: Mapping[str, CatalogEntry], known: Sequence[str], alone: Sequence[str] | None) -> list[str]:
    """Return the units that have landed: those of the catalog, and in place of its shards the known units that are in them.

    `alone` are the known units that travel in no shard; None: nobody wrote down which.
    """
    landed = [unit for unit, entry in catalog.items() if entry.reference is not None]
    shards = {unit for unit in landed if is_shard(unit)}
    if not shards or not known:
        return landed
    if alone is None:
        return list(known)
    members = set(known).difference(alone)
    return [unit for unit in landed if unit not in shards] + [unit for unit in members if find_shard(unit, shards) is not None]


def read_last_run(store: Store, dataset: str) -> dict[str, Any] | None:
    """Return the record of the last run of a dataset, None where there is none."""
    return read_last_runs(store, [dataset]).get(dataset)


def read_last_runs(store: Store, datasets: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the record of the last run of each dataset that has one; records are read from the newest on, many at once.

    A record from the future was written while a machine's clock was ahead. It counts as older than all others, unless it is ahead
    by less than `_CLOCKS_DIFFER`: clocks of two machines are never quite the same.
    """
    until = f"runs/{name_moment(datetime.now(UTC) + _CLOCKS_DIFFER)}"
    keys = sorted(store.list_keys("runs"), key=lambda key: (key <= until, key), reverse=True)
    found: dict[str, dict[str, Any]] = {}
    for start in range(0, len(keys), _RECORDS_AT_ONCE):
        batch = keys[start : start + _RECORDS_AT_ONCE]
        records = store.read_all_json(batch)
        for record in (records[key] for key in batch if key in records):
            if record.get("dataset") in datasets:
                found.setdefault(record["dataset"], record)
        if len(found) == len(set(datasets)):
            break
    return found


def explain_absence(store: Store, unit: str, dataset: str | None) -> str:
    """Return why a dataset, or the whole store, has no landed unit and no row of a name, and what is nearest to the name."""
    names = [dataset] if dataset is not None else list_cataloged(store)
    records = read_last_runs(store, names)
    reasons: list[str] = []
    known: set[str] = set()
    for name in names:
        record = records.get(name)
        states = {state.unit: state for state in _list_states(store, name, record)}
        known.update(states)
        pipeline = (record or {}).get("pipeline", name)
        taken = read_takedown(store, pipeline)
        if unit in taken:
            reasons.append(f"it is on the takedown list: {taken.reason(unit)}")
        elif unit in states and states[unit].why:
            shown = {"quarantined": "it is in quarantine", "stale": "it is in quarantine"}.get(states[unit].state, "it waits")
            reasons.append(f"{shown}: {states[unit].why}" if states[unit].state != "not built" else states[unit].why)
    where = f"dataset {dataset} of store {store.url}" if dataset else f"store {store.url}"
    near = find_nearest(unit, known)
    hint = f"; near it are {', '.join(near)}" if near else ""
    nothing = (
        f"no run has found it; `fabula show --list` names those that were found{hint}" if known else "no run has made one yet"
    )
    return f"{where} has no unit or row {unit!r}: {'; '.join(reasons) or nothing}"


def choose_dataset(store: Store, name: str | None) -> str:
    """Return the dataset of a name, or the only one of a store.

    Raises:
        ConfigError: there is none, or several and none was named.
    """
    names = list_cataloged(store)
    if name is None and len(names) == 1:
        return names[0]
    if name is None or name not in names:
        found = f"store {store.url} has the datasets {', '.join(names)}" if names else f"store {store.url} has no dataset"
        raise ConfigError(f"{found}; name one of them" if name is None else f"{found}, and no {name!r}")
    return name


def draw_rows(store: Store, dataset: str, rejects: bool, count: int) -> list[dict[str, Any]]:
    """Return some rows of the latest release, drawn at random with a fixed seed: of its default config, or of its rejects.

    Raises:
        ConfigError: the dataset has no release.
    """
    manifest = read_manifest(store, dataset)
    if manifest is None:
        raise ConfigError(f"store {store.url} has no release of {dataset!r}: nothing of it has landed")
    folder = release_key(dataset, manifest["version"])
    table = REJECTS if rejects else f"data/{read_default_config(store, folder)}"
    files = [file for file in manifest["files"] if file["path"].startswith(f"{table}/") and file["rows"]]
    ends = list(accumulate((file["rows"] for file in files), initial=0))
    chosen = sorted(Random(SAMPLE_SEED).sample(range(ends[-1]), min(count, ends[-1])))
    drawn: list[dict[str, Any]] = []
    for place, file in enumerate(files):
        places = [number - ends[place] for number in chosen if bisect_right(ends, number) - 1 == place]
        if places:
            drawn += take_rows(store, f"{folder}/{file['path']}", places)
    return drawn
