"""Landing: what came in, copied as it is, under its checksum."""

import errno
import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from core.dataset.units import SourceFile
from core.errors import SourceError, StoreError, UnreadableFileError
from infra.store.objects import Store
from tasks.frame.ingestion import Sources


@dataclass(frozen=True, slots=True)
class SizeLimit:
    """The most bytes that a file of some kind may have, what such a file is, and what to do with a larger one."""

    bytes: int
    kind: str
    advice: str


@dataclass(frozen=True, slots=True)
class LandedFile:
    """A source file in the store: `key` names it there, `sha256` is of `content`."""

    file: SourceFile
    key: str
    sha256: str
    content: bytes


def land_file(
    store: Store,
    sources: Sources,
    pipeline: str,
    unit: str,
    file: SourceFile,
    limit: SizeLimit,
    cut: Callable[[bytes], bytes] | None = None,
) -> LandedFile:
    """Copy a file to `landing/<pipeline>/<unit>/<sha256>/<name>` unless it is there, and return it with its content.

    With `cut` it is the part of the file that this returns.

    Raises:
        SourceError: the file is larger than `limit`, or two sources have different files of its path.
        UnreadableFileError: the source does not give this file.
        StoreError: source or store failed.
    """
    check_size(file, file.size, limit)
    content = _read(sources, file, limit)
    content = cut(content) if cut is not None else content
    sha256 = hashlib.sha256(content).hexdigest()
    key = landing_key(pipeline, unit, sha256, file.path)
    found = store.read_if_there(key)
    if found is None or found[1] != sha256:
        if found is not None:
            store.tell_damage(key, "its SHA-256 is not that of its name", f"{file.path} is copied again")
        store.write(key, content)
    return LandedFile(file, key, sha256, content)


def landing_key(pipeline: str, unit: str, sha256: str, path: str) -> str:
    """Return the key of a landed file; its name is made safe."""
    return f"landing/{pipeline}/{unit}/{sha256}/{safe_name(path)}"


def check_size(file: SourceFile, size: int, limit: SizeLimit) -> None:
    """Raise SourceError where a file has more bytes than its kind may have; the message says what to do."""
    if size > limit.bytes:
        found, most = f"{size / 2**20:,.0f} MiB", f"{limit.bytes / 2**20:,.0f} MiB"
        raise SourceError(f"{file.path}: {found}; expected {limit.kind} of at most {most}. {limit.advice}")


def _read(sources: Sources, file: SourceFile, limit: SizeLimit) -> bytes:
    try:
        return sources.read(file, limit.bytes)
    except StoreError as error:
        cause = error.__cause__
        circular = isinstance(cause, OSError) and cause.errno == errno.ELOOP
        if circular or isinstance(cause, FileNotFoundError | PermissionError | IsADirectoryError):
            raise UnreadableFileError(str(error)) from error
        raise


def safe_name(path: str) -> str:
    """Return a file's name with everything but ASCII letters, digits, dots, hyphens and underscores replaced by `_`."""
    name = re.sub(r"[^A-Za-z0-9._-]", "_", PurePosixPath(path).name)[-100:]
    return name.lstrip(".") or "_"


def join_checksums(files: Sequence[LandedFile]) -> list[str]:
    """Return what a first stage's fingerprint covers: checksum and type of each file, in order."""
    return [f"{landed.sha256}{PurePosixPath(landed.file.path).suffix.lower()}" for landed in files]
