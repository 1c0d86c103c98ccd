"""Opens a source by its URL, and reads a file from its source."""

import hashlib
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import IO

from core.dataset.units import SourceFile, choose_copy
from core.errors import SourceError
from infra.sources.folder import FolderSource
from infra.sources.mediawiki import PREFIX, MediaWikiSource
from infra.sources.source import Source


@lru_cache(maxsize=16)
def open_source(url: str) -> Source:
    """Return the source for a folder, fsspec URL or wiki (`mediawiki+https://…`); the same URL gives the same object.

    Raises:
        ConfigError: the folder does not exist, or the URL is not supported.
    """
    return MediaWikiSource(url) if url.startswith(PREFIX) else FolderSource(url)


def read_file(file: SourceFile, limit: int) -> bytes:
    """Return a whole file of at most `limit` bytes from its source.

    Raises:
        SourceError: as `Source.read`, it is larger, or another source has the same path with different content.
        StoreError: the file or a copy of it cannot be read.
    """
    content = open_source(file.source).read(file, limit)
    if len(content) > limit:  # cut off, it would look like another file
        raise SourceError(f"{file.path}: too large; at most {limit:,} bytes are read. Is it the right file? Divide it")
    if file.copies:
        copies = [(copy, _checksum(open_source(copy.source).read(copy, limit))) for copy in file.copies]
        choose_copy([(file, _checksum(content)), *copies])
    return content


def open_stream(file: SourceFile) -> AbstractContextManager[IO[bytes]]:
    """Return a file as a stream, for one that may be larger than the memory. Copies in other sources are not compared.

    Raises:
        SourceError, StoreError: as `Source.open`.
    """
    return open_source(file.source).open(file)


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
