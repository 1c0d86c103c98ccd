"""β (eq. 2): n-gram overlap scaled by ROUGE's F1, for all turns and chunks at once."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.compiled import compiled
from core.similarity.ngrams import NgramIndex, invert

_Integers = NDArray[np.int64]


class OverlapScorer:
    """A `TurnScorer` that gives β of the turns in `index` and the chunks it is called with.

    β = |τ(s) ∩ τ(t)| · F1 = 2 |τ(s) ∩ τ(t)|² / (|τ(s)| + |τ(t)|), 0 where nothing is shared. Computed as p = i/|t|, r = i/|s|,
    2·p·r / (p + r) · i, in this order: another one changes last digits, hence ties, hence spans.

    Reference: CRD3, section 4.1, eq. 2.
    """

    def __init__(self, index: NgramIndex) -> None:
        self._index = index

    def __call__(self, chunks: Sequence[str], /) -> NDArray[np.float64]:
        """Return β (n_turns × n_chunks); time grows with the n-grams that turns and chunks share, memory with the matrix."""
        turns, coded = self._index.turns, self._index.code(chunks)
        holders, holder_bounds = invert(coded, turns.n_codes)
        return _scaled_f1(turns.codes, turns.bounds, turns.sizes, holders, holder_bounds, coded.sizes)


@compiled
def _scaled_f1(
    codes: _Integers, bounds: _Integers, sizes: _Integers, holders: _Integers, holder_bounds: _Integers, chunk_sizes: _Integers
) -> NDArray[np.float64]:
    """Multiply the turns' binary matrix by the chunks' inverted one, a row at a time, and scale the row while it is at hand."""
    n_turns, n_chunks = sizes.size, chunk_sizes.size
    beta = np.zeros((n_turns, n_chunks))
    for turn in range(n_turns):
        row = beta[turn]
        for code in codes[bounds[turn] : bounds[turn + 1]]:
            for chunk in holders[holder_bounds[code] : holder_bounds[code + 1]]:
                row[chunk] += 1
        for chunk in range(n_chunks):
            overlap = row[chunk]
            if overlap > 0:
                p, r = overlap / sizes[turn], overlap / chunk_sizes[chunk]
                row[chunk] = 2 * p * r / (p + r) * overlap
    return beta
