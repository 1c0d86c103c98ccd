"""The interface of a similarity to an order-preserving aligner, and one that gives every chunk the same weight."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class TurnScorer(Protocol):
    """Scores chunks against the turns of one dialogue. The turns are prepared once and used for every chunking."""

    def __call__(self, chunks: Sequence[str], /) -> NDArray[np.float64]:
        """Return the score matrix (n_turns × n_chunks). Scores are finite and not negative; higher means more similar."""
        ...


class ColumnNormaliser:
    """A `TurnScorer` that divides the scores of each chunk by their sum over the turns. A column of zeros stays zero.

    Reference: CRD3, section 4.1, "column-wise normalization on M", which its authors rejected. The paper does not say what the
    columns are divided by. Dividing by the sum gives every chunk the same weight.
    """

    def __init__(self, score: TurnScorer) -> None:
        self._score = score

    def __call__(self, chunks: Sequence[str], /) -> NDArray[np.float64]:
        """Return the normalised scores (n_turns × n_chunks)."""
        scores = self._score(chunks)
        totals = scores.sum(axis=0, keepdims=True)
        normalised: NDArray[np.float64] = np.divide(scores, totals, out=np.zeros_like(scores), where=totals > 0)
        return normalised
