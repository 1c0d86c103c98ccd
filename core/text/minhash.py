"""MinHash signatures of texts: the share of equal values estimates how many word n-grams two texts have in common.

Reference: Broder (1997), On the resemblance and containment of documents.
"""

import re
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from datasketch import MinHash
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
