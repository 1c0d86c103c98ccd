"""Looking into a store: its datasets, what became of every unit, a unit as its pipeline shows it, rows of a release."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import accumulate
from random import Random
from typing import Any

from core.dataset.units import find_nearest, find_shard, is_shard
from core.errors import ConfigError
from core.references import CatalogEntry, UnitReference
from infra.store.catalog import find_pipeline_of, list_cataloged, read_catalog
from infra.store.manifests import release_key
from infra.store.objects import Store
from infra.store.releases import read_default_config, read_manifest, tell_absent
from infra.store.takedown import read_takedown
from infra.tables.parquet import match_rows, read_rows
from tasks.frame.ledger import CLOCKS_DIFFER, UNITS, name_moment, units_key
from tasks.frame.pipeline import Pipeline
from tasks.frame.release import REJECTS
from tasks.frame.release_spec import SHOW, SHOW_SPEAKERS
from tasks.pipelines import find_pipeline

_OWN_LINES = frozenset(
    {"id", "summary", "dialogue", "kept", "reason", "score", "turn_start", "turn_end", "license", "attribution"}
)
"""Columns of a row that the lines of `list_row_lines` show in their own way, or not at all."""


def list_datasets(store: Store) -> list[dict[str, Any]]:
    """Return the description of every dataset of a store, as `describe_dataset` does."""
    released = [name for name in store.list_folders("datasets") if read_manifest(store, name) is not None]
    return [describe_dataset(store, name) for name in released]


def describe_dataset(store: Store, name: str) -> dict[str, Any]:
    """Describe a dataset's latest release: name, version, URL, and number of rows by table."""
    manifest = read_manifest(store, name)
    if manifest is None:
        raise tell_absent(store, name)
    rows: Counter[str] = Counter()
    for file in manifest.tables:
        rows[file.table] += file.rows
    return {
        "name": name,
        "version": manifest.version,
        "url": store.locate(release_key(name, manifest.version)),
        "rows": dict(rows),
    }


def describe_unit(store: Store, unit: str, dataset: str | None, diff: bool) -> list[str]:
    """Return a landed unit as lines, in the way of its pipeline; with `diff` what cleaning changed, where the pipeline cleans."""
    for pipeline, reference in _find_landed(store, unit, dataset):
        show = pipeline.find(SHOW) or _show_reference
        lines = list(show(store, reference, unit, diff))
        if lines or (diff and reference.unit == unit):  # a shard is found for every name, also for one that is not in it
            return lines
    raise ConfigError(explain_absence(store, unit, dataset))


def describe_unit_speakers(store: Store, unit: str, dataset: str | None) -> list[str]:
    """Return the speakers of a landed unit as lines, with what to correct among them."""
    without: list[str] = []
    for pipeline, reference in _find_landed(store, unit, dataset):
        if (show_speakers := pipeline.find(SHOW_SPEAKERS)) is not None:
            return list(show_speakers(store, reference))
        if reference.unit == unit or any((pipeline.find(SHOW) or _show_reference)(store, reference, unit, False)):
            without.append(pipeline.name)
    if without:
        raise ConfigError(
            f"{unit} is a unit of {' and '.join(dict.fromkeys(without))}, which reads no speaker labels; leave --speakers out"
        )
    raise ConfigError(explain_absence(store, unit, dataset))


def _find_landed(store: Store, unit: str, dataset: str | None) -> Iterator[tuple[Pipeline, UnitReference]]:
    """Yield the landed units of this id, then the shards that would hold it, with their pipelines."""
    names = [dataset] if dataset is not None else list_cataloged(store)
    shards: list[tuple[Pipeline, UnitReference]] = []
    for name in names:
        entry = find_entry(read_catalog(store, name), unit)
        if entry is not None and entry.reference is not None:
            found = find_pipeline(find_pipeline_of(store, name) or name), entry.reference
            if entry.reference.unit == unit:
                yield found
            else:
                shards.append(found)
    yield from shards


def find_entry(catalog: Mapping[str, CatalogEntry], unit: str) -> CatalogEntry | None:
    """Return the entry of a unit; of a small unit that travels in a shard, that of the shard."""
    if unit in catalog:
        return catalog[unit]
    shard = find_shard(unit, catalog)
    return None if shard is None else catalog[shard]


def _show_reference(_: Store, reference: UnitReference, __: str, ___: bool) -> Iterator[str]:
    yield f"{reference.unit}  {', '.join(f'{count:,} {name}' for name, count in reference.counts.items())}"
    for source in reference.sources:
        yield f"      from {source}"
    for artifact in reference.artifacts.values():
        yield f"      {artifact.stage:<12} {artifact.key}"


def describe_row(store: Store, identity: str, dataset: str | None) -> list[str] | None:
    """Return a row of a release as lines: its figures, its summary and its turns; None where no dataset has such a row."""
    if dataset is not None:
        describe_dataset(store, dataset)
    names = [dataset] if dataset is not None else [entry["name"] for entry in list_datasets(store)]
    found = {name: rows for name in names if (rows := find_rows(store, name, identity))}
    if not found:
        return None
    if len(found) > 1:
        raise ConfigError(f"the datasets {', '.join(found)} have a row {identity!r}; name one: fabula show DATASET {identity}")
    (rows,) = found.values()
    whole: dict[str, Any] = {}
    for row in rows:
        whole |= row
    return list(list_row_lines(identity, whole))


def list_row_lines(identity: str, row: Mapping[str, Any]) -> Iterator[str]:
    """Yield a row as lines, its texts and turns last."""
    plain = {name: value for name, value in row.items() if isinstance(value, str | int | float | bool) and name not in _OWN_LINES}
    outcome = "" if "kept" not in row else ", kept" if row["kept"] else f", {row.get('reason')}"
    span = f"  turns {row['turn_start']} to {row['turn_end']}" if "turn_start" in row else ""
    score = f", score {row['score']:.2f}" if "score" in row else ""
    yield f"{identity}{span}{score}{outcome}"
    if not span:
        yield from (f"  {name:<16} {value}" for name, value in plain.items() if value != "")
    for part in row.get("parts") or []:
        evidence = f"  ({', '.join(part['evidence'])})" if part["evidence"] else ""
        yield f"  {part['points']:+6g}  {part['name']} × {part['count']}{evidence}"
    if row.get("summary"):
        yield str(row["summary"])
    for turn in row.get("turns") or []:
        yield f"{turn['number']:>5} {', '.join(turn['speakers'])}: {turn['text']}"


def find_rows(store: Store, dataset: str, identity: str) -> list[dict[str, Any]]:
    """Return what the tables of the latest release have of a row: one has its turns, another the decision on it."""
    manifest = read_manifest(store, dataset)
    if manifest is None:
        return []
    folder = release_key(dataset, manifest.version)
    found: dict[str, dict[str, Any]] = {}
    for file in manifest.tables:
        if file.rows and file.table not in found:
            for row in match_rows(store, f"{folder}/{file.path}", "id", identity):
                found[file.table] = row
    return list(found.values())


SAMPLE_SEED = 13
"""The same sample each time, so that two people can speak of it."""
_INTRODUCED = {"quarantined": "it is in quarantine: ", "stale": "it is in quarantine: ", "waiting": "it waits: ", "not built": ""}
"""What stands before the reason for which a unit has not landed, by its state."""
_RECORDS_AT_ONCE = 32


@dataclass(frozen=True, slots=True)
class UnitState:
    """What became of a unit: "landed", "quarantined", "stale" (it failed, and its last good state stays), "waiting", "not built".

    `why` says why it has not landed.
    """

    unit: str
    state: str
    why: str = ""


def list_units(store: Store, dataset: str, record: Mapping[str, Any] | None) -> list[UnitState]:
    """Return every unit that the last run of a dataset found, by id, with what became of it, as its `record` says."""
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
    by less than `CLOCKS_DIFFER`.
    """
    until = f"runs/{name_moment(datetime.now(UTC) + CLOCKS_DIFFER)}"
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
        states = {state.unit: state for state in list_units(store, name, record)}
        known.update(states)
        pipeline = (record or {}).get("pipeline", name)
        taken = read_takedown(store, pipeline)
        if unit in taken:
            reasons.append(f"it is on the takedown list: {taken.reason(unit)}")
        elif unit in states and states[unit].why:
            reasons.append(_INTRODUCED[states[unit].state] + states[unit].why)
    where = f"dataset {dataset} of store {store.url}" if dataset else f"store {store.url}"
    near = find_nearest(unit, known)
    hint = f"; near it are {', '.join(near)}" if near else ""
    nothing = (
        f"no run has found it; `fabula show --list` names those that were found{hint}" if known else "no run has made one yet"
    )
    return f"{where} has no unit or row {unit!r}: {'; '.join(reasons) or nothing}"


def choose_dataset(store: Store, name: str | None) -> str:
    """Return the dataset of a name, or the only one of a store."""
    names = list_cataloged(store)
    if name is None and len(names) == 1:
        return names[0]
    if name is None or name not in names:
        found = f"store {store.url} has the datasets {', '.join(names)}" if names else f"store {store.url} has no dataset"
        raise ConfigError(f"{found}; name one of them" if name is None else f"{found}, and no {name!r}")
    return name


def draw_rows(store: Store, dataset: str, rejects: bool, count: int) -> list[dict[str, Any]]:
    """Return some rows of the latest release, drawn at random with a fixed seed: of its default config, or of its rejects."""
    manifest = read_manifest(store, dataset)
    if manifest is None:
        raise ConfigError(f"store {store.url} has no release of {dataset!r}: nothing of it has landed")
    folder = release_key(dataset, manifest.version)
    table = REJECTS if rejects else f"data/{read_default_config(store, folder)}"
    files = [file for file in manifest.files if file.path.startswith(f"{table}/") and file.rows]
    ends = list(accumulate((file.rows for file in files), initial=0))
    chosen = sorted(Random(SAMPLE_SEED).sample(range(ends[-1]), min(count, ends[-1])))
    drawn: list[dict[str, Any]] = []
    for place, file in enumerate(files):
        places = [number - ends[place] for number in chosen if bisect_right(ends, number) - 1 == place]
        if places:
            drawn += read_rows(store, f"{folder}/{file.path}", places=places)
    return drawn
