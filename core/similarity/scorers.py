"""What an order-preserving aligner asks of a similarity, and one whose columns weigh the same."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class TurnScorer(Protocol):
    """Scores chunks against the turns of one dialogue, which it prepared once and uses for every chunking."""

    def __call__(self, chunks: Sequence[str], /) -> NDArray[np.float64]:
        """Return the score matrix (n_turns × n_chunks): finite, not negative, higher is more alike."""
        ...


class ColumnNormaliser:
    """A `TurnScorer` that divides the scores of each chunk by their sum over the turns; a chunk without scores keeps its zeros.

    Reference: CRD3, section 4.1, "column-wise normalization on M", which its authors rejected. The paper does not say by what
    the columns are divided; the sum makes every chunk weigh the same.
    """

    def __init__(self, score: TurnScorer) -> None:
        self._score = score

    def __call__(self, chunks: Sequence[str], /) -> NDArray[np.float64]:
        """Return the normalised scores (n_turns × n_chunks)."""
        scores = self._score(chunks)
        totals = scores.sum(axis=0, keepdims=True)
        normalised: NDArray[np.float64] = np.divide(scores, totals, out=np.zeros_like(scores), where=totals > 0)
        return normalised
