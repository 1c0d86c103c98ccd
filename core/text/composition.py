"""Composes accents (Unicode's NFC) in linear time.

A run of combining marks must be sorted for it, and Python's sort of marks takes quadratic time: 200,000 of them take minutes.
"""

import re
import unicodedata

MAX_MARKS = 200
"""The longest run of combining marks that is sorted as a whole. A letter of real text has at most a dozen marks."""

_FOREIGN = re.compile(rb"[\x80-\xff]{%d,}" % (2 * MAX_MARKS))  # bytes of UTF-8; searched in a third of the time
_RUN = re.compile(rf"[^\w\x00-\x7f]{{{MAX_MARKS},}}")


def compose(text: str) -> str:
    """Return a text in NFC. A run of more than `MAX_MARKS` combining marks is composed in pieces of that length."""
    if text.isascii() or _FOREIGN.search(text.encode("utf-8", "surrogatepass")) is None or _RUN.search(text) is None:
        return unicodedata.normalize("NFC", text)
    pieces: list[str] = []
    start = 0
    for run in _RUN.finditer(text):
        for cut in range(run.start() + MAX_MARKS, run.end(), MAX_MARKS):
            pieces.append(unicodedata.normalize("NFC", text[start:cut]))
            start = cut
    return "".join((*pieces, unicodedata.normalize("NFC", text[start:])))
