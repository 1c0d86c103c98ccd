"""Codecs: a value goes to bytes and comes back, and what is no such value is refused."""

from dataclasses import dataclass

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.tables.codecs import TABLE, json_codec


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    numbers: tuple[int, ...]
    score: float | None = None


ROW = json_codec(Row)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
ROWS = st.builds(
    Row, TEXTS, st.lists(st.integers(), max_size=3).map(tuple), st.none() | st.floats(allow_nan=False, allow_infinity=False)
)


@given(ROWS)
def test_a_dataclass_comes_back(row: Row) -> None:
    assert ROW.decode(ROW.encode(row)) == row


def test_json_may_be_made_for_reading() -> None:
    readable = json_codec(Row, indent=1)
    assert readable.suffix == ROW.suffix == ".json"
    assert readable.encode(Row("a", (1,))).count(b"\n") > ROW.encode(Row("a", (1,))).count(b"\n") == 0


def test_a_later_field_is_left_out_where_it_is_empty() -> None:
    codec = json_codec(Row, later=("score",))
    assert codec.encode(Row("a", (1,))) == b'{"name":"a","numbers":[1]}'
    assert codec.decode(codec.encode(Row("a", (1,)))) == Row("a", (1,))
    assert codec.encode(Row("a", (1,), 0.5)) == ROW.encode(Row("a", (1,), 0.5))


@pytest.mark.parametrize("content", [b"", b"[]", b'{"name": "a"}', b'{"name": 1, "numbers": []}', b'{"name": "a", "numbers": [1'])
def test_what_is_no_such_value_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match="validation error"):
        ROW.decode(content)


def test_a_table_comes_back_with_its_schema_and_the_same_bytes_each_time() -> None:
    schema = pa.schema([pa.field("id", pa.string(), nullable=False), pa.field("year", pa.int32())])
    table = pa.Table.from_pylist([{"id": "a", "year": 1999}, {"id": "b", "year": None}], schema=schema)
    assert TABLE.suffix == ".parquet"
    assert TABLE.decode(TABLE.encode(table)).equals(table)
    assert TABLE.decode(TABLE.encode(table)).schema == schema
    assert TABLE.encode(table) == TABLE.encode(table)
    assert TABLE.decode(TABLE.encode(schema.empty_table())).schema == schema


@pytest.mark.parametrize("cut", [0, 1, -1])
def test_half_a_table_is_refused(cut: int) -> None:
    content = TABLE.encode(pa.table({"id": ["a"]}))
    with pytest.raises(pa.ArrowInvalid):
        TABLE.decode(content[:cut])
