"""The catalog: what one run writes the next one reads."""

from pathlib import Path

import pyarrow as pa
import pytest

from core.errors import StoreError
from core.references import Artifact, UnitFailure, UnitReference
from infra.store.catalog import CatalogEntry, read_catalog, write_catalog
from infra.store.objects import Store
from infra.tables.parquet import encode_table

REFERENCE = UnitReference(
    "S01E01",
    {"dialogue": Artifact("dialogue", "f" * 64, "artifacts/x.parquet", "a" * 64)},
    ("landing/x",),
    ("transcripts/é.txt",),
    {"turns": 3},
    ("dialogue",),
    {"dialogue": 0.5},
)
FAILURE = UnitFailure("S01E02", ("transcripts/b.txt",), "build", "b.txt: it is empty", "SourceError", True)


def test_entries_go_round(tmp_path: object) -> None:
    store = Store(str(tmp_path))
    entries = [CatalogEntry("S01E02", "settings", "s2", None, FAILURE), CatalogEntry("S01E01", "settings", "s1", REFERENCE, None)]
    assert read_catalog(store, "transcripts") == {}
    write_catalog(store, "transcripts", "run-1", entries)
    assert read_catalog(store, "transcripts") == {entry.unit: entry for entry in entries}
    assert read_catalog(store, "scripts") == {}


def test_the_last_run_counts_and_earlier_ones_stay(tmp_path: object) -> None:
    store = Store(str(tmp_path))
    write_catalog(store, "transcripts", "run-1", [CatalogEntry("S01E01", "settings", "s1", REFERENCE, None)])
    write_catalog(store, "transcripts", "run-2", [])
    assert read_catalog(store, "transcripts") == {}
    assert store.exists("catalog/transcripts/run-1.parquet")


def test_a_pointer_to_nothing_is_an_error_that_names_it(tmp_path: object) -> None:
    store = Store(str(tmp_path))
    write_catalog(store, "transcripts", "run-1", [])
    store.delete("catalog/transcripts/run-1.parquet")
    with pytest.raises(StoreError, match=r"catalog/transcripts/run-1\.parquet"):
        read_catalog(store, "transcripts")


def test_a_catalog_of_another_version_is_as_none(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    store.write("catalog/transcripts/old.parquet", encode_table(pa.table({"unit": ["S01E01"], "signature": ["s"]})))
    store.write_json("catalog/transcripts/latest.json", {"run_id": "old", "path": "catalog/transcripts/old.parquet"})
    assert read_catalog(store, "transcripts") == {}
