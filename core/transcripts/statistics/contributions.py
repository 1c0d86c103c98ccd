"""Measures how much each speaker's turns contribute to the recap (CRD3, table 2)."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.metrics.moments import Moments


def measure_contributions(speaker_turns: Mapping[str, Sequence[int]], contributions: NDArray[np.float64]) -> dict[str, Moments]:
    """Return the moments of each speaker's turn contributions; every turn is one observation.

    `speaker_turns` holds the 0-based turns of each speaker. `contributions` has the shape (n_turns,).
    """
    measured = {}
    for speaker, numbers in speaker_turns.items():
        values = contributions[np.asarray(numbers, dtype=np.int64)]
        measured[speaker] = Moments(len(values), float(values.sum()), float(values @ values))
    return measured
