"""The interface of every source."""

from contextlib import AbstractContextManager
from typing import IO, Protocol

from core.dataset.units import SourceFile


class Source(Protocol):
    """A place that holds raw files."""

    @property
    def url(self) -> str:
        """The URL that opens this source again, from any folder and on any worker."""

    def list_files(self) -> list[SourceFile]:
        """Return every file with its size and version, by path.

        Raises:
            ConfigError: the source does not exist.
            StoreError: part of it could not be listed. In an incomplete list the other files would look removed.
        """

    def checksum(self, file: SourceFile) -> str:
        """Return the SHA-256 of a file's content, or "" if it cannot be read."""

    def read(self, file: SourceFile, limit: int) -> bytes:
        """Return up to `limit` + 1 bytes of a file; the extra byte shows that the file exceeds the limit.

        Raises:
            SourceError: the file exists but its form cannot be read.
            StoreError: the file cannot be read (it vanished after discovery, no permission, no network).
        """

    def open(self, file: SourceFile) -> AbstractContextManager[IO[bytes]]:
        """Return a file as a stream of bytes.

        Raises:
            SourceError: it is there, and is nothing that can be read.
            StoreError: the file cannot be opened; later failures come as the OSError of the backend.
        """
