"""The catalog: what one run writes the next one reads."""

from collections.abc import Callable

import pyarrow as pa
import pytest

from core.errors import ConfigError
from core.references import Artifact, CatalogEntry, UnitFailure, UnitReference
from infra.store.catalog import Catalog, find_pipeline_of, open_catalog, read_catalog, write_catalog
from infra.store.objects import Store
from infra.tables.codecs import encode_table

REFERENCE = UnitReference(
    unit="S01E01",
    artifacts={"dialogue": Artifact("dialogue", "f" * 64, "artifacts/transcripts/dialogue/S01E01/x.parquet", "a" * 64)},
    inputs=("landing/x",),
    sources=("transcripts/é.txt",),
    counts={"turns": 3},
    computed=("dialogue",),
    seconds={"dialogue": 0.5},
)
FAILURE = UnitFailure("S01E02", ("transcripts/b.txt",), "build", "b.txt: it is empty", "SourceError", True)


LANDED = CatalogEntry(unit="S01E01", settings="settings", signature="s1", reference=REFERENCE)
FAILED = CatalogEntry(unit="S01E02", settings="settings", signature="s2", failure=FAILURE)


def test_entries_go_round_and_the_last_run_counts(store: Store) -> None:
    assert read_catalog(store, "tales") == {}
    write_catalog(store, "tales", "transcripts", "run-1", [FAILED, LANDED])
    assert open_catalog(store, "tales") == Catalog(entries={"S01E01": LANDED, "S01E02": FAILED})
    assert read_catalog(store, "scripts") == {}
    assert find_pipeline_of(store, "tales") == "transcripts"
    with pytest.raises(ConfigError, match="dataset tales is made by `fabula run transcripts`"):
        read_catalog(store, "tales", "scripts")
    write_catalog(store, "tales", "transcripts", "run-2", [])
    assert read_catalog(store, "tales") == {}
    assert store.exists("catalog/tales/run-1.parquet")


@pytest.mark.parametrize("content", [b"", b"{", b"{}", b"[]", b"\xff\x00", None])
def test_of_a_damaged_pointer_the_last_catalog_takes_the_place(
    store: Store, caplog: pytest.LogCaptureFixture, content: bytes | None
) -> None:
    write_catalog(store, "tales", "transcripts", "run-1", [])
    write_catalog(store, "tales", "transcripts", "run-2", [LANDED])
    store.delete("catalog/tales/latest.json")
    if content is not None:
        store.write("catalog/tales/latest.json", content)
    assert open_catalog(store, "tales") == Catalog(entries={"S01E01": LANDED}, sound=False)
    assert "catalog/tales/latest.json is damaged" in caplog.text
    assert find_pipeline_of(store, "tales") == "transcripts"  # told by the artifacts
    with pytest.raises(ConfigError, match="made by `fabula run transcripts`"):
        read_catalog(store, "tales", "scripts")


@pytest.mark.parametrize("change", [lambda content: content[:90], lambda _: b"{}", lambda content: content[:-1] + b"?", None])
def test_of_a_damaged_catalog_the_one_before_it_takes_the_place(
    store: Store, caplog: pytest.LogCaptureFixture, change: Callable[[bytes], bytes] | None
) -> None:
    write_catalog(store, "tales", "transcripts", "run-1", [LANDED])
    write_catalog(store, "tales", "transcripts", "run-2", [LANDED, FAILED])
    key = "catalog/tales/run-2.parquet"
    if change is None:
        store.delete(key)
    else:
        store.write(key, change(store.read(key)))
    assert open_catalog(store, "tales") == Catalog(entries={"S01E01": LANDED}, sound=False, damaged=(key,))
    assert f"{key} is damaged" in caplog.text


def test_a_changed_byte_anywhere_in_a_catalog_is_seen(store: Store) -> None:
    write_catalog(store, "tales", "transcripts", "run-1", [LANDED, FAILED])
    key = "catalog/tales/run-1.parquet"
    content = store.read(key)
    for place in range(0, len(content), 97):
        store.write(key, content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        assert open_catalog(store, "tales").damaged == (key,)


def test_where_the_watcher_has_left_its_notes_alone_nothing_is_damaged(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    store.write_json("catalog/tales/announced.json", {"S01E01": "s"})
    assert open_catalog(store, "tales") == Catalog(entries={})
    assert caplog.messages == []


def test_a_catalog_of_another_version_is_as_none(store: Store) -> None:
    store.write("catalog/transcripts/old.parquet", encode_table(pa.table({"unit": ["S01E01"], "signature": ["s"]})))
    store.write_json("catalog/transcripts/latest.json", {"run_id": "old", "path": "catalog/transcripts/old.parquet"})
    assert read_catalog(store, "transcripts") == {}
