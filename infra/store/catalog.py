"""The catalog: what the last run saw of each unit, so that a run with nothing new reads one object instead of every artifact."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import TypeAdapter

from core.references import UnitFailure, UnitReference
from infra.store.objects import ListedObject, Store
from infra.tables.parquet import Rows, write_tables


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """A unit as the last run left it: landed, or failed for good, perhaps after it had landed once (then it has both).

    `signature` covers the listing of its files (path, size, version) and `settings`, every setting: while it stays, so does the
    entry.
    """

    unit: str
    settings: str
    signature: str
    reference: UnitReference | None
    failure: UnitFailure | None


_SCHEMA = pa.schema([(name, pa.string()) for name in ("unit", "settings", "signature", "reference", "failure")])
_BATCH = 1000
"""Entries that are Python objects and text at once: as such they are many times what they are in the file."""
_REFERENCE = TypeAdapter(UnitReference)
_FAILURE = TypeAdapter(UnitFailure)


def read_catalog(store: Store, pipeline: str) -> dict[str, CatalogEntry]:
    """Return the entries of the last finished run by unit; empty before the first.

    Raises:
        StoreError: the catalog's pointer names an object that is gone.
    """
    key = find_latest(store, pipeline)
    entries = None if key is None else read_entries(store, key)
    # Written by another version of fabula: what it saw is looked at again, and the artifacts are found.
    return {} if entries is None else {entry.unit: entry for entry in entries}


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
                row["unit"],
                row["settings"],
                row["signature"],
                _REFERENCE.validate_json(row["reference"]) if row["reference"] else None,
                _FAILURE.validate_json(row["failure"]) if row["failure"] else None,
            )


def list_catalogs(store: Store, pipeline: str) -> list[ListedObject]:
    """Return the catalogs of a pipeline's runs, oldest run first."""
    return [entry for entry in store.list_objects(f"catalog/{pipeline}") if entry.key.endswith(".parquet")]


def find_latest(store: Store, pipeline: str) -> str | None:
    """Return the key of the catalog that the next run will read; None before the first run."""
    pointer = store.read_json_if_there(f"catalog/{pipeline}/latest.json")
    return None if pointer is None else str(pointer["path"])


def write_catalog(store: Store, pipeline: str, run_id: str, entries: Iterable[CatalogEntry]) -> None:
    """Write the entries as this run's catalog, then point to it."""
    ordered = sorted(entries, key=lambda entry: entry.unit)
    key = f"catalog/{pipeline}/{run_id}.parquet"
    with store.writing(key) as stream:
        write_tables(stream, _SCHEMA, (_encode(ordered[start : start + _BATCH]) for start in range(0, len(ordered), _BATCH)))
    store.write_json(f"catalog/{pipeline}/latest.json", {"run_id": run_id, "path": key})


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
