"""Records inside files: a file of many small units (JSON Lines, plain, .gz or .zst) is read once, as a stream.

Its lines go to the store in parts, one a shard, so that a worker reads only its own and memory stays bounded whatever the size of
the file. A part is named by its content: where a new version of the file changes one record, one shard is built anew.
"""

import gzip
import hashlib
import io
import logging
import tempfile
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, Any, TypeVar, cast

import zstandard

from core.dataset.takedown import Takedown, WithheldRecord
from core.dataset.units import UNIT_ID, RefusedFile, SourceFile, check_unit_id, name_shard
from core.errors import DamagedArtifactError, FabulaError, SourceError, StoreError
from core.fingerprints import fingerprint
from infra.store.cipher import SUFFIX, CannotOpenError, Cipher, PieceStream
from infra.store.objects import Store
from infra.tables.codecs import Codec, json_codec
from tasks.frame.build import landing_key, run_stage, safe_name
from tasks.frame.model import Discovery, PlanRequest, RecordPart, SizeLimit, Sources, Unit

Answer = TypeVar("Answer")
Content = TypeVar("Content")
Converter = Callable[[bytes | None], list[bytes]]
logger = logging.getLogger(__name__)

STAGE = "records"
VERSION = 3
BUFFER_BYTES = 2**23
"""Text of all shards that waits in memory before it goes to temporary files."""
WINDOW_BYTES = 2**31
"""Largest window of a .zst file: the monthly dumps of forums are compressed with it."""
PIECE_BYTES = 2**10
"""Compressed bytes that are unpacked at once: the most hostile ones become 32 MiB."""
MOST_REFUSED = 1000
"""Bad lines of a file that are quarantined one by one; the rest is counted in one entry."""
RECORD = SizeLimit(16 * 2**20, "a record", "Take the record out of the file, or shorten it")
WHOLE_BYTES = 128 * 2**20
"""The largest file `.json`: it is parsed at once, which takes some ten times its size in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordFiles:
    """Files of records, and how they are divided.

    `name` returns the id of the unit that a line holds, or raises SourceError; it must be a function of a module. `version` is
    raised when `name` changes. `shards` is how many shards the units of all files travel in. `joined`: a unit has several lines,
    perhaps in several files (a post and its comments), else another line of the same id is refused. `open_converter` takes
    the path of a file and returns a function that makes records of each line it is given; None is the end. `before` has by path
    the files whose lines it is given first. `cipher` seals the lines in the store, and keys what is derived from them: for
    records that hold people's names. `withhold` takes a unit's id and a line of it, and takes out of the line what is on the
    takedown list besides the unit itself.
    """

    files: Sequence[SourceFile]
    name: Callable[[bytes], str]
    version: int
    shards: int
    limit: SizeLimit = RECORD
    joined: bool = False
    open_converter: Callable[[str], Converter] = lambda _: _keep_line
    before: Mapping[str, Sequence[SourceFile]] = field(default_factory=dict)
    cipher: Cipher | None = None
    withhold: Callable[[str, bytes, Takedown], WithheldRecord] | None = None


@dataclass(frozen=True, slots=True)
class _Division:
    """A file's records by shard, and the lines that are none; the units that are out, and all ids on the takedown list it had.

    What is taken down never lands: neither a record, nor a comment or a person's words in one.
    """

    parts: dict[str, RecordPart]
    refused: list[RefusedFile]
    taken_down: dict[str, str] = field(default_factory=dict)
    listed: list[str] = field(default_factory=list)


_DIVISION: Codec[_Division] = json_codec(_Division)


def is_record_file(path: str) -> bool:
    """Tell by its name whether a file holds records: `.jsonl`, `.ndjson`, or one of these compressed as `.gz` or `.zst`."""
    return path.lower().removesuffix(".gz").removesuffix(".zst").endswith((".jsonl", ".ndjson"))


def shard_records(request: PlanRequest[Any], pipeline: str, records: RecordFiles) -> Discovery:
    """Divide record files into shards, without what is taken down.

    A file that was divided before is read again if it, or the takedown list, has changed. Takes time and requests in proportion
    to the files that are new or changed, and memory in proportion to the number of ids.
    """
    shards: dict[str, list[RecordPart]] = defaultdict(list)
    refused: list[RefusedFile] = []
    taken_down: dict[str, str] = {}
    listed: dict[str, None] = {}
    for file in records.files:
        try:
            division = _find_division(request, pipeline, file, records)
        except SourceError as error:  # one file that cannot be read does not keep the others out
            refused.append(RefusedFile(file.path, str(error)))
            continue
        refused += division.refused
        taken_down |= division.taken_down
        listed |= dict.fromkeys(division.listed)
        for shard, part in division.parts.items():
            shards[shard].append(part)
    units = [_make_shard(shard, parts, taken_down) for shard, parts in sorted(shards.items())]
    return Discovery(
        listing=records.files,
        units=[unit for unit in units if unit.member_ids],
        refused=refused,
        taken_down={name: (name_shard(name, records.shards), entry) for name, entry in taken_down.items()},
        listed=tuple(listed),
    )


def _make_shard(shard: str, parts: Sequence[RecordPart], taken_down: Collection[str]) -> Unit:
    out = frozenset(name for part in parts for name in part.members if name in taken_down)
    files = tuple(SourceFile(path=part.path, size=part.size, version=part.sha256) for part in parts)
    return Unit(id=shard, files=files, records=tuple(parts), taken_down=out, made_from=" ".join(sorted(out)))


def read_records(store: Store, part: RecordPart, cipher: Cipher | None = None) -> Iterator[tuple[str, bytes]]:
    """Yield the id and the line of every record of a part, one at a time; `cipher` opens a sealed part.

    Raises:
        DamagedArtifactError: the part is missing, damaged, or sealed with another key; the last records may have been yielded by
            then.
    """
    digest = cipher.start_digest() if cipher else hashlib.sha256()
    if not store.exists(part.key):
        raise DamagedArtifactError(part.path, part.key, "missing")
    with store.reading(part.key) as stream, _opened(stream, part.key, cipher) as lines:
        members = iter(part.members)
        while line := _read_line(lines, part):
            digest.update(line)
            if (name := next(members, None)) is not None:
                yield name, line.rstrip(b"\n")
    if digest.hexdigest() != part.sha256:
        raise DamagedArtifactError(part.path, part.key, "damaged")


def read_landed_lines(store: Store, key: str, cipher: Cipher | None = None) -> Iterator[bytes]:
    """Yield the lines of a landed part of record files, for a look at it: nothing is compared with its checksum."""
    with store.reading(key) as stream, _opened(stream, key, cipher) as lines:
        for line in lines:
            yield line.rstrip(b"\n")


def _read_line(lines: IO[bytes], part: RecordPart) -> bytes:
    try:
        return lines.readline()
    except (EOFError, zstandard.ZstdError, CannotOpenError) as error:
        raise DamagedArtifactError(part.path, part.key, "damaged") from error


def _find_division(request: PlanRequest[Any], pipeline: str, file: SourceFile, records: RecordFiles) -> _Division:
    read = [file, *records.before.get(file.path, ())]
    listed = [part for each in read for part in (each.path, str(each.size), each.version, each.source)]
    sealed = [records.cipher.identity] if records.cipher else []
    out = [sorted(request.takedown.identities)] if request.takedown else []
    key = fingerprint(STAGE, VERSION, listed, [records.version, records.shards, records.limit.bytes, *sealed, *out])
    unit = hashlib.sha256(file.path.encode("utf-8", "surrogateescape")).hexdigest()[:32]
    divide = partial(_divide, request, pipeline, file, records)
    found = run_stage(request.store, pipeline, STAGE, unit, key, _DIVISION, divide)
    division = found.load()
    if not found.computed and not all(request.store.exists(part.key) for part in division.parts.values()):
        division = divide()  # `fabula prune` has removed parts that no catalog named
    return division


@dataclass(slots=True)
class _Spool:
    """The lines of one shard on their way to the store: in a temporary file but for the last `room` bytes."""

    path: Path
    room: int
    buffer: bytearray = field(default_factory=bytearray)
    members: list[str] = field(default_factory=list)

    def add(self, name: str, line: bytes) -> None:
        self.members.append(name)
        self.buffer += line
        self.buffer += b"\n"
        if len(self.buffer) >= self.room:
            self.flush()

    def flush(self) -> None:
        with self.path.open("ab") as stream:
            stream.write(self.buffer)
        self.buffer.clear()


def _divide(request: PlanRequest[Any], pipeline: str, file: SourceFile, records: RecordFiles) -> _Division:
    """Read a file once, and put the lines of each shard into the store."""
    refused: list[RefusedFile] = []
    seen: dict[str, bytes] = {}
    taken_down: dict[str, str] = {}
    found: dict[str, None] = {}
    bad, last = 0, ""
    with tempfile.TemporaryDirectory(prefix="fabula-records-") as folder:
        spools: dict[str, _Spool] = {}
        room = BUFFER_BYTES // records.shards
        for number, line in list_records(request.sources, file, records):
            try:
                if isinstance(line, SourceError):
                    raise line
                name, digest = _name_record(line, records), hashlib.sha256(line).digest()[:8]
                kept = _withhold(name, line, records, request.takedown)
                found |= dict.fromkeys(kept.listed)
                if kept.unit:
                    taken_down[name] = kept.listed[0]
                if kept.line is None:
                    continue
                identity = f"{name} {digest.hex()}" if records.joined else name
                repeated = identity in seen
                _refuse_other(name, seen.setdefault(identity, digest), digest)
            except SourceError as error:
                bad, last = bad + 1, f"line {number}: {error}"
                if bad <= MOST_REFUSED:
                    refused.append(RefusedFile(f"{file.path}#{number}", f"{file.path}, {last}"))
                continue
            if repeated:
                continue  # the same record twice
            shard = name_shard(name, records.shards)
            spools.setdefault(shard, _Spool(Path(folder) / shard, room)).add(name, kept.line)
        if bad > MOST_REFUSED:
            more = f"{bad - MOST_REFUSED:,} more lines are no records; correct the file. The last of them, {last}"
            refused.append(RefusedFile(f"{file.path}#more", f"{file.path}: {more}"))
        parts = {
            shard: _land(request.store, pipeline, shard, file, spool, records.cipher) for shard, spool in sorted(spools.items())
        }
    logger.info("%s: %d records in %d shards, %d lines refused", file.path, len(seen), len(parts), bad)
    return _Division(parts, refused, taken_down, [*found])


def _withhold(name: str, line: bytes, records: RecordFiles, takedown: Takedown) -> WithheldRecord:
    """Return a record of a unit without what is taken down."""
    if listed := takedown.find(name):
        return WithheldRecord(None, (listed,), unit=True)
    withhold = records.withhold
    return _judge(records, lambda line: withhold(name, line, takedown), line) if withhold and takedown else WithheldRecord(line)


def _name_record(line: bytes, records: RecordFiles) -> str:
    name = _judge(records, records.name, line)
    if records.cipher and UNIT_ID.fullmatch(name) is None:  # a message with the id would tell a name that it holds
        raise SourceError("its id is no unit id: expected 1 to 100 characters of A-Z, a-z, 0-9, dots, hyphens, underscores")
    return check_unit_id(name)


def _judge(records: RecordFiles, read: Callable[[Content], Answer], content: Content) -> Answer:
    """Read a record or a page; whatever its reader has not foreseen is that record's own fault, and never ends the run."""
    try:
        return read(content)
    except (FabulaError, MemoryError):
        raise
    except Exception as error:
        said = type(error).__name__ if records.cipher else f"{type(error).__name__}: {error}"  # it may quote a name
        raise SourceError(
            f"its reader fails ({said}); expected a record of a known format. Correct it, or report it if it is in order"
        ) from error


def _refuse_other(name: str, first: bytes, digest: bytes) -> None:
    if first != digest:
        raise SourceError(f"another record before it has the id {name}; give this one an id of its own")


def list_records(sources: Sources, file: SourceFile, records: RecordFiles) -> Iterator[tuple[int, bytes | SourceError]]:
    """Yield the records of a file with their numbers from 1, or why one is none."""
    convert = records.open_converter(file.path)
    for each in (*records.before.get(file.path, ()), file):
        for number, line in _list_lines(sources, each, records.limit):
            found = _convert(records, convert, line)
            yield from enumerate(found if each is file else (), start=number)
    yield from enumerate(_convert(records, convert, None), start=1)


def _convert(records: RecordFiles, convert: Converter, line: bytes | SourceError | None) -> Sequence[bytes | SourceError]:
    try:
        found = [line] if isinstance(line, SourceError) else _judge(records, convert, line)
    except SourceError as error:
        return [error]
    limit = records.limit
    return [_refuse_long(limit) if isinstance(each, bytes) and len(each) > limit.bytes else each for each in found]


def _refuse_long(limit: SizeLimit) -> SourceError:
    return SourceError(f"longer than {limit.kind} may be, {limit.bytes / 2**20:,.0f} MiB. {limit.advice}")


def _keep_line(line: bytes | None) -> list[bytes]:
    """Return a line as the record that it is, without the blanks around it."""
    return [kept] if (kept := (line or b"").strip()) else []


def _list_lines(sources: Sources, file: SourceFile, limit: SizeLimit) -> Iterator[tuple[int, bytes | SourceError]]:
    """Yield the lines of a file with their numbers from 1; a file `.json` is one.

    A line above the limit is an error and skipped. Damaged compression is an error and the end: the lines before it count.
    """
    number = 0
    try:
        if file.path.lower().endswith(".json"):
            yield 1, sources.read(file, WHOLE_BYTES)
            return
        with sources.open(file) as stream, _decompressed(stream, file.path) as lines:
            while line := lines.readline(limit.bytes + 2):
                number += 1
                if len(line) > limit.bytes + 1:
                    while line and not line.endswith(b"\n"):  # the rest of it, a piece at a time
                        line = lines.readline(limit.bytes)
                    yield number, _refuse_long(limit)
                else:
                    yield number, line.rstrip(b"\r\n")
    except SourceError as error:
        yield 1, error
    except (EOFError, gzip.BadGzipFile, zipfile.BadZipFile, zlib.error, zstandard.ZstdError) as error:
        yield number + 1, SourceError(f"from here on the compression is damaged ({error}); upload the file again")
    except OSError as error:
        raise StoreError(f"source {file.source}: could not read {file.path}: {error}; check that it is still there") from error


@contextmanager
def _decompressed(stream: IO[bytes], path: str) -> Iterator[IO[bytes]]:
    """Give the lines of a stream that may be compressed, as its name says."""
    if path.lower().endswith(".gz"):
        with gzip.GzipFile(fileobj=stream) as unpacked:
            yield cast(IO[bytes], unpacked)
    elif path.lower().endswith(".zst"):
        with io.BufferedReader(PieceStream(_unpack(stream)), 2**20) as unpacked:
            yield cast(IO[bytes], unpacked)
    else:
        yield stream


def _unpack(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the decompressed bytes of a .zst stream, frame after frame.

    zstandard's own reader takes a file that is cut off for a whole one; this one raises EOFError.
    """
    packed = memoryview(b"")
    frame: zstandard.ZstdDecompressionObj | None = None
    while packed := packed or memoryview(stream.read(2**18)):
        if frame is None:
            frame = zstandard.ZstdDecompressor(max_window_size=WINDOW_BYTES).decompressobj(write_size=2**15)
        piece, packed = packed[:PIECE_BYTES], packed[PIECE_BYTES:]
        if unpacked := frame.decompress(piece):
            yield unpacked
        if frame.eof:
            packed, frame = memoryview(frame.unused_data + bytes(packed)), None
    if frame is not None:
        raise EOFError("it is cut off")


@contextmanager
def _opened(stream: IO[bytes], key: str, cipher: Cipher | None) -> Iterator[IO[bytes]]:
    """Give the lines of a landed part, which may be sealed, as its key says."""
    if key.endswith(SUFFIX) and cipher is not None:
        stream = cipher.open(stream, key)
    with _decompressed(stream, key.removesuffix(SUFFIX)) as lines:
        yield lines


def _land(store: Store, pipeline: str, shard: str, file: SourceFile, spool: _Spool, cipher: Cipher | None) -> RecordPart:
    """Put the lines of one shard into the store, compressed and perhaps sealed, unless they are there."""
    spool.flush()
    with spool.path.open("rb") as lines:
        sha256 = hashlib.file_digest(lines, cipher.start_digest if cipher else "sha256").hexdigest()
    key = landing_key(pipeline, shard, sha256, f"{safe_name(file.path)}.zst{SUFFIX if cipher else ''}")
    if not store.exists(key):
        with spool.path.open("rb") as lines, store.writing(key) as stream:
            packed: Iterable[bytes] = zstandard.ZstdCompressor(write_checksum=True).read_to_iter(lines)
            for block in cipher.seal(packed, key) if cipher else packed:
                stream.write(block)
    size = spool.path.stat().st_size
    spool.path.unlink()
    return RecordPart(path=file.path, key=key, sha256=sha256, size=size, members=tuple(spool.members))
