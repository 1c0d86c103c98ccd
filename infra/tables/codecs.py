"""Codecs: how a stage's value becomes bytes in the store, and comes back."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import pyarrow as pa
from pydantic import TypeAdapter

from infra.tables.parquet import decode_table, encode_table

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Codec(Generic[Value]):
    """Encodes a stage's value as bytes and decodes it again; `suffix` is the file name's, with its dot."""

    suffix: str
    encode: Callable[[Value], bytes]
    decode: Callable[[bytes], Value]


def json_codec(kind: type[Value], indent: int | None = None) -> Codec[Value]:
    """Return the codec of a dataclass as JSON; `indent` makes it readable."""
    adapter = TypeAdapter(kind)
    return Codec(".json", lambda value: adapter.dump_json(value, indent=indent), adapter.validate_json)


TABLE: Codec[pa.Table] = Codec(".parquet", encode_table, decode_table)
