"""Codecs: how a stage's value becomes bytes in the store, and comes back."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import pyarrow as pa
from pydantic import TypeAdapter

from infra.tables.parquet import check_table, decode_table, encode_table

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Codec(Generic[Value]):
    """Encodes a stage's value as bytes and decodes it again; `suffix` is the file name's, with its dot."""

    suffix: str
    encode: Callable[[Value], bytes]
    decode: Callable[[bytes], Value]


def json_codec(kind: type[Value], indent: int | None = None) -> Codec[Value]:
    """Return the codec of a dataclass as JSON; `indent` makes it readable. A value that does not fit its types is not encoded."""
    adapter = TypeAdapter(kind)

    def encode(value: Value) -> bytes:
        content = adapter.dump_json(value, indent=indent, warnings=False)
        adapter.validate_json(content)  # a dataclass takes any value: what does not fit its types would fail where it is read
        return content

    return Codec(".json", encode, adapter.validate_json)


TABLE: Codec[pa.Table] = Codec(".parquet", encode_table, decode_table)


def table_codec(schema: pa.Schema) -> Codec[pa.Table]:
    """Return the codec of tables that must have just this schema."""

    def encode(table: pa.Table) -> bytes:
        check_table(table, schema)
        return encode_table(table)

    return Codec(".parquet", encode, decode_table)
