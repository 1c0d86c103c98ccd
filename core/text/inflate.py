"""Decompresses gzip in pieces and under a size limit, so that a file of a few kilobytes cannot fill the memory."""

import zlib
from collections.abc import Iterator

from core.errors import SourceError

_PIECE_BYTES = 65_536
_FED_BYTES = 4096  # compressed bytes that are given at once: what a member does not use is copied
_GZIP_WINDOW = 31  # zlib's code for gzip headers and checksums


def inflate(name: str, content: bytes, max_bytes: int) -> Iterator[bytes]:
    """Yield the decompressed content of the gzip file `name`, one member after the other, in pieces of at most 64 KiB.

    Raises:
        SourceError: the file is not gzip, cut off or damaged, or it has more than `max_bytes` once decompressed.
    """
    total = place = 0
    while True:
        member = zlib.decompressobj(_GZIP_WINDOW)
        while not member.eof:
            fed = content[place : place + _FED_BYTES]
            try:
                piece = member.decompress(fed, _PIECE_BYTES)
            except zlib.error as error:
                raise SourceError(f"{name}: damaged or no gzip file ({error}); upload it again") from error
            place += len(fed) - len(member.unconsumed_tail) - len(member.unused_data)
            total += len(piece)
            if total > max_bytes:
                raise SourceError(
                    f"{name}: more than {max_bytes:,} bytes once decompressed ({len(content):,} compressed); "
                    "is this the right file? If so, raise the limit in the settings"
                )
            if piece:
                yield piece
            elif place == len(content) and not member.eof:
                raise SourceError(f"{name}: the gzip file is cut off after {total:,} decompressed bytes; upload it again")
        place = _skip_padding(content, place)
        if place == len(content):
            return


def _skip_padding(content: bytes, place: int) -> int:
    """Return the place after zeros: files on tape are padded with them."""
    while fed := content[place : place + _FED_BYTES]:
        left = len(fed.lstrip(b"\0"))
        if left:
            return place + len(fed) - left
        place += len(fed)
    return place
