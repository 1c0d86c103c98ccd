"""The objects that a file of records holds: JSON, JSON Lines, CSV, TSV, Parquet or Arrow by its ending, perhaps as `.gz`."""

import csv
import gzip
import io
import json
from collections.abc import Callable, Iterable
from pathlib import PurePosixPath
from typing import Any

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
    except (ValueError, TypeError, AttributeError, RecursionError, pa.ArrowException, OSError, csv.Error) as error:
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
    file = parquet.ParquetFile(pa.BufferReader(content))
    groups = [file.metadata.row_group(number) for number in range(file.num_row_groups)]
    chunks = [group.column(number) for group in groups for number in range(group.num_columns)]
    count_values(sum(chunk.num_values for chunk in chunks))
    size = sum(chunk.total_uncompressed_size for chunk in chunks)
    _bound(size)
    rows = max(8, min(1024, MOST_BYTES // max(size, 1)))  # each may repeat the largest value that the file has
    return _list_rows(file.iter_batches(rows, use_threads=False))


def _read_arrow(_: str, content: bytes) -> list[Any]:
    try:
        reader = pa.ipc.open_file(content)
    except pa.ArrowInvalid:
        return _list_rows(pa.ipc.open_stream(content))
    return _list_rows(reader.get_batch(number) for number in range(reader.num_record_batches))


def _list_rows(batches: Iterable[pa.RecordBatch]) -> list[Any]:
    """Return the rows of some batches; a few bytes may stand for many rows, so they are counted while they come."""
    rows: list[Any] = []
    size = values = 0
    for batch in batches:
        size += batch.nbytes
        _bound(size)
        values += sum(map(_measure, batch.columns))
        count_values(values)
        rows += batch.to_pylist()
    return rows


def _bound(size: int) -> None:
    if size > MOST_BYTES:
        raise ValueError(f"more than {MOST_BYTES:,} bytes unpacked; divide it")


def _measure(array: Any) -> int:
    """Return how many values a column has, with those inside them; what stands once for many rows counts for each."""
    if pa.types.is_dictionary(array.type):
        is_short = pa.types.is_primitive(array.type.value_type)
        longest = 0 if is_short else pc.max(pc.binary_length(array.dictionary)).as_py() or 0
        return len(array) * (1 + longest // 64)
    if pa.types.is_map(array.type):
        inside = [array.keys, array.items]
    else:
        inside = array.flatten() if pa.types.is_nested(array.type) else []
    return len(array) + sum(map(_measure, inside if isinstance(inside, list) else [inside]))


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
