"""Files of records as sources: each record lies there as if it were files of its own, those that the pipeline reads.

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
from functools import lru_cache
from hashlib import sha256
from pathlib import PurePosixPath
from typing import IO, Any, Protocol
from urllib.parse import parse_qsl, urlencode

import pyarrow as pa
from pyarrow import parquet

from core.credentials import refuse_credentials
from core.dataset.units import SourceFile, make_unit_id
from core.errors import ConfigError, SourceError, StoreError
from core.record_files import FORMS, ROWS, RecordForm, encode
from core.records import FieldNames, is_record
from core.text.decoding import TextLimits, decode_text
from infra.store.filesystems import backend_errors, explain, find_version, open_filesystem, telling

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
class _File:
    """A file of a record, such as its transcript or recap: its path, its content, and the record's unit."""

    path: str
    content: bytes
    unit: str
    fault: str = ""


def names_records(path: str) -> bool:
    """Tell by its name whether a file may hold records."""
    return _find_reader(path) is not None


def find_owner(url: str) -> str:
    """Return the place of a file of records without its form, and the URL of any other source as it is."""
    return url.removeprefix(PREFIX).partition("+")[2] if url.startswith(PREFIX) else url


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
    """A file of a web server, which need not list its folder; what was fetched last is kept for all who read it."""

    def __init__(self, url: str) -> None:
        self.url = url.rpartition("/")[0]
        self._fs, self._path = open_filesystem(url)
        self._content, self._version = b"", ""

    def find(self, path: str) -> SourceFile:
        """Return the file; its version is an ETag or a time where the server tells it, else its checksum."""
        with self._asking(f"ask for {self._path}"):
            info = self._fs.info(self._path)
        version, size = find_version(info), int(info.get("size") or 0)
        if not version:
            content = self.read(SourceFile(path, size, ""), MOST_BYTES)
            self._version = version = sha256(content).hexdigest()
            size = len(content)
        return SourceFile(path, size, version, self.url)

    def read(self, file: SourceFile, limit: int) -> bytes:
        """Return up to `limit` + 1 bytes."""
        if not file.version or file.version != self._version:
            with self._asking(f"read {self._path}"), self._fs.open(self._path, "rb") as stream:
                self._content, self._version = stream.read(MOST_BYTES + 1), file.version
        return self._content[: limit + 1]

    @contextmanager
    def _asking(self, what: str) -> Iterator[None]:
        try:
            with telling(what):
                yield
        except backend_errors(self._fs) as error:
            raise StoreError(f"source {self._path}: {explain(error)}; check the address and the network") from error


_open_web_file = lru_cache(maxsize=4)(_WebFile)  # one fetch for all pipelines that look at it


class RecordSource:
    """The records of one file, as files of the form that a pipeline reads (`core.record_files`)."""

    def __init__(self, url: str, open_folder: Callable[[str], Folder]) -> None:
        """Open `FOLDER/FILE?OPTIONS` for the pipeline `transcripts`, or what `locate` returns; nothing is read yet."""
        form, _, place = url.removeprefix(PREFIX).partition("+") if url.startswith(PREFIX) else ("transcripts", "", url)
        self._form = FORMS[form]
        self._place, self._fields = split_options(place)
        inside = self._place.rpartition(INSIDE)
        folder, _, self._name = inside if inside[0] else self._place.rpartition("/")
        is_web = self._place.startswith(("http://", "https://")) and not inside[0]
        folder = folder or ("/" if self._place.startswith("/") else ".")
        self._folder = _open_web_file(self._place) if is_web else open_folder(folder)
        self._place = self._place if is_web else f"{self._folder.url}{INSIDE}{self._name}"
        self.options = urlencode({name: value for name in NAMES if (value := getattr(self._fields, name))})
        self.url = self.locate(form)
        self._files: dict[str, _File] = {}
        self._version = ""  # of the file that these are of

    def locate(self, form: str) -> str:
        """Return the URL of the same records for the pipeline of that name."""
        return f"{PREFIX}{form}+{self._place}{'?' if self.options else ''}{self.options}"

    def find_file(self) -> SourceFile:
        """Return the file itself; ConfigError where it is not there."""
        file = self._folder.find(self._name)
        if file is None:
            raise ConfigError(f"source {self._place}: no such file; give a folder, a file, or a URL of one")
        return file

    def list_files(self) -> list[SourceFile]:
        """Return the files of every record; a record that cannot be read is a file with a fault."""
        return self.list_records(self.find_file())

    def list_records(self, file: SourceFile) -> list[SourceFile]:
        """Return the same of the file as its folder lists it; nothing where it has no records of the form."""
        if not self._version or file.version != self._version:
            self._parse(file)
        return [
            SourceFile(
                each.path,
                len(each.content),
                sha256(each.content).hexdigest(),
                self.url,
                origin=f"{self._name}#{each.unit}",
                fault=each.fault,
                unit=each.unit,
            )
            for each in self._files.values()
        ]

    def read(self, file: SourceFile, limit: int) -> bytes:
        """Return up to `limit` + 1 bytes of a record's file."""
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
        found = self._files.get(file.path)
        return found.content if found is not None and sha256(found.content).hexdigest() == file.version else None

    def _parse(self, file: SourceFile) -> None:
        content = self._folder.read(file, MOST_BYTES)
        self._files = {each.path: each for each in _list_files(self._name, content, self._fields, self._form)}
        self._version = file.version

    def checksum(self, file: SourceFile) -> str:
        """Return the SHA-256 of a record's file: its version."""
        return "" if file.fault else file.version

    @contextmanager
    def open(self, file: SourceFile) -> Iterator[IO[bytes]]:
        """Give a record's file as a stream."""
        yield io.BytesIO(self.read(file, 2 * MOST_BYTES))


def _list_files(name: str, content: bytes, fields: FieldNames, form: RecordForm) -> Iterator[_File]:
    """Yield the files of a file's records; what cannot be read has a fault."""
    path = PurePosixPath(name)
    stem = path.name.partition(".")[0]
    stem = f"{path.parent.name}-{stem}".lstrip("-") if stem.startswith("data-0") else stem  # `datasets` calls them so in every split
    try:
        found, fault = read_objects(name, content), ""
    except SourceError as error:
        found, fault = [], str(error)
    if not any(form.is_record(each, fields) for each in found):
        if form is FORMS["transcripts"]:  # of the others' files many hold no records, and stay what they are
            first = found[0] if found else None
            shown = ", ".join(map(str, first)) if isinstance(first, dict) else str(first or "no objects")
            fault = fault or f"{name}: found {shown[:200]}; {_EXPECTED}, or name the fields: {name}?dialogue=FIELD&summary=FIELD"
            unit = make_unit_id(stem) or "records"
            yield _File(form.fault.format(unit), b"", unit, fault)
        return
    if form.write is None:
        lines = (encode(str(each) if isinstance(each, SourceError) else form.line(each, fields)) for each in found)
        yield _File(f"{name}{ROWS}", b"\n".join(lines), "")
        return
    taken: dict[str, int] = {}
    for number, each in enumerate(found, 1):
        unit = make_unit_id(stem if len(found) == 1 else f"{stem}-{number:05}") or f"record-{number:05}"
        try:
            called, files = form.write(each, fields)
        except (SourceError, RecursionError) as error:
            yield _File(form.fault.format(unit), b"", unit, f"{name}, record {number}: {error}")
            continue
        unit = make_unit_id(PurePosixPath(called.replace("/", "-")).name.removesuffix(".json")) or unit
        if (before := taken.setdefault(unit.casefold(), number)) != number:
            reason = f"{name}, record {number}: it has the id {unit} of record {before}; give each record an id of its own"
            unit = f"{unit}-{number:05}"
            yield _File(form.fault.format(unit), b"", unit, reason)
            continue
        yield from (_File(path.format(unit), text, unit) for path, text in files.items())


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
    delimiter = "\t" if ".tsv" in name.lower() else ","
    rows: Iterable[dict[str, Any]] = csv.DictReader(io.StringIO(_decode(name, content), newline=""), delimiter=delimiter)
    before = csv.field_size_limit(MOST_BYTES)  # of the whole process
    try:
        return [{key: _parse_cell(value) for key, value in row.items() if key is not None} for row in rows]
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


def expand_records(
    files: Sequence[SourceFile], form: str, open_records: Callable[[str], RecordSource], named: RecordSource | None = None
) -> list[SourceFile]:
    """Return the files of a source, those that hold records of a form as the files of these; hidden files stay what they are.

    `named` is the source where it is such a file itself.
    """
    rules = FORMS.get(form)
    if rules is None or any(rules.own.match(file.path) for file in files):
        return [*files]
    shown: list[SourceFile] = []
    for file in files:
        hidden = any(part.startswith(".") for part in file.path.split("/"))
        wanted = names_records(file.path) and file.path.lower().removesuffix(".gz").endswith(rules.endings)
        if hidden or (file.fault and not named) or not (wanted or (named and named.options)):
            shown.append(file)
            continue
        url = named.locate(form) if named else f"{PREFIX}{form}+{file.source}{INSIDE}{file.path}"
        shown += open_records(url).list_records(file) or [file]
    return shown
