"""Codecs: how a stage's value becomes bytes in the store, and comes back."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Generic, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import TypeAdapter

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Codec(Generic[Value]):
    """Encodes a stage's value as bytes and decodes it again; `suffix` is the file name's, with its dot."""

    suffix: str
    encode: Callable[[Value], bytes]
    decode: Callable[[bytes], Value]


def json_codec(kind: type[Value], indent: int | None = None, later: Collection[str] = ()) -> Codec[Value]:
    """Return the codec of a dataclass as JSON; `indent` makes it readable. A value that does not fit its types is not encoded.

    `later` are fields that came when artifacts had been made: they are left out where they are empty, so that those stay as
    they are.
    """
    adapter = TypeAdapter(kind)

    def encode(value: Value) -> bytes:
        empty = {name for name in later if not getattr(value, name)}
        content = adapter.dump_json(value, indent=indent, exclude=empty or None, warnings=False)
        adapter.validate_json(content)  # a dataclass takes any value: what does not fit its types would fail where it is read
        return content

    return Codec(".json", encode, adapter.validate_json)


def encode_table(table: pa.Table) -> bytes:
    """Return a table as Parquet bytes; the same table gives the same bytes with the same pyarrow."""
    sink = BytesIO()
    pq.write_table(table, sink, compression="zstd")
    return sink.getvalue()


def decode_table(content: bytes, columns: Sequence[str] | None = None) -> pa.Table:
    """Return the table that `encode_table` wrote, or some of its columns, in its own order."""
    # Not `read_table`: it goes through the dataset layer and its threads, four times the time for a small table.
    return pq.ParquetFile(pa.BufferReader(content)).read(columns=columns, use_threads=False)


TABLE: Codec[pa.Table] = Codec(".parquet", encode_table, decode_table)


def table_codec(schema: pa.Schema) -> Codec[pa.Table]:
    """Return the codec of tables that must have just this schema."""

    def encode(table: pa.Table) -> bytes:
        check_table(table, schema)
        return encode_table(table)

    return Codec(".parquet", encode, decode_table)


def check_table(table: pa.Table, schema: pa.Schema) -> None:
    """Check that a table has a schema, and a value wherever the schema demands one.

    Raises:
        ValueError: it does not; the message names the column, what it has and what was expected.
    """
    if table.column_names != schema.names:
        raise ValueError(f"the columns are {', '.join(table.column_names)}; expected {', '.join(schema.names)}")
    for field, found in zip(schema, table.schema, strict=True):
        if found.type != field.type:
            raise ValueError(f"column {field.name} is {found.type}; expected {field.type}")
        if lacking := next(
            (_find_null(field, chunk) for chunk in table.column(field.name).chunks if _find_null(field, chunk)), ""
        ):
            raise ValueError(f"column {lacking} has rows without a value; expected one in every row")


def _find_null(field: pa.Field, values: pa.Array) -> str:
    """Return the name of the column, or of the part of it, that lacks a value that it must have; "" where nothing is lacking."""
    if not field.nullable and values.null_count:
        return str(field.name)
    if pa.types.is_list(field.type):
        return f"{field.name}: {found}" if (found := _find_null(field.type.value_field, values.flatten())) else ""
    if pa.types.is_struct(field.type):
        parts = zip(field.type, values.flatten(), strict=True)
        return next((f"{field.name}.{found}" for part, array in parts if (found := _find_null(part, array))), "")
    return ""
