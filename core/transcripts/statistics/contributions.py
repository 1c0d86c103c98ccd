"""What each turn, and with it each speaker, contributes to the summary (table 2)."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.metrics.moments import Moments


def share_path(
    turns: NDArray[np.int64], chunks: NDArray[np.int64], scores: NDArray[np.float64], n_turns: int
) -> NDArray[np.float64]:
    """Return each turn's share in the chunks that a path aligns it with (n_turns; 0 for turns off the path).

    `turns`, `chunks` and `scores` (n_cells each) are the path's cells; no score is negative. The paths of section 4.1 are the
    vertical lines aᵢ, one a chunk: the scores of each are divided by their sum, and a turn on several lines gets the sum of its
    shares. Every chunk with a positive score so gives away 1 in all.

    Reference: CRD3, section 4.1, table 2 ("each path normalized to 1"). This reading, with chunks of 4 sentences, gives the
    paper's magnitudes; one path a dialogue divided by its sum or its largest score gives a 30th and a fifth of them.
    """
    totals = np.bincount(chunks, scores)[chunks]
    shares = np.divide(scores, totals, out=np.zeros(len(scores)), where=totals > 0)
    return np.bincount(turns, shares, minlength=n_turns).astype(np.float64)


def measure_contributions(speaker_turns: Mapping[str, Sequence[int]], contributions: NDArray[np.float64]) -> dict[str, Moments]:
    """Return the moments of each speaker's contributions: an observation a turn. `contributions` has the shape (n_turns,)."""
    measured = {}
    for speaker, numbers in speaker_turns.items():
        values = contributions[np.asarray(numbers, dtype=np.int64)]
        measured[speaker] = Moments(len(values), float(values.sum()), float(values @ values))
    return measured
