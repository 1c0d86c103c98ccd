"""β (eq. 2): n-gram overlap scaled by ROUGE's F1, for all turns and chunks at once."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from core.similarity.ngrams import NgramIndex, NgramSets


class OverlapScorer:
    """A `TurnScorer` that gives β of the turns in `index` and the chunks it is called with."""

    def __init__(self, index: NgramIndex) -> None:
        self._index = index
        self._turns = _matrix(index.turns)

    def __call__(self, chunks: Sequence[str], /) -> NDArray[np.float64]:
        """Return β (n_turns × n_chunks); time grows with the n-grams that turns and chunks share, memory with the matrix."""
        coded = self._index.code(chunks)
        overlaps = (self._turns @ _matrix(coded).T).toarray()
        return scaled_f1(overlaps, self._index.turns.sizes, coded.sizes)


def scaled_f1(
    overlaps: NDArray[np.float64], turn_sizes: NDArray[np.int64], chunk_sizes: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return |τ(s) ∩ τ(a)| · F1 = 2 |τ(s) ∩ τ(a)|² / (|τ(s)| + |τ(a)|), 0 where nothing is shared.

    `overlaps` (n_turns × n_chunks) counts the shared n-grams, the sizes count each text's own. Computed as p = i/|t|, r = i/|s|,
    2·p·r / (p + r) · i, in this order: another one changes last digits, hence ties, hence spans.

    Reference: CRD3, section 4.1, eq. 2.
    """
    shared = overlaps > 0
    p = np.divide(overlaps, turn_sizes[:, None], where=shared, out=np.ones_like(overlaps))
    r = np.divide(overlaps, chunk_sizes[None, :], where=shared, out=np.ones_like(overlaps))
    beta: NDArray[np.float64] = 2 * p * r / (p + r) * overlaps
    return beta


def _matrix(sets: NgramSets) -> csr_array:
    ones = np.ones(sets.codes.size)
    return csr_array((ones, sets.codes, sets.bounds), shape=(sets.sizes.size, sets.n_codes))
