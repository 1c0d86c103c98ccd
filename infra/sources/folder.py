"""Reads folders: on a disk, in a bucket, in a web server's directory listing, in a repository or in an archive."""

import hashlib
import io
import re
import stat
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import IO, Any, cast
from urllib.parse import unquote, urljoin

from fsspec import AbstractFileSystem
from fsspec.implementations.local import LocalFileSystem
from fsspec.implementations.zip import ZipFileSystem

from core.credentials import refuse_credentials
from core.dataset.units import SourceFile
from core.errors import ConfigError, SourceError, StoreError
from infra.sources.local_folder import find_fault, list_local
from infra.sources.web import Robots, list_below, read_bytes, read_robots
from infra.store.filesystems import backend_errors, bound_wait, explain, find_version, open_filesystem, telling

PIECE_BYTES = 2**20  # how much of a stream from a server is asked for at once
_DAMAGED = (zipfile.BadZipFile, zlib.error)
"""Errors of a zip member that is damaged; encrypted ones and unknown methods of compression are refused before that."""

LINKS = "links+"  # what a URL begins with (`links+file:///data/my-show`) whose links are followed wherever they lead
CONNECTIONS = 8  # parallel requests to a web server whose listing gives only the names of the files
_COMPRESSIONS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
"""Compression methods that are unpacked. With others, zipfile may expand a few bytes to gigabytes in a single read."""

_ENCRYPTED = 0x1 | 0x40  # bits of a zip member's flags: encrypted, and strongly so
_PATCH = 0x20  # bit of a zip member's flags: it holds changes to another file, which zipfile cannot apply
_LEAVING = re.compile(r"^[/\\]|^[A-Za-z]:|\\|\0|(?:^|/)\.\.(?:/|$)")
"""What no name within a folder has: a root or a drive before it, a backslash, NUL, a part that goes up."""


class FolderSource:
    """The files under one folder or fsspec URL; a `.zip` file counts as the folder inside it.

    Links out of a folder of this machine are refused, unless its URL begins with `links+file://`: whoever can write there could
    have any file of the machine published.
    """

    def __init__(self, url: str) -> None:
        refuse_credentials(url, "source")
        self._follows = url.startswith(LINKS)
        if self._follows and not url.startswith(f"{LINKS}file://"):
            raise ConfigError(f"source {url}: {LINKS} is for folders of this machine; expected {LINKS}file:///FOLDER")
        self._url = _open_archive(url.removeprefix(LINKS))
        self._open(url)
        # Absolute, because workers run in another folder.
        self.url = self._root if isinstance(self._fs, LocalFileSystem) else self._url
        self.url = f"{LINKS}file://{self.url}" if self._follows else self.url
        self._errors = _list_errors(self._fs)
        self._robots = read_robots(urljoin(self._root, "/").rstrip("/")) if self._is_web() else Robots("", "")
        if self._is_web() and not self._robots.allows(f"{self._root}/"):
            raise ConfigError(f"source {url}: the server's robots.txt forbids to read it; ask its operator for a copy")
        found = "no such folder"
        try:
            if self._is_web():
                self._fs.ls(self._root)
                return
            if self._fs.isdir(self._root):
                return
            if self._fs.isfile(self._root):
                found = "is a file"
        except FileNotFoundError:
            pass
        except self._errors as error:
            raise self._unreachable(error) from error
        raise ConfigError(f"source {url}: {found}; give a folder, or a URL of one")

    def list_files(self) -> list[SourceFile]:
        """Return every file under the source, by path, with its size and version.

        The version is an ETag, an object's hash, a checksum or a time, whichever the backend reports. If a web server reports
        none, the files are read and their checksums are taken.
        """
        if isinstance(self._fs, ZipFileSystem):
            self._open(self._url)  # reopened, because an archive is listed as it was when it was opened
        self._fs.invalidate_cache()
        try:
            if isinstance(self._fs, LocalFileSystem):
                listed = list_local(self._root or "/", self._follows)
                return sorted((replace(file, source=self.url) for file in listed), key=lambda file: file.path)
            if self._is_web():
                found = self._ask_each(list_below(self._fs, self._root, self._robots))
            else:
                is_strict = any(name in self._fs.protocol for name in ("s3", "hf"))  # they know no `on_error`
                strict = {} if is_strict else {"on_error": "raise"}
                with telling(f"list {self.url}"):
                    found = self._fs.find(self._root, detail=True, **strict, **bound_wait(self._fs))
        except self._errors as error:
            raise self._unreachable(error) from error
        return sorted((self._describe(name, info) for name, info in found.items()), key=lambda file: file.path)

    def find(self, path: str) -> SourceFile | None:
        """Return one file, without a listing of the others; None where it is not there."""
        place = f"{self._root}/{path}" if self._root else path
        try:
            if not isinstance(self._fs, LocalFileSystem):
                return self._describe(place, self._fs.info(place))
            info, root = Path(place).stat(), None if self._follows else self._root or "/"
            return SourceFile(path, info.st_size, str(info.st_mtime), self.url, fault=find_fault(path, place, root))
        except FileNotFoundError:
            return None
        except self._errors as error:
            raise self._unreachable(error) from error

    def checksum(self, file: SourceFile) -> str:
        """Return the SHA-256 of a file, or "" if it cannot be read."""
        unreadable: tuple[type[Exception], ...] = (*self._errors, ValueError, SourceError, StoreError)
        try:
            with self.open(file) as stream:
                return hashlib.file_digest(cast(Any, stream), "sha256").hexdigest()
        except unreadable:
            return ""

    def read(self, file: SourceFile, limit: int) -> bytes:
        """Return up to `limit` + 1 bytes of a file; the extra byte shows that the file exceeds the limit."""
        name = self._locate(file)
        try:
            if isinstance(self._fs, ZipFileSystem) and not file.fault and find_version(self._fs.info(name)) != file.version:
                self._open(self._url)  # the archive was replaced after this process opened it
            self._check(file)
            self._robots.wait()
            with telling(f"read {self.url}/{file.path}"):
                if "s3" in self._fs.protocol and file.size:
                    return cast(bytes, self._fs.cat_file(name, start=0, end=limit + 1, **bound_wait(self._fs)))
                with self._fs.open(name, "rb") as stream:
                    return read_bytes(stream, limit + 1)
        except self._errors as error:
            raise self._unreadable(file, error) from error

    @contextmanager
    def open(self, file: SourceFile) -> Iterator[IO[bytes]]:
        """Give a file as a stream; what fails while it is read is a StoreError, of a folder of this machine an OSError."""
        what = f"read {self.url}/{file.path}"
        try:
            self._check(file)
            self._robots.wait()
            with telling(what):
                stream = self._fs.open(self._locate(file), "rb")
        except self._errors as error:
            raise self._unreadable(file, error) from error
        with stream:
            if isinstance(self._fs, LocalFileSystem):
                yield cast(IO[bytes], stream)
                return
            waits = tuple(kind for kind in self._errors if kind not in _DAMAGED)  # damage is for the reader to judge
            watched = _WatchedStream(stream, what, waits, partial(self._unreadable, file))
            yield cast(IO[bytes], io.BufferedReader(watched, PIECE_BYTES))

    def _open(self, url: str) -> None:
        place = self._url.rpartition("::")[2].removeprefix("file://")
        if "::" in self._url and Path(place).exists() and (fault := find_fault(url, place)):
            raise ConfigError(f"source {fault}")
        try:
            self._fs, root = open_filesystem(self._url)
        except FileNotFoundError as error:
            raise ConfigError(f"source {url}: no such archive; give a folder, a .zip file, or a URL of one") from error
        except zipfile.BadZipFile as error:
            raise ConfigError(f"source {url}: {error}; expected a zip archive; upload it again") from error
        except (ImportError, ValueError) as error:
            raise ConfigError(f"source {url}: {error}; expected a folder or an fsspec URL") from error
        except OSError as error:
            raise StoreError(f"source {url}: {error}; check the address and the network") from error
        self._root = root.rstrip("/")
        self._zip_faults = _find_zip_faults(self._fs.zip) if isinstance(self._fs, ZipFileSystem) else {}

    def _check(self, file: SourceFile) -> None:
        """Raise SourceError where a file must not be opened."""
        fault = file.fault
        if isinstance(self._fs, LocalFileSystem):
            fault = fault or find_fault(file.path, self._locate(file), None if self._follows else self._root or "/")
        if fault:
            raise SourceError(fault)
        if isinstance(self._fs, ZipFileSystem):
            method = self._fs.info(self._locate(file)).get("compress_type")
            if method not in _COMPRESSIONS:
                raise SourceError(f"{file.path}: packed by method {method}; expected deflate (8) or none (0): pack it again")

    def _is_web(self) -> bool:
        return "http" in self._fs.protocol

    def _locate(self, file: SourceFile) -> str:
        name = file.name or file.path
        return f"{self._root}/{name}" if self._root else name

    def _describe(self, name: str, info: dict[str, Any]) -> SourceFile:
        below = name[len(self._root) + 1 :] if self._root else name
        path = unquote(below) if self._is_web() else below
        version, fault = find_version(info), self._zip_faults.get(name, "")
        if fault:  # the version changes when the reason does
            version = f"{version} {fault}"
        size, name = int(info.get("size") or 0), below if below != path else ""
        file = SourceFile(path, size, version, self.url, name=name, fault=fault)
        if not version and not (version := self.checksum(file)):
            raise StoreError(f"source {self.url}: {file.path} has no ETag or time and cannot be read; try again or remove it")
        return replace(file, version=version)

    def _ask_each(self, names: list[str]) -> dict[str, dict[str, Any]]:
        def ask(name: str) -> dict[str, Any]:
            self._robots.wait()
            return cast(dict[str, Any], self._fs.info(name))

        with ThreadPoolExecutor(CONNECTIONS) as pool:
            return dict(zip(names, pool.map(ask, names), strict=True))

    def _unreadable(self, file: SourceFile, error: Exception) -> StoreError:
        return StoreError(f"source {self.url}: could not read {file.path}: {explain(error)}; check that it is still there")

    def _unreachable(self, error: Exception) -> StoreError:
        return StoreError(
            f"source {self._url}: could not be listed in full: {explain(error)}; nothing was "
            "taken from it. Check the address, the permissions and the network, and run again"
        )


open_folder = lru_cache(maxsize=16)(FolderSource)  # the same one for the same URL


class _WatchedStream(io.RawIOBase):
    """A stream from a server: a long wait for a piece of it is told, and its end is an error that names the file."""

    def __init__(
        self, stream: Any, what: str, errors: tuple[type[Exception], ...], convert: Callable[[Exception], StoreError]
    ) -> None:
        self._stream = stream
        self._what = what
        self._errors = errors
        self._convert = convert

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            with telling(self._what):
                piece = self._stream.read(len(buffer))
        except self._errors as error:
            raise self._convert(error) from error
        buffer[: len(piece)] = piece
        return len(piece)


def _open_archive(url: str) -> str:
    """Return the URL of the folder inside a `.zip` file, with an absolute path if it is local; return other URLs unchanged."""
    head, arrow, rest = url.rpartition("::")
    if rest.lower().endswith(".zip"):
        place = rest if "://" in rest else str(Path(rest).absolute())
        return f"{head or 'zip://'}::{place}"
    return f"{head}{arrow}{rest}"


def _list_errors(filesystem: AbstractFileSystem) -> tuple[type[Exception], ...]:
    if not isinstance(filesystem, ZipFileSystem):
        return backend_errors(filesystem)
    below = getattr(filesystem.fo, "fs", None)
    return (*(backend_errors(below) if below is not None else (OSError,)), *_DAMAGED)


def _find_zip_faults(archive: zipfile.ZipFile) -> dict[str, str]:
    """Return the members of an archive that are not read, by name, with the reason."""
    members = [member for member in archive.infolist() if not member.is_dir()]
    counts = Counter(member.filename.strip("/") for member in members)
    found = {member.filename.rstrip("/"): _find_member_fault(member, counts[member.filename.strip("/")]) for member in members}
    return {name: f"{name} {fault}" for name, fault in found.items() if fault}


def _find_member_fault(member: zipfile.ZipInfo, count: int) -> str:
    if _LEAVING.search(member.orig_filename):
        return f"is called {member.orig_filename!r} in its archive, which is no name within a folder; pack it again under another"
    if stat.S_ISLNK(member.external_attr >> 16):
        return "is a link in its archive; expected a file: pack what it leads to in its place"
    if member.flag_bits & _ENCRYPTED:
        return "is encrypted in its archive; expected no password: pack it again without one"
    if member.flag_bits & _PATCH:
        return "is a patch of another file in its archive; expected a whole file: pack it again"
    return f"is one of {count} files of this name in its archive; expected one: pack it again" if count > 1 else ""
