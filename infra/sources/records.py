"""Files of records as sources: each record is a transcript and a recap, as if both lay in a folder as files of their own.

A source is such a file (`samsum.jsonl`, `s3://bucket/meetings.parquet`), or a folder that has such files and none of the folders
that a pipeline knows. Options behind `?` name the fields: `data.csv?dialogue=chat&summary=gist`.
"""

import csv
import gzip
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from dataclasses import fields as dataclass_fields
from hashlib import sha256
from pathlib import PurePosixPath
from typing import IO, Any, Protocol
from urllib.parse import parse_qsl, urlencode

import pyarrow as pa
from pyarrow import parquet

from core.credentials import refuse_credentials
from core.dataset.units import SourceFile, make_unit_id
from core.errors import ConfigError, SourceError, StoreError
from core.records import FieldNames, is_record, read_record, write_gold, write_halves
from core.text.decoding import TextLimits, decode_text
from infra.store.filesystems import backend_errors, explain, open_filesystem, telling

PREFIX = "records+"
"""What the URL of a file of records begins with, inside fabula; a user leaves it out."""
MOST_BYTES = 256 * 2**20
"""The largest file of records, packed and unpacked: every worker holds all of it in memory."""
INSIDE = "!/"
"""Stands between the URL of a folder and the path of a file in it."""
NAMES = tuple(field.name for field in dataclass_fields(FieldNames))
"""The options of a file of records."""
_EXPECTED = "expected records with a dialogue and a summary; docs/own-data.md shows the forms"


class Folder(Protocol):
    """The folder that a file of records lies in."""

    url: str

    def find(self, path: str) -> SourceFile | None:
        """Return one of its files; None where it is not there."""

    def read(self, file: SourceFile, limit: int, /) -> bytes:
        """Return up to `limit` + 1 bytes of one."""


@dataclass(frozen=True, slots=True)
class _Half:
    """A transcript, a recap or gold of a record: its path as a file, and its content."""

    path: str
    content: bytes
    fault: str = ""


def names_records(path: str) -> bool:
    """Tell by its name whether a file may hold records."""
    return _find_reader(path) is not None


def split_options(url: str) -> tuple[str, FieldNames]:
    """Return the URL of a file without its options, and the fields that these name; other options are a ConfigError."""
    refuse_credentials(url, "source")
    place, _, query = url.rpartition("?")
    if not names_records(place):  # the name of another file, with a question mark in it
        return url, FieldNames()
    options = dict(parse_qsl(query, keep_blank_values=True))
    if not options or set(options) - {*NAMES} or not all(options.values()):
        expected = " and ".join(f"{name}=FIELD" for name in NAMES)
        raise ConfigError(f"source {url}: found ?{query}; expected {expected}, those that you need, with & between them")
    return place, FieldNames(**options)


class _WebFile:
    """A file of a web server, which need not list its folder."""

    def __init__(self, url: str) -> None:
        self.url = url.rpartition("/")[0]
        self._fs, self._path = open_filesystem(url)

    def find(self, path: str) -> SourceFile:
        """Return the file; its version is its checksum."""
        content = self._fetch(MOST_BYTES)
        return SourceFile(path, len(content), sha256(content).hexdigest(), self.url)

    def read(self, _: SourceFile, limit: int) -> bytes:
        """Return up to `limit` + 1 bytes."""
        return self._fetch(limit)

    def _fetch(self, limit: int) -> bytes:
        try:
            with telling(f"read {self._path}"), self._fs.open(self._path, "rb") as stream:
                content: bytes = stream.read(limit + 1)
                return content
        except backend_errors(self._fs) as error:
            raise StoreError(f"source {self._path}: {explain(error)}; check the address and the network") from error


class RecordSource:
    """The records of one file, as files of the folders `transcripts`, `recaps` and `gold`."""

    def __init__(self, url: str, open_folder: Callable[[str], Folder]) -> None:
        """Open `FOLDER/FILE?OPTIONS`, or `FOLDER!/PATH` where the folder is a source of its own; nothing is read yet."""
        self._place, self._fields = split_options(url.removeprefix(PREFIX))
        inside = self._place.rpartition(INSIDE)
        folder, _, self._name = inside if inside[0] else self._place.rpartition("/")
        is_web = self._place.startswith(("http://", "https://")) and not inside[0]
        self._folder = _WebFile(self._place) if is_web else open_folder(folder or ("/" if self._place.startswith("/") else "."))
        self.url = f"{PREFIX}{self._place if is_web else self._folder.url + INSIDE + self._name}"
        if query := urlencode({name: value for name in NAMES if (value := getattr(self._fields, name))}):
            self.url += f"?{query}"
        self._halves: dict[str, _Half] = {}
        self._version = ""  # of the file that these are of

    def list_files(self) -> list[SourceFile]:
        """Return the two halves of every record; a record that cannot be read is a transcript with a fault."""
        return self.list_halves(self.find_file())

    def find_file(self) -> SourceFile:
        """Return the file itself; ConfigError where it is not there."""
        file = self._folder.find(self._name)
        if file is None:
            raise ConfigError(f"source {self._place}: no such file; give a folder, a file, or a URL of one")
        return file

    def list_halves(self, file: SourceFile) -> list[SourceFile]:
        """Return the same of the file as its folder lists it."""
        if not self._version or file.version != self._version:
            self._parse(file)
        return [
            SourceFile(
                half.path,
                len(half.content),
                sha256(half.content).hexdigest(),
                self.url,
                origin=f"{self._name}#{PurePosixPath(half.path).stem}",
                fault=half.fault,
                unit=PurePosixPath(half.path).stem,
            )
            for half in self._halves.values()
        ]

    def read(self, file: SourceFile, limit: int) -> bytes:
        """Return up to `limit` + 1 bytes of a half."""
        if file.fault:
            raise SourceError(file.fault)
        content = self._find(file)
        if content is None:  # this process has not read the file, or in another state
            self._parse(SourceFile(self._name, 1, ""))
            content = self._find(file)
        if content is None:
            raise SourceError(f"{self._name}: the record of {file.path} has changed since it was listed; run again")
        return content[: limit + 1]

    def _find(self, file: SourceFile) -> bytes | None:
        half = self._halves.get(file.path)
        return half.content if half is not None and sha256(half.content).hexdigest() == file.version else None

    def _parse(self, file: SourceFile) -> None:
        content = self._folder.read(file, MOST_BYTES)
        self._halves = {half.path: half for half in _list_halves(self._name, content, self._fields)}
        self._version = file.version

    def checksum(self, file: SourceFile) -> str:
        """Return the SHA-256 of a half: its version."""
        return "" if file.fault else file.version

    @contextmanager
    def open(self, file: SourceFile) -> Iterator[IO[bytes]]:
        """Give a half as a stream."""
        yield io.BytesIO(self.read(file, MOST_BYTES))


def _list_halves(name: str, content: bytes, fields: FieldNames) -> Iterator[_Half]:
    """Yield the halves of a file's records; what cannot be read has a fault."""
    stem = PurePosixPath(name).name.partition(".")[0]
    try:
        found, fault = read_objects(name, content), ""
    except SourceError as error:
        found, fault = [], str(error)
    if not any(is_record(each, fields) for each in found):
        first = found[0] if found else None
        shown = ", ".join(map(str, first)) if isinstance(first, dict) else str(first or "no objects")
        fault = fault or f"{name}: found {shown[:200]}; {_EXPECTED}, or name the fields: {name}?dialogue=FIELD&summary=FIELD"
        yield _Half(f"transcripts/{make_unit_id(stem) or 'records'}.json", b"", fault)
        return
    taken: dict[str, int] = {}
    for number, each in enumerate(found, 1):
        unit = make_unit_id(stem if len(found) == 1 else f"{stem}-{number:05}") or f"record-{number:05}"
        try:
            record = read_record(each, fields)
        except (SourceError, RecursionError) as error:
            yield _Half(f"transcripts/{unit}.json", b"", f"{name}, record {number}: {error}")
            continue
        unit = make_unit_id(PurePosixPath(record.name.replace("/", "-")).name.removesuffix(".json")) or unit
        if (before := taken.setdefault(unit.casefold(), number)) != number:
            reason = f"{name}, record {number}: it has the id {unit} of record {before}; give each record an id of its own"
            yield _Half(f"transcripts/{unit}-{number:05}.json", b"", reason)
            continue
        transcript, recap = write_halves(record)
        yield _Half(f"transcripts/{unit}.json", _encode(transcript))
        if recap is not None:
            yield _Half(f"recaps/{unit}.json", _encode(recap))
        if gold := write_gold(record):
            yield _Half(f"gold/{unit}.json", _encode(gold))


def _encode(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


def read_objects(name: str, content: bytes) -> list[Any]:
    """Return the objects of a file, by its ending.

    Raises:
        SourceError: it is larger than `MOST_BYTES`, packed or not, or is not of the form that its ending says.
    """
    reader = _find_reader(name)
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
    except (ValueError, RecursionError, pa.ArrowException, OSError, csv.Error) as error:
        raise SourceError(f"{name}: {type(error).__name__} {error}; {_EXPECTED}") from error


def _decode(name: str, content: bytes) -> str:
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
        return SourceError(f"not valid JSON ({error}); export it again")


def _read_csv(name: str, content: bytes) -> list[Any]:
    csv.field_size_limit(MOST_BYTES)
    delimiter = "\t" if ".tsv" in name.lower() else ","
    rows: Iterable[dict[str, Any]] = csv.DictReader(io.StringIO(_decode(name, content), newline=""), delimiter=delimiter)
    return [{key: _parse_cell(value) for key, value in row.items() if key is not None} for row in rows]


def _parse_cell(value: Any) -> Any:
    """Return the list that a cell holds as JSON, and any other cell as it is."""
    if isinstance(value, str) and value[:2] in ("[{", '["'):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _read_parquet(_: str, content: bytes) -> list[Any]:
    return _list_rows(parquet.ParquetFile(pa.BufferReader(content)).iter_batches(1024, use_threads=False))


def _read_arrow(_: str, content: bytes) -> list[Any]:
    try:
        reader = pa.ipc.open_file(content)
    except pa.ArrowInvalid:
        return _list_rows(pa.ipc.open_stream(content))
    return _list_rows(reader.get_batch(number) for number in range(reader.num_record_batches))


def _list_rows(batches: Iterable[pa.RecordBatch]) -> list[Any]:
    """Return the rows of some batches; a few bytes may stand for many rows, so they are counted while they come."""
    rows: list[Any] = []
    size = 0
    for batch in batches:
        size += batch.nbytes
        if size > MOST_BYTES:
            raise ValueError(f"more than {MOST_BYTES:,} bytes unpacked; divide it")
        rows += batch.to_pylist()
    return rows


_READERS: dict[str, Callable[[str, bytes], list[Any]]] = {
    ".json": _read_json,
    ".jsonl": _read_lines,
    ".ndjson": _read_lines,
    ".csv": _read_csv,
    ".tsv": _read_csv,
    ".parquet": _read_parquet,
    ".arrow": _read_arrow,
}


def _find_reader(name: str) -> Callable[[str, bytes], list[Any]] | None:
    return _READERS.get(PurePosixPath(name.lower().removesuffix(".gz")).suffix)


def expand_records(files: Sequence[SourceFile], open_records: Callable[[str], RecordSource]) -> list[SourceFile]:
    """Return the files of a folder, those that may hold records as the halves of these; hidden files stay what they are."""
    shown: list[SourceFile] = []
    for file in files:
        hidden = any(part.startswith(".") for part in file.path.split("/"))
        if hidden or file.fault or not names_records(file.path):
            shown.append(file)
        else:
            shown += open_records(f"{PREFIX}{file.source}{INSIDE}{file.path}").list_halves(file)
    return shown
