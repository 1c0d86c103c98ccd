"""What an order-preserving aligner asks of a similarity."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class TurnScorer(Protocol):
    """Scores chunks against the turns of one dialogue, which it prepared once and uses for every chunking."""

    def __call__(self, chunks: Sequence[str], /) -> NDArray[np.float64]:
        """Return the score matrix (n_turns × n_chunks): finite, not negative, higher is more alike."""
        ...
