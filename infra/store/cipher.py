"""Seals what holds people's names, so that nobody reads or guesses it without the key of the pseudonyms."""

import hashlib
import hmac
import io
from collections.abc import Iterable, Iterator
from typing import IO, Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

SUFFIX = ".sealed"  # ends the keys of objects that are sealed
_BLOCK = 2**20
_TAG = 16
_LAST = 1 << 31


class CannotOpenError(Exception):
    """Sealed bytes are damaged, cut off, stand under another name, or were sealed with another key."""


class Cipher:
    """Seals objects with AES-SIV (RFC 5297): the same content under the same name gives the same bytes, and no other does.

    Blocks of 1 MiB are sealed apart, each with the object's name, its number and whether it is the last, so that memory is
    bounded and no block can be moved or left out unseen.
    """

    def __init__(self, key: bytes) -> None:
        """Derive the keys of this use from the key of the pseudonyms."""
        self._siv = AESSIV(hmac.new(key, b"fabula: sealed records", hashlib.sha512).digest())
        self._digests = hmac.new(key, b"fabula: digests of records", hashlib.sha256).digest()

    @property
    def identity(self) -> str:
        """What tells this key from others: the digest of nothing."""
        return self.start_digest().hexdigest()

    def start_digest(self) -> hmac.HMAC:
        """Return a keyed SHA-256 to be updated: without the key nobody can try out what a digest is of."""
        return hmac.new(self._digests, digestmod=hashlib.sha256)

    def seal(self, pieces: Iterable[bytes], name: str) -> Iterator[bytes]:
        """Yield the sealed bytes of an object that is not empty."""
        number, waiting = 0, bytearray()
        for piece in pieces:
            waiting += piece
            while len(waiting) > _BLOCK:
                yield self._seal_block(bytes(waiting[:_BLOCK]), name, number, last=False)
                del waiting[:_BLOCK]
                number += 1
        yield self._seal_block(bytes(waiting), name, number, last=True)

    def open(self, stream: IO[bytes], name: str) -> IO[bytes]:
        """Return what was sealed as a stream; its reads raise `CannotOpenError` where it cannot be opened."""
        return io.BufferedReader(PieceStream(self._open_blocks(stream, name)), _BLOCK)

    def _seal_block(self, block: bytes, name: str, number: int, last: bool) -> bytes:
        head = (len(block) | (_LAST if last else 0)).to_bytes(4)
        return head + self._siv.encrypt(block, [name.encode(), number.to_bytes(8), head])

    def _open_blocks(self, stream: IO[bytes], name: str) -> Iterator[bytes]:
        number, last = 0, False
        while not last:
            head = stream.read(4)
            size = int.from_bytes(head)
            last, size = bool(size & _LAST), size & ~_LAST
            sealed = stream.read(size + _TAG) if len(head) == 4 and 0 < size <= _BLOCK else b""
            if len(sealed) != size + _TAG:
                raise CannotOpenError(f"{name} is cut off or damaged")
            try:
                yield self._siv.decrypt(sealed, [name.encode(), number.to_bytes(8), head])
            except InvalidTag as error:
                raise CannotOpenError(f"{name} is damaged, or was sealed with another key") from error
            number += 1
        if stream.read(1):
            raise CannotOpenError(f"{name} has bytes behind its end")


class PieceStream(io.RawIOBase):
    """Pieces of bytes, none of them empty, as a stream."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._left = memoryview(b"")

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill `buffer` from the next piece, and return the number of bytes, 0 at the end."""
        if not self._left:
            self._left = memoryview(next(self._pieces, b""))
        count = min(len(buffer), len(self._left))
        buffer[:count] = self._left[:count]
        self._left = self._left[count:]
        return count
