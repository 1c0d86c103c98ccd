"""Text from JSON is mended in one way: halves of surrogate pairs, and letters in two parts."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.mending import mend_text


@pytest.mark.parametrize(
    ("damaged", "mended"),
    [
        ("plain", "plain"),
        ("cafe\u0301", "caf\u00e9"),
        ("a \ud83d door", "a \ufffd door"),
        ("\ud83d", "\ufffd"),
        ("\udc00\udc00\ud83d", "\ufffd\ufffd\ufffd"),
        ("\ud83d\ude00", "\U0001f600"),  # two halves, each from its own escape
        ("\u00e9\ud83d\u0301", "\u00e9\ufffd\u0301"),
    ],
)
def test_halves_and_parts_of_letters(damaged: str, mended: str) -> None:
    assert mend_text(damaged) == mended


@given(st.text(st.characters(), max_size=30))
def test_any_text_becomes_composed_utf8_and_stays_so(text: str) -> None:
    mended = mend_text(text)
    mended.encode("utf-8")
    assert unicodedata.is_normalized("NFC", mended)
    assert mend_text(mended) == mended
