"""The catalog of a dataset: what the last run saw of each unit, so that a run with nothing new reads one object."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import TypeAdapter, ValidationError

from core.errors import ConfigError, StoreError
from core.references import UnitFailure, UnitReference
from infra.store.objects import ListedObject, Store
from infra.tables.parquet import Rows, write_tables

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogEntry:
    """A unit as the last run left it: landed, or failed for good, perhaps after it had landed once (then it has both).

    `signature` covers the listing of its files (path, size, version) and `settings`, every setting: while it stays, so does the
    entry.
    """

    unit: str
    settings: str
    signature: str
    reference: UnitReference | None = None
    failure: UnitFailure | None = None


_SCHEMA = pa.schema([(name, pa.string()) for name in ("unit", "settings", "signature", "reference", "failure")])
_BATCH = 1000
"""Entries that are Python objects and text at once: as such they are many times what they are in the file."""
_REFERENCE = TypeAdapter(UnitReference)
_FAILURE = TypeAdapter(UnitFailure)


def read_catalog(store: Store, dataset: str, pipeline: str | None = None) -> dict[str, CatalogEntry]:
    """Return the entries of the dataset's last finished run by unit; empty before the first.

    A damaged catalog is taken for an empty one, with a warning: every unit is looked at anew, and its artifacts are found.

    Raises:
        ConfigError: the dataset is made by another pipeline than `pipeline`.
        StoreError: the store failed.
    """
    pointer = _read_pointer(store, dataset)
    if pointer is None:
        return {}
    owner = pointer.get("pipeline")
    if pipeline is not None and owner not in (None, pipeline):
        raise ConfigError(
            f"store {store.url}: dataset {dataset} is made by `fabula run {owner}`; give this one another name: --dataset NAME"
        )
    try:
        entries = read_entries(store, pointer["path"])
        # None: written by another version of fabula. What it saw is looked at again, and the artifacts are found.
        return {} if entries is None else {entry.unit: entry for entry in entries}
    except _DAMAGED as error:
        _warn(store, pointer["path"], error)
        return {}


def find_pipeline_of(store: Store, dataset: str) -> str | None:
    """Return the name of the pipeline that makes a dataset, None where its catalog does not say."""
    pointer = _read_pointer(store, dataset)
    return None if pointer is None else pointer.get("pipeline", dataset)


_DAMAGED = (pa.ArrowException, OSError, ValidationError, ValueError, KeyError, StoreError)
"""What reading a truncated, missing or foreign catalog ends with."""


def read_entries(store: Store, key: str) -> Iterator[CatalogEntry] | None:
    """Return the entries of a run's catalog; None where another version of fabula wrote it.

    Raises:
        StoreError: there is no such catalog.
    """
    file = pq.ParquetFile(pa.BufferReader(store.read(key)))
    return _decode(file) if file.schema_arrow.names == _SCHEMA.names else None


def _decode(file: pq.ParquetFile) -> Iterator[CatalogEntry]:
    for batch in file.iter_batches(_BATCH, use_threads=False):
        for row in batch.to_pylist():
            yield CatalogEntry(
                unit=row["unit"],
                settings=row["settings"],
                signature=row["signature"],
                reference=_REFERENCE.validate_json(row["reference"]) if row["reference"] else None,
                failure=_FAILURE.validate_json(row["failure"]) if row["failure"] else None,
            )


def list_catalogs(store: Store, dataset: str) -> list[ListedObject]:
    """Return the catalogs of a dataset's runs, oldest run first."""
    return [entry for entry in store.list_objects(f"catalog/{dataset}") if entry.key.endswith(".parquet")]


def find_latest(store: Store, dataset: str) -> str | None:
    """Return the key of the catalog that the next run will read; None before the first run, and where the pointer is damaged."""
    pointer = _read_pointer(store, dataset)
    return None if pointer is None else pointer["path"]


def write_catalog(store: Store, dataset: str, pipeline: str, run_id: str, entries: Iterable[CatalogEntry]) -> None:
    """Write the entries as this run's catalog, then point to it."""
    ordered = sorted(entries, key=lambda entry: entry.unit)
    key = f"catalog/{dataset}/{run_id}.parquet"
    with store.writing(key) as stream:
        write_tables(stream, _SCHEMA, (_encode(ordered[start : start + _BATCH]) for start in range(0, len(ordered), _BATCH)))
    store.write_json(f"catalog/{dataset}/latest.json", {"run_id": run_id, "path": key, "pipeline": pipeline})


def list_cataloged(store: Store) -> list[str]:
    """Return the names of the datasets that have a catalog."""
    return store.list_folders("catalog")


def _read_pointer(store: Store, dataset: str) -> dict[str, str] | None:
    """Return the pointer to the latest catalog; one that is damaged is told and found anew in the listing."""
    key = f"catalog/{dataset}/latest.json"
    try:
        pointer = store.read_json_if_there(key)
        if pointer is None or (isinstance(pointer, dict) and isinstance(pointer.get("path"), str)):
            return pointer
        error: Exception = ValueError(f"it is {str(pointer)[:40]}")
    except StoreError as raised:
        if not isinstance(raised.__cause__, ValueError):
            raise
        error = raised
    _warn(store, key, error)
    catalogs = list_catalogs(store, dataset)
    return {"path": catalogs[-1].key} if catalogs else None


def _warn(store: Store, key: str, error: Exception) -> None:
    said = " ".join(str(error).split())[:200]
    logger.warning("store %s: %s is damaged or missing (%s); it is made anew by this run", store.url, key, said)


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
