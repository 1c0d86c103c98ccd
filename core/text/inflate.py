"""Decompresses gzip in pieces and under a size limit, so that a file of a few kilobytes cannot fill the memory."""

import zlib
from collections.abc import Iterator

from core.errors import SourceError

_PIECE_BYTES = 65_536
_GZIP_WINDOW = 31  # zlib's code for gzip headers and checksums


def inflate(name: str, content: bytes, max_bytes: int) -> Iterator[bytes]:
    """Yield the decompressed content of the gzip file `name`, one member after the other, in pieces of at most 64 KiB.

    Raises:
        SourceError: the file is not gzip, cut off or damaged, or it has more than `max_bytes` once decompressed.
    """
    total = 0
    rest = content
    while True:
        member = zlib.decompressobj(_GZIP_WINDOW)
        while not member.eof:
            try:
                piece = member.decompress(rest, _PIECE_BYTES)
            except zlib.error as error:
                raise SourceError(f"{name}: damaged or no gzip file ({error}); upload it again") from error
            rest = member.unconsumed_tail
            total += len(piece)
            if total > max_bytes:
                raise SourceError(
                    f"{name}: more than {max_bytes:,} bytes once decompressed ({len(content):,} compressed); "
                    "is this the right file? If so, raise the limit in the settings"
                )
            if piece:
                yield piece
            elif not rest and not member.eof:
                raise SourceError(f"{name}: the gzip file is cut off after {total:,} decompressed bytes; upload it again")
        rest = member.unused_data.lstrip(b"\0")  # files on tape are padded with zeros
        if not rest:
            return
