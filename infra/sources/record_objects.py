"""The objects that a file of records holds: JSON, JSON Lines, CSV, TSV, Parquet or Arrow by its ending, perhaps as `.gz`."""

import csv
import gzip
import io
import json
from collections.abc import Callable, Iterable
from pathlib import PurePosixPath
from typing import Any

import pyarrow as pa

from core.errors import SourceError
from core.records import FieldNames, is_record
from core.text.decoding import TextLimits, bound_values, count_values, decode_text
from infra.tables.foreign import list_arrow, list_parquet

MOST_BYTES = 256 * 2**20
"""The largest file of records, packed and unpacked: every worker holds all of it in memory."""
EXPECTED = "expected records with a dialogue and a summary; docs/own-data.md shows the forms"


def read_objects(name: str, content: bytes) -> list[Any]:
    """Return the objects of a file, by its ending.

    Raises:
        SourceError: it is larger than `MOST_BYTES`, packed or not, or is not of the form that its ending says.
    """
    reader = _READERS.get(PurePosixPath(name.lower().removesuffix(".gz")).suffix)
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
    return [row for batch in list_parquet(content, MOST_BYTES) for row in batch.to_pylist()]


def _read_arrow(_: str, content: bytes) -> list[Any]:
    return [row for batch in list_arrow(content, MOST_BYTES) for row in batch.to_pylist()]


_READERS: dict[str, Callable[[str, bytes], list[Any]]] = {
    ".json": _read_json,
    ".jsonl": _read_lines,
    ".ndjson": _read_lines,
    ".csv": _read_csv,
    ".tsv": _read_csv,
    ".parquet": _read_parquet,
    ".arrow": _read_arrow,
}
