"""Landing: what came in, copied as it is, under its checksum."""

import errno
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from core.errors import SourceError, StoreError, UnreadableFileError
from core.units import SourceFile
from infra.sources.opening import read_file
from infra.store.objects import Store

MAX_FILE_BYTES = 64 * 2**20
"""No transcript or recap is longer; a file that is gets quarantined before it fills a worker's memory."""


@dataclass(frozen=True, slots=True)
class LandedFile:
    """A source file in the store: `key` names it there, `sha256` is of `content`."""

    file: SourceFile
    key: str
    sha256: str
    content: bytes


def land_file(store: Store, pipeline: str, unit: str, file: SourceFile) -> LandedFile:
    """Copy a file to `landing/<pipeline>/<unit>/<sha256>/<name>` unless it is there, and return its bytes.

    Raises:
        SourceError: the file is larger than any transcript, or two sources have different ones of its path.
        UnreadableFileError: the source does not give this file.
        StoreError: source or store failed.
    """
    if file.size > MAX_FILE_BYTES:
        raise _too_large(file, file.size)
    content = _read(file)
    if len(content) > MAX_FILE_BYTES:
        raise _too_large(file, len(content))
    sha256 = hashlib.sha256(content).hexdigest()
    key = f"landing/{pipeline}/{unit}/{sha256}/{safe_name(file.path)}"
    if not store.exists(key):
        store.write(key, content)
    return LandedFile(file, key, sha256, content)


def _read(file: SourceFile) -> bytes:
    try:
        return read_file(file, MAX_FILE_BYTES)
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


def _too_large(file: SourceFile, size: int) -> SourceError:
    return SourceError(
        f"{file.path}: {size / 2**20:.0f} MiB; expected at most {MAX_FILE_BYTES // 2**20} MiB of text; "
        "divide it into parts (-1, -2, …)"
    )
