"""Chooses the span of turns with the highest expected F1, given each turn's probability of belonging to it. Rates spans."""

import math

import numpy as np
from numpy.typing import NDArray

from core.compiled import compiled_when_busy

SLOPE, OFFSET = 1.09, 0.39
"""Platt scaling of the expected F1, as `lab/fitting/confidence.py` fits it to hand-read episodes (`docs/alignment.md`). A span
is right more often than its expected F1 suggests: the expectation is spread over turns, but a span counts as right from an F1 of
½ on."""
_LEAST, _MOST = 0.01, 0.999


def choose_span(membership: NDArray[np.float64]) -> tuple[int, int, float]:
    """Return the first and last turn (inclusive) of the span with the highest expected F1, and that F1.

    `membership` (n_turns ≥ 1) has each turn's probability of belonging to the span. The expected F1 is approximated by the ratio
    of expectations, 2 Σ p / (length + Σ all p). Dinkelbach's method maximises it over spans. It takes few steps; each finds a
    maximum-sum segment in O(n_turns).

    Reference: Dinkelbach, "On Nonlinear Fractional Programming", 1967; Kadane's algorithm for the segments.
    """
    return _choose(membership)


def expect_f1(membership: NDArray[np.float64], start: int, end: int) -> float:
    """Return the expected F1 of the span from turn `start` to turn `end` (inclusive), approximated as in `choose_span`."""
    return float(2 * membership[start : end + 1].sum() / (end - start + 1 + membership.sum()))


def find_end(lasting: NDArray[np.float64], end: int, least: float) -> int:
    """Return the last turn to which one of some sentences lasts with a probability of at least `least`, but no turn before `end`.

    `lasting` (n_sentences × n_turns) falls from turn to turn.
    """
    return max(end, int(np.count_nonzero(lasting >= least, axis=1).max()) - 1)


def rate_span(expected_f1: float) -> float:
    """Return the probability that a span is right, which means F1 ≥ ½ with the span that a reader would choose.

    Reference: Platt, "Probabilistic Outputs for Support Vector Machines", 1999.
    """
    return 1 / (1 + math.exp(-(SLOPE * find_log_odds(expected_f1) + OFFSET)))


def find_log_odds(expected_f1: float) -> float:
    """Return the logarithm of the odds of an expected F1, which is cut to .01 … .999 before."""
    bounded = min(max(expected_f1, _LEAST), _MOST)
    return math.log(bounded / (1 - bounded))


def span_hull(begun: NDArray[np.float64], lasting: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return each turn's probability of lying between the first and last turn of several spans (n_turns); all 0 without spans.

    `begun` and `lasting` (n_sentences × n_turns) are the probabilities that a sentence's span has begun by a turn, and that it
    lasts to that turn or beyond. A turn belongs to the hull with the probability P(one span has begun) + P(one span lasts) − 1,
    which is exact for spans in order.
    """
    hull: NDArray[np.float64] = np.maximum(begun.max(axis=0, initial=0.0) + lasting.max(axis=0, initial=0.0) - 1, 0.0)
    return hull


@compiled_when_busy
def _choose(membership: NDArray[np.float64]) -> tuple[int, int, float]:
    total = 0.0
    start = end = 0
    for turn in range(membership.size):
        total += membership[turn]
        if membership[turn] > membership[start]:
            start = end = turn
    value = 2 * membership[start] / (1 + total)
    low, high = 0, membership.size - 1  # the best span begins and ends with turns of positive gain
    while low < start and 2 * membership[low] <= value:
        low += 1
    while high > start and 2 * membership[high] <= value:
        high -= 1
    while True:
        best, first, last = -np.inf, 0, 0
        current, since = 0.0, 0
        for turn in range(low, high + 1):
            gain = 2 * membership[turn] - value
            if current <= 0:
                current, since = gain, turn
            else:
                current += gain
            if current > best:
                best, first, last = current, since, turn
        inside = 0.0
        for turn in range(first, last + 1):
            inside += membership[turn]
        found = 2 * inside / (last - first + 1 + total)
        if found <= value * (1 + 1e-12):
            return start, end, float(value)
        start, end, value = first, last, found
