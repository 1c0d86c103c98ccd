"""What is sealed says nothing without the key, is the same each time, and cannot be changed unseen."""

import io
import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.store.cipher import CannotOpenError, Cipher

CIPHER = Cipher(b"key")
LONG = bytes(range(256)) * 10_000


def seal(content: bytes, name: str = "a") -> bytes:
    return b"".join(CIPHER.seal([content], name))


def open_all(sealed: bytes, name: str = "a", cipher: Cipher = CIPHER) -> bytes:
    return cipher.open(io.BytesIO(sealed), name).read()


@given(st.binary(min_size=1, max_size=100), st.lists(st.binary(max_size=50), max_size=4))
def test_what_was_sealed_is_opened_in_whatever_pieces_it_came(content: bytes, more: list[bytes]) -> None:
    sealed = b"".join(CIPHER.seal([content, *more], "a"))
    assert open_all(sealed) == content + b"".join(more)
    assert sealed == seal(content + b"".join(more))


@pytest.mark.parametrize("place", [0, 3, 4, 30, 2**20 + 40, -1])
def test_a_changed_byte_is_seen(place: int) -> None:
    sealed = bytearray(seal(LONG))
    sealed[place] ^= 1
    with pytest.raises(CannotOpenError):
        open_all(bytes(sealed))


def test_another_key_another_name_a_cut_and_an_end_that_was_added_are_seen() -> None:
    sealed, block = seal(LONG), 2**20 + 20
    assert open_all(sealed) == LONG
    assert b"greta" not in seal(b"greta" * 100)
    assert seal(b"greta", "a")[20:] != seal(b"greta", "b")[20:]
    assert CIPHER.identity != Cipher(b"other").identity
    changed = (sealed[:-1], sealed[:block], b"", sealed + b"x", sealed[block:], sealed[block : 2 * block] + sealed[:block])
    for wrong in (*((each, "a", CIPHER) for each in changed), (sealed, "b", CIPHER), (sealed, "a", Cipher(b"other"))):
        with pytest.raises(CannotOpenError):
            open_all(*wrong)


def test_memory_is_bounded() -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(64):
            yield bytes(2**20)

    tracemalloc.start()
    size = sum(len(block) for block in CIPHER.seal(pieces(), "a"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert size > 64 * 2**20
    assert peak < 8 * 2**20
