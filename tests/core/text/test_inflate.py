import gzip
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SourceError
from core.text.inflate import inflate


def read(content, max_bytes=1_000_000):
    return b"".join(inflate("a.gz", content, max_bytes))


@given(st.lists(st.binary(max_size=300), min_size=1, max_size=4))
def test_members_are_concatenated(contents):
    assert read(b"".join(map(gzip.compress, contents))) == gzip.decompress(b"".join(map(gzip.compress, contents)))


def test_padding_with_zeros_is_ignored():
    assert read(gzip.compress(b"tale") + bytes(20)) == b"tale"


@given(st.integers(0, 60))
def test_a_file_cut_off_anywhere_is_refused(length):
    content = gzip.compress(bytes(range(250)) * 4, mtime=0)
    assert length < len(content)
    with pytest.raises(SourceError, match="cut off"):
        read(content[:length])


def test_damage_and_other_files_are_refused():
    content = bytearray(gzip.compress(b"tale" * 100))
    content[-6] ^= 1
    for damaged in (bytes(content), b"plain text", gzip.compress(b"a") + b"rest"):
        with pytest.raises(SourceError, match="damaged or no gzip file"):
            read(damaged)


def test_no_more_than_the_limit_is_decompressed():
    assert len(read(gzip.compress(bytes(1000)), 1000)) == 1000
    with pytest.raises(SourceError, match="more than 999 bytes once decompressed"):
        read(gzip.compress(bytes(1000)), 999)
    pieces = inflate("a.gz", gzip.compress(bytes(50_000_000)), 200_000)
    assert all(len(piece) <= 65_536 for _, piece in zip(range(3), pieces, strict=False))


@given(st.binary(max_size=200))
def test_any_bytes_are_a_file_or_a_source_error(content):
    for candidate in (content, gzip.compress(b"")[:10] + content):
        with suppress(SourceError):
            read(candidate)
