"""The catalog: what one run of a dataset writes the next one reads."""

import logging
from pathlib import Path

import pyarrow as pa
import pytest

from core.errors import ConfigError
from core.references import Artifact, UnitFailure, UnitReference
from infra.store.catalog import (
    CatalogEntry,
    find_latest,
    find_pipeline_of,
    list_cataloged,
    list_catalogs,
    read_catalog,
    write_catalog,
)
from infra.store.objects import Store
from infra.tables.parquet import encode_table

FAILURE = UnitFailure("S01E02", ("transcripts/b.txt",), "build", "b.txt: it is empty", "SourceError", True)
REFERENCE = UnitReference(
    unit="S01E01",
    artifacts={"dialogue": Artifact("dialogue", "f" * 64, "artifacts/x.parquet", "a" * 64)},
    inputs=("landing/x",),
    sources=("transcripts/é.txt",),
    counts={"turns": 3},
    computed=("dialogue",),
    seconds={"dialogue": 0.5},
    failures=(FAILURE,),
)
LANDED = CatalogEntry(unit="S01E01", settings="settings", signature="s1", reference=REFERENCE)
FAILED = CatalogEntry(unit="S01E02", settings="settings", signature="s2", failure=FAILURE)
BOTH = CatalogEntry(unit="S01E03", settings="settings", signature="s3", reference=REFERENCE, failure=FAILURE)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path))


def write(store: Store, *entries: CatalogEntry, run: str = "run-1", dataset: str = "tales") -> None:
    write_catalog(store, dataset, "transcripts", run, entries)


def test_entries_come_back(store: Store) -> None:
    assert read_catalog(store, "tales") == {}
    write(store, FAILED, BOTH, LANDED)
    assert read_catalog(store, "tales") == {"S01E01": LANDED, "S01E02": FAILED, "S01E03": BOTH}


def test_every_dataset_has_a_catalog_of_its_own(store: Store) -> None:
    write(store, LANDED)
    write(store, FAILED, dataset="others")
    assert list(read_catalog(store, "tales")) == ["S01E01"]
    assert list(read_catalog(store, "others")) == ["S01E02"]
    assert list_cataloged(store) == ["others", "tales"]


def test_the_last_run_counts_and_earlier_ones_stay(store: Store) -> None:
    write(store, LANDED)
    write(store, run="run-2")
    assert read_catalog(store, "tales") == {}
    assert [entry.key for entry in list_catalogs(store, "tales")] == [f"catalog/tales/run-{run}.parquet" for run in (1, 2)]
    assert find_latest(store, "tales") == "catalog/tales/run-2.parquet"


def test_a_dataset_belongs_to_the_pipeline_that_makes_it(store: Store) -> None:
    write(store, LANDED)
    assert find_pipeline_of(store, "tales") == "transcripts"
    assert find_pipeline_of(store, "others") is None
    assert list(read_catalog(store, "tales", "transcripts")) == ["S01E01"]
    with pytest.raises(ConfigError, match=r"dataset tales is made by `fabula run transcripts`; .* --dataset NAME"):
        read_catalog(store, "tales", "scripts")


@pytest.mark.parametrize("damage", ["missing", b"", b"PAR1", b"no table"])
def test_a_damaged_catalog_is_taken_for_an_empty_one(store: Store, damage: bytes | str, caplog: pytest.LogCaptureFixture) -> None:
    write(store, LANDED)
    store.delete("catalog/tales/run-1.parquet")
    if isinstance(damage, bytes):
        store.write("catalog/tales/run-1.parquet", damage)
    with caplog.at_level(logging.WARNING):
        assert read_catalog(store, "tales") == {}
    assert "catalog/tales/run-1.parquet is damaged or missing" in caplog.text


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"run_id": "run-1"}', b"\xff"])
def test_a_damaged_pointer_is_found_anew_in_the_listing(store: Store, damage: bytes, caplog: pytest.LogCaptureFixture) -> None:
    write(store, FAILED)
    write(store, LANDED, run="run-2")
    store.write("catalog/tales/latest.json", damage)
    with caplog.at_level(logging.WARNING):
        assert read_catalog(store, "tales") == {"S01E01": LANDED}
    assert "catalog/tales/latest.json is damaged" in caplog.text


def test_a_catalog_of_another_version_is_as_none(store: Store) -> None:
    store.write("catalog/tales/old.parquet", encode_table(pa.table({"unit": ["S01E01"], "signature": ["s"]})))
    store.write_json("catalog/tales/latest.json", {"run_id": "old", "path": "catalog/tales/old.parquet"})
    assert read_catalog(store, "tales", "transcripts") == {}
    assert find_pipeline_of(store, "tales") == "tales"  # a catalog from before datasets had their own named its pipeline


def test_many_entries_come_back_in_order(store: Store) -> None:
    """More than are held at once while the file is written and read."""
    entries = [CatalogEntry(unit=f"U{number:05d}", settings="s", signature=str(number)) for number in range(2_345)]
    write(store, *reversed(entries))
    assert list(read_catalog(store, "tales").values()) == entries
