"""Looking into a store: its datasets, a unit as its pipeline shows it, a row of a release."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from core.dataset.shards import find_shard
from core.errors import ConfigError
from core.references import CatalogEntry, UnitReference
from infra.store.catalog import find_pipeline_of, list_cataloged, read_catalog
from infra.store.manifests import release_key
from infra.store.objects import Store
from infra.store.releases import read_manifest, tell_absent
from infra.tables.parquet import find_row
from tasks.frame.pipeline import Pipeline
from tasks.pipelines import find_pipeline
from tasks.store.units import explain_absence

_OWN_LINES = frozenset(
    {"id", "summary", "dialogue", "kept", "reason", "score", "turn_start", "turn_end", "license", "attribution"}
)
"""Columns of a row that the lines of `list_row_lines` show in their own way, or not at all."""


def list_datasets(store_url: str) -> list[dict[str, Any]]:
    """Return the description of every dataset of a store, as `describe_dataset` does."""
    store = Store(store_url)
    released = [name for name in store.list_folders("datasets") if read_manifest(store, name) is not None]
    return [describe_dataset(store_url, name) for name in released]


def describe_dataset(store_url: str, name: str) -> dict[str, Any]:
    """Describe a dataset's latest release: name, version, URL, and number of rows by table.

    Raises:
        ConfigError: the store has no such dataset.
    """
    store = Store(store_url)
    manifest = read_manifest(store, name)
    if manifest is None:
        raise tell_absent(store, name)
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


def store_exists(store_url: str) -> bool:
    """Tell whether anything was ever written to a store, or its folder is there."""
    return Store(store_url).exists("")


def describe_unit(store_url: str, unit: str, dataset: str | None, diff: bool) -> list[str]:
    """Return a landed unit as lines, in the way of its pipeline; with `diff` what cleaning changed, where the pipeline cleans.

    Raises:
        ConfigError: no dataset has such a unit; the message says why where the store knows.
    """
    store = Store(store_url)
    for pipeline, reference in _find_landed(store, unit, dataset):
        show = pipeline.load_release().show or _show_reference
        lines = list(show(store, reference, unit, diff))
        if lines or (diff and reference.unit == unit):  # a shard is found for every name, also for one that is not in it
            return lines
    raise ConfigError(explain_absence(store, unit, dataset))


def describe_unit_speakers(store_url: str, unit: str, dataset: str | None) -> list[str]:
    """Return the speakers of a landed unit as lines, with what to correct among them.

    Raises:
        ConfigError: no dataset has such a unit, or its pipeline reads no speaker labels.
    """
    store = Store(store_url)
    without: list[str] = []
    for pipeline, reference in _find_landed(store, unit, dataset):
        spec = pipeline.load_release()
        if spec.show_speakers is not None:
            return list(spec.show_speakers(store, reference))
        if reference.unit == unit or any((spec.show or _show_reference)(store, reference, unit, False)):
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


def describe_row(store_url: str, identity: str, dataset: str | None) -> list[str] | None:
    """Return a row of a release as lines: its figures, its summary and its turns; None where no dataset has such a row.

    Raises:
        ConfigError: no such dataset, or several datasets have a row of this id and none was named.
    """
    store = Store(store_url)
    if dataset is not None:
        describe_dataset(store_url, dataset)
    names = [dataset] if dataset is not None else [entry["name"] for entry in list_datasets(store_url)]
    found = {name: rows for name in names if (rows := _find_rows(store, name, identity))}
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


def _find_rows(store: Store, dataset: str, identity: str) -> list[dict[str, Any]]:
    """Return what the tables of the latest release have of a row: one has its turns, another the decision on it."""
    manifest = read_manifest(store, dataset)
    if manifest is None:
        return []
    folder = release_key(dataset, manifest["version"])
    found: dict[str, dict[str, Any]] = {}
    for file in manifest["files"]:
        table = file["path"].removeprefix("data/").split("/")[0]
        if file["path"].endswith(".parquet") and file["rows"] and table not in found:
            row = find_row(store, f"{folder}/{file['path']}", identity)
            if row is not None:
                found[table] = row
    return list(found.values())
