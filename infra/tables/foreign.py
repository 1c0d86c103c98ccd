"""Tables that come from elsewhere, Parquet or Arrow: a few bytes may stand for many rows, and lengths in them may be false.

What a table unpacks to is known before it is unpacked: texts of Parquet are read as dictionaries, and each message of Arrow says
how much it needs.
"""

import struct
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from struct import iter_unpack, unpack_from
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from core.text.decoding import count_values


def list_parquet(content: bytes, most: int, names: Collection[str] = ()) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a Parquet file, of all columns or of those of some names.

    Raises:
        ValueError: they unpack to more than `most` bytes, or to more values than a file may have.
        pa.ArrowException: it is damaged.
    """
    plain = parquet.ParquetFile(pa.BufferReader(content))
    columns = [plain.schema.column(number) for number in range(len(plain.schema))]
    texts = [column.path for column in columns if column.physical_type == "BYTE_ARRAY"]
    file = parquet.ParquetFile(pa.BufferReader(content), read_dictionary=texts)  # a text that many rows repeat is read once
    groups = [file.metadata.row_group(number) for number in range(file.num_row_groups)]
    chunks = [group.column(number) for group in groups for number in range(group.num_columns)]
    chunks = [chunk for chunk in chunks if not names or chunk.path_in_schema.partition(".")[0] in names]
    count_values(sum(chunk.num_values for chunk in chunks))
    _bound(sum(chunk.total_uncompressed_size for chunk in chunks), most)
    schema = pa.schema([field for field in plain.schema_arrow if not names or field.name in names])
    add = _start_count(most)
    for number in range(file.num_row_groups):
        for batch in file.read_row_group(number, columns=[*names] or None, use_threads=False).to_batches():
            add(batch)
            yield _unpack(batch.select(schema.names), schema)


def _unpack(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    with suppress(pa.ArrowNotImplementedError):  # what cannot be cast stays a dictionary
        return batch.cast(schema)
    return batch


_FILE_MAGIC = b"ARROW1\0\0"


def list_arrow(content: bytes, most: int) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a stream of Arrow, or of a file, which is a stream with a table of contents behind it.

    Raises:
        ValueError: they unpack to more than `most` bytes, or to more values than a file may have, or the file is damaged.
        pa.ArrowException: it is damaged.
    """
    stream = pa.py_buffer(content)
    stream = stream.slice(len(_FILE_MAGIC)) if content.startswith(_FILE_MAGIC) else stream
    messages = pa.ipc.MessageReader.open_stream(pa.BufferReader(stream))
    try:
        for message in messages:
            _bound(sum(_list_unpacked_sizes(message.metadata.to_pybytes(), message.body)), most)
    except struct.error as error:
        raise ValueError(f"a damaged message of Arrow ({error})") from error
    add = _start_count(most)
    for batch in pa.ipc.open_stream(stream):
        batch.validate()  # lengths may be false; a look at every offset takes time for every byte
        add(batch)
        batch.validate(full=True)
        yield batch


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


def _start_count(most: int) -> Callable[[pa.RecordBatch], None]:
    """Return what takes the batches of a file, one after the other, and raises ValueError once they hold too much."""
    size = values = 0

    def add(batch: pa.RecordBatch) -> None:
        nonlocal size, values
        for array in batch.columns:
            more, weight = _measure(array)
            values, size = values + more, size + weight
        count_values(values)
        _bound(size, most)

    return add


def _bound(size: int, most: int) -> None:
    if size > most:
        raise ValueError(f"more than {most:,} bytes unpacked; divide it")


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
