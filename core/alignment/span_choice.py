"""The span of turns with the highest expected F1, given how likely each turn is to belong to it."""

import numpy as np
from numpy.typing import NDArray

from core.compiled import compiled


def choose_span(membership: NDArray[np.float64]) -> tuple[int, int, float]:
    """Return the first and last turn (inclusive) of the span with the highest expected F1, and that F1.

    `membership` (n_turns ≥ 1) has each turn's probability. The expectation of F1 is taken as 2 Σ p / (length + Σ all p), the
    ratio of expectations; its maximum over spans is found by Dinkelbach's method, each step a maximum-sum segment: O(n_turns)
    times the few steps that it takes.

    Reference: Dinkelbach, "On Nonlinear Fractional Programming", 1967; Kadane's algorithm for the segments.
    """
    found: tuple[int, int, float] = _choose(membership)
    return found


@compiled
def _choose(membership: NDArray[np.float64]) -> tuple[int, int, float]:
    total = membership.sum()
    start = end = int(np.argmax(membership))
    value = 2 * membership[start] / (1 + total)
    while True:
        best, first, last = -np.inf, 0, 0
        current, since = 0.0, 0
        for turn in range(membership.size):
            gain = 2 * membership[turn] - value
            if current <= 0:
                current, since = gain, turn
            else:
                current += gain
            if current > best:
                best, first, last = current, since, turn
        found = 2 * membership[first : last + 1].sum() / (last - first + 1 + total)
        if found <= value * (1 + 1e-12):
            return start, end, float(value)
        start, end, value = first, last, found
