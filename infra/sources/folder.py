"""Folders, or any fsspec URL, as sources."""

import hashlib
from pathlib import Path
from typing import cast

import fsspec
from fsspec.implementations.local import LocalFileSystem

from core.errors import ConfigError, StoreError
from core.units import SourceFile


class FolderSource:
    """The files under one folder or fsspec URL."""

    def __init__(self, url: str) -> None:
        """Open the source.

        Raises:
            ConfigError: there is no such folder, or no filesystem for its protocol.
        """
        try:
            self._fs, root = fsspec.core.url_to_fs(url)
        except (ImportError, ValueError) as error:
            raise ConfigError(f"source {url}: {error}; expected a folder or an fsspec URL") from error
        self._root = root.rstrip("/")
        # Absolute, since workers look from another folder.
        self.url = self._root if isinstance(self._fs, LocalFileSystem) else url
        if not self._fs.isdir(self._root):
            raise ConfigError(f"source {url}: no such folder; give a folder, or a URL of one")

    def list_files(self) -> list[SourceFile]:
        """Return every file under the source with its size and version (ETag where there is one, else its time), by path."""
        found = self._fs.find(self._root, detail=True)
        versions = _local_version if isinstance(self._fs, LocalFileSystem) else _remote_version
        files = (
            SourceFile(path[len(self._root) + 1 :], int(info["size"]), versions(info), self.url) for path, info in found.items()
        )
        return sorted(files, key=lambda file: file.path)

    def checksum(self, file: SourceFile) -> str:
        """Return the SHA-256 of a file, "" where it cannot be read."""
        try:
            with self._fs.open(f"{self._root}/{file.path}", "rb") as stream:
                return hashlib.file_digest(stream, "sha256").hexdigest()
        except (OSError, ValueError):
            return ""

    def read(self, file: SourceFile, limit: int) -> bytes:
        """Return up to `limit` + 1 bytes of a file: one more than the limit tells that it is longer.

        Raises:
            StoreError: the file cannot be read (it vanished after discovery, no permission, no network).
        """
        try:
            with self._fs.open(f"{self._root}/{file.path}", "rb") as stream:
                return cast(bytes, stream.read(limit + 1))
        except OSError as error:
            raise StoreError(f"source {self.url}: could not read {file.path}: {error}; check that it is still there") from error


def _local_version(info: dict[str, object]) -> str:
    """Return a file's time; a link has that of what it points to, whose content is what is read."""
    if info.get("islink"):
        try:
            return str(Path(str(info["name"])).stat().st_mtime)
        except OSError:
            return "broken link"
    return str(info["mtime"])


def _remote_version(info: dict[str, object]) -> str:
    for name in ("ETag", "etag", "mtime", "LastModified", "last_modified", "created"):
        if info.get(name) is not None:
            return str(info[name])
    return ""
