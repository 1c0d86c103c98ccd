"""Finds copies among the sentences of all units: exact ones, near ones, and introductions and sign-offs that recur.

Memory: about 60 bytes a sentence, and some kilobytes a candidate (a sentence that the score keeps).
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from datasketch import MinHashLSH
from numpy.typing import NDArray

from core.rooms.config import CopyConfig
from core.text.near_copies import hash_ngrams, open_hash

_MOST_EXACT = 0.9
"""The highest similarity that the index can look for; what it finds is compared with the setting."""
CopyReason = Literal["copy", "near copy", "introduction or sign-off"]
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Prints:
    """What is compared of the sentences of a unit (n of them, in order).

    `digests` (n, int64) are equal for equal words; `documents` (n) names where each stands, `places` (n) how
    far in it, from 0 to 1; `eligible` (n, bool) are those that may be the original of a copy. `signatures` are MinHash values
    (uint32) of candidates by position.
    """

    unit: str
    digests: NDArray[np.int64]
    documents: Sequence[str]
    places: NDArray[np.float64]
    eligible: NDArray[np.bool_]
    signatures: dict[int, NDArray[np.uint32]]


@dataclass(frozen=True, slots=True)
class Copied:
    """A sentence that is a copy: its unit and position there, and the unit and position of the sentence that it repeats."""

    unit: str
    position: int
    reason: CopyReason
    original_unit: str
    original: int


def digest_words(text: str) -> int:
    """Return a number (int64) that is equal for texts with the same words, whatever their case and punctuation."""
    words = " ".join(_WORD.findall(text.lower()))
    return int.from_bytes(hashlib.blake2b(words.encode(), digest_size=8).digest(), "big", signed=True)


def sign_text(text: str, config: CopyConfig) -> NDArray[np.uint32]:
    """Return the MinHash values (`permutations`, uint32) of a text's word n-grams.

    Reference: Broder (1997), On the resemblance and containment of documents.
    """
    return hash_ngrams(text, config.ngram, config.permutations, config.seed)


def find_copies(prints: Iterable[Prints], config: CopyConfig) -> list[Copied]:
    """Return the sentences that repeat an earlier one, and all copies of introductions and sign-offs, in order.

    Of copies the first stays. Time is linear in the sentences, and in the candidates times those that resemble them.
    """
    parts = list(prints)
    if not any(len(part.digests) for part in parts):
        return []
    offsets = np.cumsum([0, *(len(part.digests) for part in parts)])
    digests = np.concatenate([part.digests for part in parts])
    eligible = np.concatenate([part.eligible for part in parts])
    codes: dict[str, int] = {}
    documents = np.array([codes.setdefault(name, len(codes)) for part in parts for name in part.documents], np.int64)
    places = np.concatenate([part.places for part in parts])
    originals, near = _find_originals(parts, offsets, digests, eligible, config)
    recurring = _find_recurring(originals, documents, (places <= config.edge) | (places >= 1 - config.edge), config)
    reasons: dict[int, CopyReason] = {
        place: "introduction or sign-off" if recurring[place] else "near copy" if near[place] else "copy"
        for place in np.flatnonzero(recurring | (originals != np.arange(len(digests)))).tolist()
    }
    return [
        Copied(*_locate(parts, offsets, place), reason, *_locate(parts, offsets, int(originals[place])))
        for place, reason in reasons.items()
    ]


def _locate(parts: Sequence[Prints], offsets: NDArray[np.int64], position: int) -> tuple[str, Any]:
    index = int(np.searchsorted(offsets, position, side="right")) - 1
    return parts[index].unit, position - int(offsets[index])


def _find_originals(
    parts: Sequence[Prints],
    offsets: NDArray[np.int64],
    digests: NDArray[np.int64],
    eligible: NDArray[np.bool_],
    config: CopyConfig,
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return for each sentence the position of the one that it repeats, or its own; and whether the words differ."""
    order = np.lexsort((np.arange(len(digests)), ~eligible, digests))  # of equal ones the first eligible one leads
    leads = np.concatenate(([True], digests[order][1:] != digests[order][:-1]))
    originals = np.empty(len(digests), np.int64)
    originals[order] = order[np.flatnonzero(leads)][np.cumsum(leads) - 1]
    near = np.zeros(len(digests), bool)
    index = MinHashLSH(threshold=min(config.near, _MOST_EXACT), num_perm=config.permutations)
    kept: dict[int, NDArray[np.uint32]] = {}
    same: dict[int, int] = {}
    for part, offset in zip(parts, offsets, strict=False):
        for position, signature in sorted(part.signatures.items()):
            place = int(offset) + position
            if originals[place] != place or not eligible[place]:
                continue
            hashed = open_hash(config.permutations, config.seed, signature)
            alike = [other for other in index.query(hashed) if float(np.mean(kept[other] == signature)) >= config.near]
            if alike:
                same[place] = min(alike)
            else:
                kept[place] = signature
                index.insert(place, hashed)
    for place, original in same.items():
        near[place] = True
        originals[originals == place] = original
    return originals, near


def _find_recurring(
    originals: NDArray[np.int64], documents: NDArray[np.int64], at_edge: NDArray[np.bool_], config: CopyConfig
) -> NDArray[np.bool_]:
    """Return whether each sentence belongs to a group that stands in many documents, and always near their beginning or end."""
    pairs = np.unique(np.stack([originals, documents]), axis=1)
    groups, counts = np.unique(pairs[0], return_counts=True)
    many = np.zeros(len(originals), bool)
    many[groups[counts >= config.recurring_documents]] = True
    elsewhere = np.zeros(len(originals), bool)
    elsewhere[originals[~at_edge]] = True
    found: NDArray[np.bool_] = (many & ~elsewhere)[originals]
    return found
