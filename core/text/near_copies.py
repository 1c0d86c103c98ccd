"""Near copies of texts, by MinHash: the share of equal values estimates how many word n-grams two texts have in common.

Reference: Broder (1997), On the resemblance and containment of documents.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from datasketch import MinHash, MinHashLSH
from numpy.typing import NDArray

_SCHEME: Literal["affine32"] = "affine32"
"""How datasketch hashes: named, so that signatures in a store stay comparable when its default changes."""
_WORD = re.compile(r"[^\W_]+")


def hash_ngrams(text: str, ngram: int, permutations: int, seed: int) -> NDArray[np.uint32]:
    """Return the MinHash values (`permutations`, uint32) of a text's word n-grams, whatever its case and punctuation."""
    words = _WORD.findall(text.lower())
    grams = {" ".join(words[start : start + ngram]) for start in range(max(len(words) - ngram + 1, 1))}
    found = open_hash(permutations, seed)
    found.update_batch([gram.encode() for gram in sorted(grams)])
    values: NDArray[np.uint32] = found.hashvalues.astype(np.uint32)
    return values


def open_hash(permutations: int, seed: int, values: NDArray[np.uint32] | None = None) -> Any:
    """Return an empty MinHash, or that of known values; the permutations, which take longest, are drawn once a process."""
    drawn = _draw_permutations(permutations, seed)
    return MinHash(num_perm=permutations, seed=seed, hashvalues=values, permutations=drawn.permutations, scheme=_SCHEME)


@lru_cache(maxsize=4)
def _draw_permutations(permutations: int, seed: int) -> Any:
    return MinHash(num_perm=permutations, seed=seed, scheme=_SCHEME)


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
    """Return how many rows are exact (same words in order) and near copies of a row of another split, by kind and in total."""
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
    copies = {name: dict(sorted(found.items())) | {"all": found.total()} for name, found in (("exact", exact), ("near", near))}
    return {"compared": len(kept), "near": NEAR, "exact_copies": copies["exact"], "near_copies": copies["near"]}
