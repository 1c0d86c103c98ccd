"""Parquet in and out: one part at a time, no empty row groups, one row by its id."""

from io import BytesIO
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.errors import ConfigError
from infra.store.objects import Store
from infra.tables.parquet import Rows, decode_table, encode_table, find_row, optional, read_rows, required, write_tables

SCHEMA = pa.schema([required("id", pa.string()), optional("value", pa.int64())])


def rows(*names: str) -> Rows:
    return Rows(pa.table({"id": names, "value": [len(name) for name in names]}, schema=SCHEMA))


def write(store: Store, *parts: Rows) -> int:
    with store.writing("table.parquet") as stream:
        return write_tables(stream, SCHEMA, parts)


def test_parts_follow_each_other_in_one_file(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    assert write(store, rows("a", "bb"), rows(), rows("ccc")) == 3
    file = pq.ParquetFile(BytesIO(store.read("table.parquet")))
    assert file.schema_arrow == SCHEMA
    assert file.read().column("id").to_pylist() == ["a", "bb", "ccc"]
    assert file.metadata.row_group(0).column(0).compression == "ZSTD"


@pytest.mark.parametrize(("limit", "groups"), [(1, [2, 1, 1]), (40, [3, 1]), (2**20, [4])])
def test_small_parts_share_a_row_group_up_to_its_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: int, groups: list[int]
) -> None:
    monkeypatch.setattr("infra.tables.parquet.GROUP_BYTES", limit)
    store = Store(str(tmp_path))
    write(store, rows("a", "bb"), rows(), rows("ccc"), rows("dddd"))
    file = pq.ParquetFile(BytesIO(store.read("table.parquet")))
    assert [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)] == groups
    assert file.read().column("id").to_pylist() == ["a", "bb", "ccc", "dddd"]


def test_a_table_without_rows_is_a_file_with_the_schema(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    assert write(store) == 0
    assert pq.read_table(BytesIO(store.read("table.parquet"))).schema == SCHEMA


def test_a_row_is_found_in_whichever_group_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infra.tables.parquet.GROUP_BYTES", 1)
    store = Store(str(tmp_path))
    write(store, rows("a", "bb"), rows("ccc", "dddd"))
    assert find_row(store, "table.parquet", "a") == {"id": "a", "value": 1}
    assert find_row(store, "table.parquet", "dddd") == {"id": "dddd", "value": 4}
    assert find_row(store, "table.parquet", "e") is None


def test_the_same_table_gives_the_same_bytes() -> None:
    table = rows("a", "bb").table
    assert encode_table(table) == encode_table(rows("a", "bb").table)
    assert decode_table(encode_table(table)) == table


def test_some_rows_and_columns_are_read_over_the_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infra.tables.parquet.GROUP_BYTES", 1)
    store = Store(str(tmp_path))
    write(store, rows("a", "bb"), rows("ccc"), rows("dddd", "eeeee"))
    assert [row["id"] for row in read_rows(store, "table.parquet", ["id"])] == ["a", "bb", "ccc", "dddd", "eeeee"]
    assert [row["id"] for row in read_rows(store, "table.parquet", ["id"], start=1, stop=4)] == ["bb", "ccc", "dddd"]
    assert list(read_rows(store, "table.parquet", ["id"], ["value", "other"], 4)) == [{"id": "eeeee", "value": 5}]
    with pytest.raises(ConfigError, match="no column other; its columns are id, value"):
        list(read_rows(store, "table.parquet", ["id", "other"]))
