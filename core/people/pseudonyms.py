"""Stable pseudonyms of people, and digests of private values: neither can be undone or guessed without the key."""

import hashlib
import hmac
import re

UNKNOWN_AUTHOR = "author-unknown"
"""Stands for an author whom the source does not name."""

PSEUDONYM = re.compile(r"\bauthor-[0-9a-f]{16}\b")


def pseudonymise(name: str | None, key: bytes, kind: str = "author") -> str:
    """Return a stable pseudonym of a person, which nobody can undo without the key; `UNKNOWN_AUTHOR` for None.

    The kind, and the first 16 hexadecimal digits of HMAC-SHA-256 over the name in lower case (names are the same in either case).
    """
    if name is None:
        return UNKNOWN_AUTHOR
    return f"{kind}-" + hmac.new(key, name.casefold().encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:16]


def digest_privately(key: bytes, *parts: str | None) -> str:
    """Return 16 hexadecimal digits that stand for private values: without the key nobody can try out which values give them."""
    return hmac.new(key, repr(parts).encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:16]
