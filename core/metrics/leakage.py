"""Counts rows of a release that nearly repeat a row of another split: a model would be tested on what it was trained on."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from datasketch import MinHashLSH

from core.text.minhash import hash_ngrams, open_hash

NEAR = 0.5
"""From this estimated Jaccard similarity of word trigrams on, two summaries are near copies: they share most sentences."""
_NGRAM, _PERMUTATIONS, _SEED = 3, 128, 1


@dataclass(frozen=True, slots=True)
class ReleasedText:
    """The summary of a row, with its split and kind of section."""

    split: str
    kind: str
    text: str


def count_leaks(rows: Iterable[ReleasedText]) -> dict[str, Any]:
    """Return how many rows are exact and near copies of a row of another split, by kind and in total, and how many were compared.

    A row of any kind may be copied: the recap in one split may repeat the plot in another. An exact copy has the same words in
    the same order; it counts as a near copy too. Time is linear in the rows, and in their near copies. Memory: some 3 KiB a row.
    """
    kept = list(rows)
    index = MinHashLSH(threshold=NEAR, num_perm=_PERMUTATIONS)
    signatures = [hash_ngrams(row.text, _NGRAM, _PERMUTATIONS, _SEED) for row in kept]
    hashed = [open_hash(_PERMUTATIONS, _SEED, signature) for signature in signatures]
    for place, found in enumerate(hashed):
        index.insert(place, found)
    words = [tuple(row.text.split()) for row in kept]
    near: Counter[str] = Counter()
    exact: Counter[str] = Counter()
    for place, row in enumerate(kept):
        elsewhere = [other for other in index.query(hashed[place]) if kept[other].split != row.split]
        near[row.kind] += any(float(np.mean(signatures[other] == signatures[place])) >= NEAR for other in elsewhere)
        exact[row.kind] += any(words[other] == words[place] for other in elsewhere)
    return {
        "compared": len(kept),
        "near": NEAR,
        "exact_copies": _add_total(exact),
        "near_copies": _add_total(near),
    }


def _add_total(counts: Counter[str]) -> dict[str, int]:
    kinds: Sequence[str] = sorted(counts)
    return {**{kind: counts[kind] for kind in kinds}, "all": counts.total()}
