"""The objects that a file of records holds: JSON, JSON Lines, CSV, TSV, Parquet or Arrow by its ending, perhaps as `.gz`."""

import csv
import gzip
import io
import json
import struct
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import PurePosixPath
from struct import iter_unpack, unpack_from
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from core.errors import SourceError
from core.records import FieldNames, is_record
from core.text.decoding import TextLimits, bound_values, count_values, decode_text

MOST_BYTES = 256 * 2**20
"""The largest file of records, packed and unpacked: every worker holds all of it in memory."""
EXPECTED = "expected records with a dialogue and a summary; docs/own-data.md shows the forms"


def read_objects(name: str, content: bytes) -> list[Any]:
    """Return the objects of a file, by its ending.

    Raises:
        SourceError: it is larger than `MOST_BYTES`, packed or not, or is not of the form that its ending says.
    """
    reader = find_reader(name)
    if reader is None:
        raise SourceError(f"{name}: unknown ending; expected {', '.join(_READERS)}, or one of these and .gz")
    if name.lower().endswith(".gz"):
        try:
            with gzip.open(io.BytesIO(content)) as stream:
                content = stream.read(MOST_BYTES + 1)
        except (OSError, EOFError, ValueError) as error:
            raise SourceError(f"{name}: not a gzip file ({error}); pack it again") from error
    if len(content) > MOST_BYTES:
        raise SourceError(f"{name}: too large; at most {MOST_BYTES:,} bytes of records are read. Divide it")
    try:
        return reader(name, content)
    except (ValueError, TypeError, AttributeError, RecursionError, pa.ArrowException, OSError, csv.Error, struct.error) as error:
        raise SourceError(f"{name}: {explain_fault(error)}; {EXPECTED}") from error


def explain_fault(error: Exception) -> str:
    """Return what is wrong with a record or a file of records."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    known = isinstance(error, SourceError | ValueError | OSError | pa.ArrowException | csv.Error)
    return str(error) if known else f"its reader fails ({error}); correct the record, or report it if it is in order"


def _decode(name: str, content: bytes) -> str:
    bound_values(content, b",{[\n\t" if ".tsv" in name.lower() else b",{[\n")
    return decode_text(name, content, TextLimits(MOST_BYTES, MOST_BYTES))


def _read_json(name: str, content: bytes) -> list[Any]:
    found = json.loads(_decode(name, content))
    if isinstance(found, dict) and not is_record(found, FieldNames()):
        inner = {key: value for key, value in found.items() if isinstance(value, dict)}
        if inner and not any(isinstance(value, list) for value in found.values()):  # MultiWOZ: records by their ids
            return [{"id": key} | value for key, value in inner.items()]
    return found if isinstance(found, list) else [found]


def _read_lines(name: str, content: bytes) -> list[Any]:
    return [_parse_line(line) for line in _decode(name, content).split("\n") if line.strip()]


def _parse_line(line: str) -> Any:
    """Return the value of a line, or the error with which this record alone is refused."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        return SourceError(f"not valid JSON ({explain_fault(error)}); export it again")


def _read_csv(name: str, content: bytes) -> list[Any]:
    delimiter = "\t" if ".tsv" in name.lower() else ","
    rows: Iterable[dict[str, Any]] = csv.DictReader(io.StringIO(_decode(name, content), newline=""), delimiter=delimiter)
    before = csv.field_size_limit(MOST_BYTES)  # of the whole process
    try:
        found: list[Any] = []
        for row in rows:  # a row may have fewer cells than the heading, and is filled up
            count_values((len(found) + 1) * len(row))
            found.append({key: _parse_cell(value) for key, value in row.items() if key is not None})
        return found
    finally:
        csv.field_size_limit(before)


def _parse_cell(value: Any) -> Any:
    """Return the list that a cell holds as JSON, and any other cell as it is.

    Raises:
        ValueError: the cell is a list as Python prints it; NumPy's has no commas, so that nothing can read it for sure.
    """
    if isinstance(value, str) and value.startswith(("[{'", "['")) and value.rstrip()[-1:] == "]":
        raise ValueError(f"a cell has a list as Python prints it ({value[:20]}…); write the table as JSON Lines or Parquet")
    if isinstance(value, str) and value[:2] in ("[{", '["'):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _read_parquet(_: str, content: bytes) -> list[Any]:
    plain = parquet.ParquetFile(pa.BufferReader(content))
    columns = [plain.schema.column(number) for number in range(len(plain.schema))]
    texts = [column.path for column in columns if column.physical_type == "BYTE_ARRAY"]
    file = parquet.ParquetFile(pa.BufferReader(content), read_dictionary=texts)  # a text that many rows repeat is read once
    groups = [file.metadata.row_group(number) for number in range(file.num_row_groups)]
    chunks = [group.column(number) for group in groups for number in range(group.num_columns)]
    count_values(sum(chunk.num_values for chunk in chunks))
    _bound(sum(chunk.total_uncompressed_size for chunk in chunks))
    tables = (file.read_row_group(number, use_threads=False) for number in range(file.num_row_groups))
    return _list_rows((batch for table in tables for batch in table.to_batches()), plain.schema_arrow)


_FILE_MAGIC = b"ARROW1\0\0"


def _read_arrow(_: str, content: bytes) -> list[Any]:
    """Read a stream of Arrow, or a file, which is a stream with a table of contents behind it."""
    stream = pa.py_buffer(content)
    stream = stream.slice(len(_FILE_MAGIC)) if content.startswith(_FILE_MAGIC) else stream
    messages = pa.ipc.MessageReader.open_stream(pa.BufferReader(stream))
    with suppress(StopIteration):
        while True:
            message = messages.read_next_message()
            _bound(sum(_list_unpacked_sizes(message.metadata.to_pybytes(), message.body)))
    return _list_rows(pa.ipc.open_stream(stream))


def _list_unpacked_sizes(metadata: bytes, body: pa.Buffer | None) -> Iterator[int]:
    """Yield the size to which each packed buffer of a message of Arrow says that it unpacks: so much is reserved for it.

    A message is a FlatBuffer, which pyarrow does not show. Its header is the third field. A header is a batch, or has one as its
    second field. A batch has its buffers in the third field and how they are packed in the fourth.
    """
    (table,) = unpack_from("<I", metadata)
    (kind,) = unpack_from("<B", metadata, field) if (field := _find_part(metadata, table, 1)) else (0,)
    batch = _follow(metadata, table, 2)
    batch = _follow(metadata, batch, 1) if kind == _DICTIONARY else batch
    if kind not in (_DICTIONARY, _BATCH) or body is None or not _find_part(metadata, batch, 3):
        return
    buffers = _follow(metadata, batch, 2)
    (count,) = unpack_from("<I", metadata, buffers)
    for offset, length in iter_unpack("<qq", metadata[buffers + 4 : buffers + 4 + 16 * count]):
        if length >= 8:
            yield max(0, *unpack_from("<q", body.slice(offset, 8)))


_DICTIONARY, _BATCH = 2, 3  # kinds of messages


def _find_part(metadata: bytes, table: int, number: int) -> int:
    """Return where a field of a table of a FlatBuffer lies; 0 where it has none."""
    (back,) = unpack_from("<i", metadata, table)
    (size,) = unpack_from("<H", metadata, table - back)
    place = 4 + 2 * number
    (inside,) = unpack_from("<H", metadata, table - back + place) if place < size else (0,)
    return table + int(inside) if inside else 0


def _follow(metadata: bytes, table: int, number: int) -> int:
    """Return where the table or list begins to which a field leads."""
    field = _find_part(metadata, table, number)
    return field + int(unpack_from("<I", metadata, field)[0])


def _list_rows(batches: Iterable[pa.RecordBatch], schema: pa.Schema | None = None) -> list[Any]:
    """Return the rows of some batches; a few bytes may stand for many rows, so they are counted before they are unpacked."""
    rows: list[Any] = []
    size = values = 0
    for batch in batches:
        batch.validate(full=True)  # lengths and offsets may be false
        for array in batch.columns:
            more, weight = _measure(array)
            values, size = values + more, size + weight
        count_values(values)
        _bound(size)
        rows += _unpack(batch, schema)
    return rows


def _unpack(batch: pa.RecordBatch, schema: pa.Schema | None) -> list[Any]:
    with suppress(pa.ArrowNotImplementedError):  # what cannot be cast is unpacked value by value
        batch = batch.cast(schema) if schema else batch
    return list(batch.to_pylist())


def _bound(size: int) -> None:
    if size > MOST_BYTES:
        raise ValueError(f"more than {MOST_BYTES:,} bytes unpacked; divide it")


def _measure(array: Any) -> tuple[int, int]:
    """Return how many values a column has, with those inside them, and their bytes; what many rows share counts for each."""
    if pa.types.is_dictionary(array.type):
        if pa.types.is_primitive(array.type.value_type):
            return len(array), len(array) * 8
        lengths = pc.binary_length(array.dictionary).take(array.indices)
        weight = pc.sum(lengths.cast(pa.int64())).as_py() or 0
        return len(array) + weight // 64, weight
    if pa.types.is_map(array.type):
        inside = [array.keys, array.items]
    elif pa.types.is_nested(array.type):
        if pa.types.is_list_view(array.type) or pa.types.is_large_list_view(array.type):
            count_values(pc.sum(pc.list_value_length(array).cast(pa.int64())).as_py() or 0)  # one list may stand for many
        found = array.flatten()
        inside = found if isinstance(found, list) else [found]
    elif pa.types.is_string_view(array.type) or pa.types.is_binary_view(array.type):
        views = np.frombuffer(array.buffers()[1], np.int32)[4 * array.offset : 4 * (array.offset + len(array)) : 4]
        return len(array), int(np.maximum(views, 0).sum(dtype=np.int64))
    else:
        return len(array), array.nbytes
    parts = [_measure(each) for each in inside]
    return len(array) + sum(values for values, _ in parts), sum(weight for _, weight in parts)


_READERS: dict[str, Callable[[str, bytes], list[Any]]] = {
    ".json": _read_json,
    ".jsonl": _read_lines,
    ".ndjson": _read_lines,
    ".csv": _read_csv,
    ".tsv": _read_csv,
    ".parquet": _read_parquet,
    ".arrow": _read_arrow,
}


def find_reader(name: str) -> Callable[[str, bytes], list[Any]] | None:
    """Return what reads a file of that name; None where it holds no records."""
    return _READERS.get(PurePosixPath(name.lower().removesuffix(".gz")).suffix)
