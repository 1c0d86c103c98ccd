"""Files of records as sources: each record lies there as if it were files of its own, those that the pipeline reads.

A source is such a file (`samsum.jsonl`, `s3://bucket/meetings.parquet`), or a folder that has such files and none of the folders
that a pipeline knows. Options behind `?` name the fields: `data.csv?dialogue=chat&summary=gist`.
"""

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from dataclasses import fields as dataclass_fields
from functools import lru_cache
from hashlib import sha256
from pathlib import PurePosixPath
from typing import IO, Any, cast
from urllib.parse import parse_qsl, urlencode

from core.credentials import refuse_credentials
from core.dataset.units import SourceFile, make_unit_id
from core.errors import ConfigError, SourceError, StoreError
from core.record_files import FORMS, ROWS, RecordForm, encode
from core.records import FieldNames
from infra.sources.folder import FolderSource, open_folder
from infra.sources.opening import RECORDS, names_records, open_source
from infra.sources.record_objects import EXPECTED, MOST_BYTES, explain_fault, read_objects
from infra.sources.web import read_bytes
from infra.store.filesystems import backend_errors, explain, find_version, open_filesystem, telling

INSIDE = "!/"
"""Stands between the URL of a folder and the path of a file in it."""
NAMES = tuple(field.name for field in dataclass_fields(FieldNames))
"""The options of a file of records."""


@dataclass(frozen=True, slots=True)
class _File:
    """A file of a record, such as its transcript or recap: its path, its content, and the record's unit."""

    path: str
    content: bytes
    unit: str
    fault: str = ""


def find_owner(url: str) -> str:
    """Return the place of a file of records without its form, and the URL of any other source as it is."""
    return url.removeprefix(RECORDS).partition("+")[2] if url.startswith(RECORDS) else url


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
                self._content, self._version = read_bytes(stream, MOST_BYTES + 1), file.version
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

    def __init__(self, url: str) -> None:
        """Open `FOLDER/FILE?OPTIONS` for the pipeline `transcripts`, or what `locate` returns; nothing is read yet."""
        form, _, place = url.removeprefix(RECORDS).partition("+") if url.startswith(RECORDS) else ("transcripts", "", url)
        if form not in FORMS or not names_records(split_options(place)[0]):
            raise ConfigError(f"source {url}: expected the name of a file of records, such as chats.jsonl, without {RECORDS}")
        self._form = FORMS[form]
        self._place, self._fields = split_options(place)
        inside = self._place.rpartition(INSIDE)
        folder, _, self._name = inside if inside[0] else self._place.rpartition("/")
        is_web = self._place.startswith(("http://", "https://")) and not inside[0]
        folder = folder or ("/" if self._place.startswith("/") else ".")
        self._folder: FolderSource | _WebFile = _open_web_file(self._place) if is_web else open_folder(folder)
        self._place = self._place if is_web else f"{self._folder.url}{INSIDE}{self._name}"
        self.options = urlencode({name: value for name in NAMES if (value := getattr(self._fields, name))})
        self.url = self.locate(form)
        self._files: dict[str, _File] = {}
        self._version = ""  # of the file that these are of

    def locate(self, form: str) -> str:
        """Return the URL of the same records for the pipeline of that name."""
        return f"{RECORDS}{form}+{self._place}{'?' if self.options else ''}{self.options}"

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
        """Return what `list_files` does, for the file as its folder lists it; nothing where it has no records of the form."""
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
    stem = (
        f"{path.parent.name}-{stem}".lstrip("-") if stem.startswith("data-0") else stem
    )  # `datasets` calls them so in every split
    try:
        found, fault = read_objects(name, content), ""
    except SourceError as error:
        found, fault = [], str(error)
    if not any(form.is_record(each, fields) for each in found):
        if form is FORMS["transcripts"]:  # of the others' files many hold no records, and stay what they are
            first = found[0] if found else None
            shown = ", ".join(map(str, first)) if isinstance(first, dict) else str(first or "no objects")
            fault = fault or f"{name}: found {shown[:200]}; {EXPECTED}, or name the fields: {name}?dialogue=FIELD&summary=FIELD"
            unit = make_unit_id(stem) or "records"
            yield _File(form.fault.format(unit), b"", unit, fault)
        return
    if form.write is None:
        yield _File(f"{name}{ROWS}", b"\n".join(_write_line(each, fields, form) for each in found), "")
        return
    taken: dict[str, int] = {}
    for number, each in enumerate(found, 1):
        unit = make_unit_id(stem if len(found) == 1 else f"{stem}-{number:05}") or f"record-{number:05}"
        try:
            called, files = form.write(each, fields)
        except MemoryError:
            raise
        except Exception as error:  # whatever the form has not foreseen is this record's own fault
            yield _File(form.fault.format(unit), b"", unit, f"{name}, record {number}: {explain_fault(error)}")
            continue
        unit = make_unit_id(PurePosixPath(called.replace("/", "-")).name.removesuffix(".json")) or unit
        if (before := taken.setdefault(unit.casefold(), number)) != number:
            reason = f"{name}, record {number}: it has the id {unit} of record {before}; give each record an id of its own"
            unit = f"{unit}-{number:05}"
            yield _File(form.fault.format(unit), b"", unit, reason)
            continue
        yield from (_File(path.format(unit), text, unit) for path, text in files.items())


def _write_line(found: Any, fields: FieldNames, form: RecordForm) -> bytes:
    """Return a record as a line of JSON; of one that cannot be read, the reason."""
    try:
        return encode(str(found) if isinstance(found, SourceError) else form.line(found, fields))
    except (RecursionError, ValueError, TypeError) as error:
        return encode(explain_fault(error))


def expand_records(files: Sequence[SourceFile], form: str, named: RecordSource | None) -> list[SourceFile]:
    """Return a source's files, each file of records of a form replaced by its records' files; hidden files stay as they are.

    `named` is the source where it is such a file itself. A file that may be of the own layout too is one of records where one of
    them has more than a transcript.
    """
    rules = FORMS.get(form)
    own = [file.path for file in files if rules is None or rules.own.match(file.path)]
    if rules is None or not all(rules.either.match(path) for path in own):
        return [*files]
    shown: list[SourceFile] = []
    for file in files:
        hidden = any(part.startswith(".") for part in file.path.split("/"))
        wanted = names_records(file.path) and file.path.lower().removesuffix(".gz").endswith(rules.endings)
        if hidden or (own and file.path not in own) or (file.fault and not named) or not (wanted or (named and named.options)):
            shown.append(file)
            continue
        url = named.locate(form) if named else f"{RECORDS}{form}+{file.source}{INSIDE}{file.name or file.path}"
        found = cast(RecordSource, open_source(url)).list_records(file)
        halves = {each.path.partition("/")[0] for each in found}
        shown += found if found and (not own or len(halves) > 1) else [file]
    return shown
