"""What a decision rests on: a digest of the texts that a reader saw, by which a later release knows whether it still holds."""

import hashlib
from collections.abc import Iterable, Sequence

from core.review.decisions import Decision

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


def find_rejected(rows: Iterable[tuple[str, str, Sequence[str]]], decisions: Iterable[Decision]) -> frozenset[str]:
    """Return the ids of the rows that readers have rejected, of those whose texts are still what they saw.

    `rows` have an id, the summary that was shown ("": none) and the texts of the turns.
    """
    rejected = {(decision.item, decision.basis) for decision in decisions if decision.verdict == "reject"}
    return frozenset(
        name for name, summary, turns in rows if rejected and (name, name_basis(summary, digest_texts(turns))) in rejected
    )
