"""The interface of a similarity to an order-preserving aligner."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class TurnScorer(Protocol):
    """Scores chunks against the turns of one dialogue. The turns are prepared once and used for every chunking."""

    def __call__(self, chunks: Sequence[str], /) -> NDArray[np.float64]:
        """Return the score matrix (n_turns × n_chunks). Scores are finite and not negative; higher means more similar."""
        ...
