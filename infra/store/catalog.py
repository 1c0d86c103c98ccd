"""The catalog of a dataset: what the last run saw of each unit, so that a run with nothing new reads one object."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import TypeAdapter

from core.errors import ConfigError, DamagedObjectError
from core.references import CatalogEntry, UnitFailure, UnitReference
from infra.store.objects import ListedObject, Store, describe_damage
from infra.tables.parquet import Rows, write_tables


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """What a dataset's last finished run left, by unit.

    `sound`: nothing of it was damaged, it need not be written anew. `damaged` are keys of catalogs that cannot be read.
    """

    entries: dict[str, CatalogEntry]
    sound: bool = True
    damaged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogPointer:
    """Which catalog of a dataset is the latest: `path` is its key, `sha256` of its bytes.

    `pipeline` makes the dataset; both are "" where the pointer does not say.
    """

    path: str
    run_id: str = ""
    pipeline: str = ""
    sha256: str = ""


_SCHEMA = pa.schema([(name, pa.string()) for name in ("unit", "settings", "signature", "reference", "failure")])
_BATCH = 1000  # entries that are held as Python objects and text at once; in memory they are many times larger than in the file
_REFERENCE = TypeAdapter(UnitReference)
_FAILURE = TypeAdapter(UnitFailure)
POINTER = TypeAdapter(CatalogPointer)
_LATEST = "the latest catalog that can be read takes its place"


def open_catalog(store: Store, dataset: str, pipeline: str | None = None) -> Catalog:
    """Return what the dataset's last finished run left; it is empty before the first.

    Where the pointer or its catalog is damaged, the latest readable catalog takes its place, or else an empty one: units that
    it does not know are looked at again, and their artifacts are found. A warning says so.
    """
    pointer = read_pointer(store, dataset)
    entries = None if pointer is None else _read_or_tell(store, pointer.path, pointer.sha256)
    sound = entries is not None
    damaged: list[str] = []
    if entries is None:
        keys = [entry.key for entry in reversed(list_catalogs(store, dataset)) if pointer is None or entry.key != pointer.path]
        if pointer is None and not keys:
            return Catalog(entries={}, sound=not store.exists(pointer_key(dataset)))
        if pointer is None and not store.exists(pointer_key(dataset)):
            store.tell_damage(pointer_key(dataset), "it is missing", _LATEST)
        damaged += [pointer.path] if pointer is not None else []
        for key in keys:
            entries = _read_or_tell(store, key)
            if entries is not None:
                break
            damaged.append(key)
    entries = entries or {}
    owner = (pointer.pipeline if pointer is not None else "") or _find_owner(entries)
    if pipeline is not None and owner not in ("", pipeline):
        raise ConfigError(f"store {store.url}: dataset {dataset} is made by `fabula run {owner}`; name another: --dataset NAME")
    return Catalog(entries=entries, sound=sound, damaged=tuple(damaged))


def read_catalog(store: Store, dataset: str, pipeline: str | None = None) -> dict[str, CatalogEntry]:
    """Return the entries of `open_catalog`."""
    return open_catalog(store, dataset, pipeline).entries


def find_pipeline_of(store: Store, dataset: str) -> str | None:
    """Return the name of the pipeline that makes a dataset, None where its catalogs do not say."""
    pointer = read_pointer(store, dataset)
    return (pointer.pipeline if pointer is not None else "") or _find_owner(read_catalog(store, dataset)) or None


def _find_owner(entries: Mapping[str, CatalogEntry]) -> str:
    """Return the pipeline whose artifacts the entries name, "" where they name none."""
    references = (entry.reference for entry in entries.values() if entry.reference is not None)
    keys = (artifact.key for reference in references for artifact in reference.artifacts.values())
    return next((key.split("/")[1] for key in keys), "")


_UNREADABLE = (pa.ArrowException, OSError, ValueError, KeyError, TypeError)
"""What decoding a truncated or foreign catalog ends with."""


def _read_or_tell(store: Store, key: str, sha256: str = "") -> dict[str, CatalogEntry] | None:
    """Return the entries of a catalog; None, with a warning, where it is missing or damaged."""
    try:
        entries = read_entries(store, key, sha256)
    except DamagedObjectError as error:
        store.tell_damage(key, error, "its units are looked at anew, and what they were made into is found")
        return None
    # None: written by another version of fabula. What it saw is looked at again, and the artifacts are found.
    return {} if entries is None else {entry.unit: entry for entry in entries}


def read_entries(store: Store, key: str, sha256: str = "") -> list[CatalogEntry] | None:
    """Return the entries of a run's catalog; None where another version of fabula wrote it.

    DamagedObjectError: it is missing, or not what was written. `sha256` is that of its bytes, where it is known.
    """
    found = store.read_if_there(key)
    if found is None:
        raise DamagedObjectError("it is missing")
    if sha256 and found[1] != sha256:
        raise DamagedObjectError("its SHA-256 is not that of the pointer")
    try:
        file = pq.ParquetFile(pa.BufferReader(found[0]), page_checksum_verification=True)
        return list(_decode(file)) if file.schema_arrow.names == _SCHEMA.names else None
    except _UNREADABLE as error:
        raise DamagedObjectError(f"it cannot be read: {describe_damage(error)}") from error


def _decode(file: pq.ParquetFile) -> Iterator[CatalogEntry]:
    for batch in file.iter_batches(_BATCH, use_threads=False):
        for row in batch.to_pylist():
            reference = _REFERENCE.validate_json(row["reference"]) if row["reference"] else None
            failure = _FAILURE.validate_json(row["failure"]) if row["failure"] else None
            yield CatalogEntry(**{**row, "reference": reference, "failure": failure})


def list_catalogs(store: Store, dataset: str) -> list[ListedObject]:
    """Return the catalogs of a dataset's runs, oldest run first."""
    return [entry for entry in store.list_objects(f"catalog/{dataset}") if entry.key.endswith(".parquet")]


def write_catalog(store: Store, dataset: str, pipeline: str, run_id: str, entries: Iterable[CatalogEntry]) -> None:
    """Write the entries as this run's catalog, then point to it."""
    ordered = sorted(entries, key=lambda entry: entry.unit)
    key = f"catalog/{dataset}/{run_id}.parquet"
    parts = (_encode(ordered[start : start + _BATCH]) for start in range(0, len(ordered), _BATCH))
    with store.writing(key) as stream:
        write_tables(stream, _SCHEMA, parts, page_checksums=True)
    pointer = CatalogPointer(path=key, run_id=run_id, pipeline=pipeline, sha256=stream.stored.sha256)
    store.write_json(pointer_key(dataset), asdict(pointer))


def list_cataloged(store: Store) -> list[str]:
    """Return the names of the datasets that have a catalog."""
    return store.list_folders("catalog")


def read_pointer(store: Store, dataset: str) -> CatalogPointer | None:
    """Return the pointer to the latest catalog; None where there is none, or, with a warning, where it is damaged."""
    key = pointer_key(dataset)
    pointer = store.read_derived(key, POINTER, _LATEST)
    if pointer is not None and not names_own(pointer, dataset):
        store.tell_damage(key, f"it names {pointer.path}, which is no catalog of this dataset", _LATEST)
        return None
    return pointer


def names_own(pointer: CatalogPointer, dataset: str) -> bool:
    """Tell whether a pointer names a catalog of its own dataset; one that was copied from elsewhere does not."""
    return pointer.path.rpartition("/")[0] == f"catalog/{dataset}" and pointer.path.endswith(".parquet")


def pointer_key(dataset: str) -> str:
    """Return the key of the pointer to a dataset's latest catalog."""
    return f"catalog/{dataset}/latest.json"


def _encode(entries: Sequence[CatalogEntry]) -> Rows:
    rows = [
        {
            "unit": entry.unit,
            "settings": entry.settings,
            "signature": entry.signature,
            "reference": _REFERENCE.dump_json(entry.reference).decode() if entry.reference else None,
            "failure": _FAILURE.dump_json(entry.failure).decode() if entry.failure else None,
        }
        for entry in entries
    ]
    return Rows(pa.Table.from_pylist(rows, schema=_SCHEMA))
