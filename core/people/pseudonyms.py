"""Stable pseudonyms of people, and digests of private values: neither can be undone or guessed without the key."""

import hashlib
import hmac
import re

UNKNOWN_AUTHOR = "author-unknown"
"""Stands for an author whom the source does not name."""

PSEUDONYM = re.compile(r"\bauthor-[0-9a-f]{16}\b")


def pseudonymise(author: str | None, key: bytes) -> str:
    """Return a stable pseudonym of an author, which nobody can undo without the key; `UNKNOWN_AUTHOR` for None.

    The first 16 hexadecimal digits of HMAC-SHA-256 over the name in lower case (names are the same in either case).
    """
    if author is None:
        return UNKNOWN_AUTHOR
    return "author-" + hmac.new(key, author.casefold().encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:16]


def digest_privately(key: bytes, *parts: str | None) -> str:
    """Return 16 hexadecimal digits that stand for private values: the same for the same key and values, else another.

    Without the key nobody can try out which values give a digest. It is for whatever is stored or published and is made from a
    name.
    """
    return hmac.new(key, repr(parts).encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:16]
