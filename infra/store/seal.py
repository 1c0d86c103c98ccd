"""Seals: the last member of a JSON object is the SHA-256 of all before it, so that one changed bit is seen.

A reader that knows nothing of it finds one member more. Somebody who edits such an object by hand removes the member.
"""

import hashlib
import re

_SEAL = re.compile(rb',\s*"seal": "([^"]*)"\s*\}\s*$')


def seal_json(content: bytes) -> bytes:
    """Return a JSON object with its seal; other values, and an object without members, come back as they are."""
    body = content.rstrip()
    if not body.startswith(b"{") or body == b"{}":
        return content
    body = body[:-1].rstrip()
    return body + b',\n "seal": "' + hashlib.sha256(body).hexdigest().encode() + b'"\n}\n'


def open_seal(content: bytes) -> bytes:
    """Return the JSON without its seal; what has none comes back as it is.

    Raises:
        ValueError: the seal is not of this content.
    """
    match = _SEAL.search(content)
    if match is None:
        return content
    body = content[: match.start()]
    if hashlib.sha256(body).hexdigest().encode() != match[1]:
        raise ValueError("its seal is not of this content: it was damaged, or edited by hand without removing the member `seal`")
    return body + b"\n}\n"
