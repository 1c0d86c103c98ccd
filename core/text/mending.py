"""Mends text that came in JSON: halves of surrogate pairs, which its escapes can produce, and letters in two parts."""

import re

from core.text.composition import compose

_HALF = re.compile("[\ud800-\udfff]")


def mend_text(text: str) -> str:
    """Return a text composed (NFC); each half of a surrogate pair becomes U+FFFD, and two halves that fit one character."""
    if text.isascii():
        return text
    if _HALF.search(text) is not None:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return compose(text)
