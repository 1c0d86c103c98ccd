"""What a decision rests on: a digest of the texts that a reader saw, by which a later release knows whether it still holds."""

import hashlib
from collections.abc import Iterable

_DIGITS = 16


def digest_texts(texts: Iterable[str]) -> str:
    """Return a digest of texts in order, such as the turns of a dialogue."""
    digest = hashlib.sha256()
    for text in texts:
        content = text.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(content))
        digest.update(content)
    return digest.hexdigest()[:_DIGITS]


def name_basis(summary: str, dialogue: str) -> str:
    """Return the basis of a decision: `dialogue` is the digest of the dialogue's turns, all of them, since spans count turns."""
    return digest_texts((summary, dialogue))
