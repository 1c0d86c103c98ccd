"""Parquet in and out: one part at a time, no empty row groups, one row by its id."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fsspec.exceptions import FSTimeoutError

from core.errors import ConfigError, DamagedObjectError, StoreError
from infra.store.objects import Store
from infra.tables.columns import optional, required
from infra.tables.parquet import Rows, _handed_out, _wait_for_readers, match_rows, read_inner_columns, read_rows, write_tables

SCHEMA = pa.schema([required("id", pa.string()), optional("value", pa.int64())])


def rows(*names: str) -> Rows:
    return Rows(pa.table({"id": names, "value": [len(name) for name in names]}, schema=SCHEMA))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path))


def write(store: Store, *parts: Rows) -> int:
    with store.writing("table.parquet") as stream:
        return write_tables(stream, SCHEMA, parts)


@pytest.mark.parametrize(("limit", "groups"), [(1, [2, 1, 1]), (40, [3, 1]), (2**20, [4])])
def test_small_parts_share_a_row_group_up_to_its_size(
    store: Store, monkeypatch: pytest.MonkeyPatch, limit: int, groups: list[int]
) -> None:
    monkeypatch.setattr("infra.tables.parquet.GROUP_BYTES", limit)
    write(store, rows("a", "bb"), rows(), rows("ccc"), rows("dddd"))
    file = pq.ParquetFile(BytesIO(store.read("table.parquet")))
    assert [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)] == groups
    assert file.read().column("id").to_pylist() == ["a", "bb", "ccc", "dddd"]


def test_rows_are_found_and_some_rows_and_columns_read_over_the_groups(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infra.tables.parquet.GROUP_BYTES", 1)
    write(store, rows("a", "bb"), rows("ccc"), rows("dddd", "eeeee"))
    assert list(match_rows(store, "table.parquet", "id", "a")) == [{"id": "a", "value": 1}]
    assert list(match_rows(store, "table.parquet", "id", "dddd")) == [{"id": "dddd", "value": 4}]
    assert not list(match_rows(store, "table.parquet", "id", "e"))
    assert not list(match_rows(store, "table.parquet", "other", "a"))
    assert [row["id"] for row in read_rows(store, "table.parquet", ["id"])] == ["a", "bb", "ccc", "dddd", "eeeee"]
    assert [row["id"] for row in read_rows(store, "table.parquet", ["id"], places=range(1, 4))] == ["bb", "ccc", "dddd"]
    assert list(read_rows(store, "table.parquet", ["id"], ["value", "other"], [4])) == [{"id": "eeeee", "value": 5}]
    with pytest.raises(ConfigError, match="no column other; its columns are id, value"):
        list(read_rows(store, "table.parquet", ["id", "other"]))


class Broken(BytesIO):
    """A stream that fails at a read, as one over a network does."""

    def __init__(self, content: bytes, error: Exception, after: int) -> None:
        super().__init__(content)
        self.error, self.after = error, after

    def read(self, size: int | None = -1, /) -> bytes:
        self.after -= 1
        if self.after < 0:
            raise self.error
        return super().read(size)


READS: dict[str, Callable[[Store], object]] = {
    "whole": lambda store: list(read_rows(store, "table.parquet")),
    "unit": lambda store: list(match_rows(store, "table.parquet", "id", "a", ["id"])),
}
FAILURES = (FSTimeoutError(), TimeoutError("timed out"), ConnectionError("broken"), OSError("reset"), OSError(5, "EIO"))


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("after", [0, 1])
@pytest.mark.parametrize("error", FAILURES, ids=repr)
def test_a_failure_of_the_backend_is_no_damage(
    store: Store, monkeypatch: pytest.MonkeyPatch, error: Exception, after: int, read: str
) -> None:
    write(store, rows("a", "bb"))
    content = store.read("table.parquet")
    monkeypatch.setattr(store._fs, "open", lambda *_: Broken(content, error, after))
    with pytest.raises((StoreError, type(error))) as caught:
        READS[read](store)
    assert not isinstance(caught.value, DamagedObjectError)


@pytest.mark.parametrize("read", READS)
def test_flipped_bytes_are_damage_wherever_they_are(store: Store, read: str) -> None:
    write(store, Rows(pa.table({"id": [f"wörter {number % 7}" for number in range(100)], "value": range(100)}, schema=SCHEMA)))
    content = store.read("table.parquet")
    chance = Random(2)
    damaged = 0
    for _ in range(100):
        flipped = bytearray(content)
        for _ in range(chance.choice((1, 4, 30))):
            flipped[chance.randrange(len(flipped))] = chance.randrange(256)
        with store.writing("table.parquet") as stream:
            stream.write(bytes(flipped))
        try:
            READS[read](store)
        except (DamagedObjectError, ConfigError):  # the name of a column is not that any more
            damaged += 1
    assert damaged > 25


def test_a_command_that_ends_waits_until_no_thread_holds_a_stream_that_it_has_read(store: Store) -> None:
    """A thread of Arrow's that drops a stream while the interpreter ends aborts the process, with another exit status."""
    write(store, *(rows(f"a{number}") for number in range(100)))
    before = [*_handed_out]  # of tests that have failed reads
    assert len([*read_inner_columns(store, "table.parquet", ["id"])]) == 100
    _wait_for_readers()
    assert [*_handed_out] == before
