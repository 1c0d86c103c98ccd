"""Reads folders: on a disk, in a bucket, in a web server's directory listing, in a repository or in an archive."""

import hashlib
import zipfile
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, cast
from urllib.parse import unquote, urlsplit

from fsspec import AbstractFileSystem
from fsspec.implementations.local import LocalFileSystem
from fsspec.implementations.zip import ZipFileSystem

from core.errors import ConfigError, SourceError, StoreError
from core.units import SourceFile
from infra.sources.web import list_below
from infra.store.filesystems import backend_errors, open_filesystem

VERSIONS = ("ETag", "etag", "sha", "CRC", "mtime", "LastModified", "last_modified", "Last-Modified", "created")
"""Names under which backends report the version of a file, the most reliable first."""

COMPRESSIONS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
"""Compression methods that are unpacked. With others, zipfile may expand a few bytes to gigabytes in a single read."""

CONNECTIONS = 8
"""Parallel requests to a web server whose listing gives only the names of the files."""


class FolderSource:
    """The files under one folder or fsspec URL; a `.zip` file counts as the folder inside it."""

    def __init__(self, url: str) -> None:
        """Open the source.

        Raises:
            ConfigError: the folder does not exist, its protocol is not supported, or the URL contains a password.
            StoreError: the server did not answer.
        """
        _refuse_password(url)
        self._url = _open_archive(url)
        self._open(url)
        # Absolute, because workers run in another folder.
        self.url = self._root if isinstance(self._fs, LocalFileSystem) else self._url
        self._errors = _list_errors(self._fs)
        try:
            there = self._fs.ls(self._root) is not None if self._is_web() else self._fs.isdir(self._root)
        except FileNotFoundError:
            there = False
        except self._errors as error:
            raise self._unreachable(error) from error
        if not there:
            raise ConfigError(f"source {url}: no such folder; give a folder, or a URL of one")

    def list_files(self) -> list[SourceFile]:
        """Return every file under the source, by path, with its size and version.

        The version is an ETag, an object's hash, a checksum or a time, whichever the backend reports. If a web server reports
        none, the files are read and their checksums are taken.

        Raises:
            StoreError: part of the source could not be listed.
        """
        if isinstance(self._fs, ZipFileSystem):
            self._open(self._url)  # reopened, because an archive is listed as it was when it was opened
        self._fs.invalidate_cache()
        try:
            if self._is_web():
                found = self._ask_each(list_below(self._fs, self._root))
            else:
                found = self._fs.find(self._root, detail=True, **({} if "s3" in self._fs.protocol else {"on_error": "raise"}))
        except self._errors as error:
            raise self._unreachable(error) from error
        return sorted((self._describe(name, info) for name, info in found.items()), key=lambda file: file.path)

    def checksum(self, file: SourceFile) -> str:
        """Return the SHA-256 of a file, or "" if it cannot be read."""
        unreadable: tuple[type[Exception], ...] = (*self._errors, ValueError, SourceError)
        try:
            self._check_compression(file)
            with self._fs.open(self._locate(file), "rb") as stream:
                return hashlib.file_digest(stream, "sha256").hexdigest()
        except unreadable:
            return ""

    def read(self, file: SourceFile, limit: int) -> bytes:
        """Return up to `limit` + 1 bytes of a file; the extra byte shows that the file exceeds the limit.

        Raises:
            SourceError: its compression method is not supported.
            StoreError: the file cannot be read (it vanished after discovery, no permission, no network).
        """
        name = self._locate(file)
        try:
            if isinstance(self._fs, ZipFileSystem) and _find_version(self._fs.info(name)) != file.version:
                self._open(self._url)  # the archive was replaced after this process opened it
            self._check_compression(file)
            with self._fs.open(name, "rb") as stream:
                return cast(bytes, stream.read(limit + 1))
        except self._errors as error:
            raise StoreError(f"source {self.url}: could not read {file.path}: {error}; check that it is still there") from error

    @contextmanager
    def open(self, file: SourceFile) -> Iterator[IO[bytes]]:
        """Give a file as a stream, as `Source.open` says."""
        try:
            self._check_compression(file)
            stream = self._fs.open(self._locate(file), "rb")
        except self._errors as error:
            raise StoreError(f"source {self.url}: could not read {file.path}: {error}; check that it is still there") from error
        with stream:
            yield cast(IO[bytes], stream)

    def _open(self, url: str) -> None:
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

    def _check_compression(self, file: SourceFile) -> None:
        if not isinstance(self._fs, ZipFileSystem):
            return
        method = self._fs.info(self._locate(file)).get("compress_type")
        if method not in COMPRESSIONS:
            raise SourceError(
                f"{file.path}: compressed by method {method} in its archive; expected deflate (8) or none (0); pack it again"
            )

    def _is_web(self) -> bool:
        return "http" in self._fs.protocol

    def _locate(self, file: SourceFile) -> str:
        name = file.name or file.path
        return f"{self._root}/{name}" if self._root else name

    def _describe(self, name: str, info: dict[str, Any]) -> SourceFile:
        below = name[len(self._root) + 1 :] if self._root else name
        path = unquote(below) if self._is_web() else below
        version = _find_local_version(info) if isinstance(self._fs, LocalFileSystem) else _find_version(info)
        file = SourceFile(path, int(info.get("size") or 0), version, self.url, name=below if below != path else "")
        return file if version else replace(file, version=self._read_version(file))

    def _read_version(self, file: SourceFile) -> str:
        if checksum := self.checksum(file):
            return checksum
        raise StoreError(f"source {self.url}: {file.path} has neither ETag nor time and cannot be read; try again or remove it")

    def _ask_each(self, names: list[str]) -> dict[str, dict[str, Any]]:
        with ThreadPoolExecutor(CONNECTIONS) as pool:
            return dict(zip(names, pool.map(self._fs.info, names), strict=True))

    def _unreachable(self, error: Exception) -> StoreError:
        return StoreError(
            f"source {self._url}: could not be listed in full: {type(error).__name__}: {error}; nothing was taken from it. "
            "Check the address, the permissions and the network, and run again"
        )


def _refuse_password(url: str) -> None:
    """Refuse URLs with a user name, which would appear in logs and run records. The message does not repeat it."""
    for part in url.split("::"):
        if part.startswith(("http://", "https://")) and "@" in (host := urlsplit(part).netloc):
            raise ConfigError(
                f"source on {host.rpartition('@')[2]}: its URL names a user; remove the name, and give credentials in fsspec's "
                "configuration (FSSPEC_HTTP, FSSPEC_HTTPS)"
            )


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
    # Damaged, compressed by an unknown method, or encrypted.
    damaged = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError)
    return (*(backend_errors(below) if below is not None else (OSError,)), *damaged)


def _find_local_version(info: dict[str, Any]) -> str:
    """Return the modification time of a file; of a link, that of its target, because the target is what is read."""
    if info.get("islink"):
        try:
            return str(Path(str(info["name"])).stat().st_mtime)
        except OSError:
            return "broken link"
    return str(info["mtime"])


def _find_version(info: dict[str, Any]) -> str:
    return next((str(info[name]) for name in VERSIONS if info.get(name) is not None), "")
