"""The span of turns with the highest expected F1, given how likely each turn is to belong to it, and how sure it is."""

import math

import numpy as np
from numpy.typing import NDArray

from core.compiled import compiled

_SLOPE, _OFFSET = 1.1, 0.33
"""Platt scaling of the expected F1, fitted to hand-read episodes (`docs/alignment.md`): the model is surer than it admits, since
its expectation spreads over turns, while a span is right from half of them on."""
_LEAST, _MOST = 0.01, 0.999


def choose_span(membership: NDArray[np.float64]) -> tuple[int, int, float]:
    """Return the first and last turn (inclusive) of the span with the highest expected F1, and that F1.

    `membership` (n_turns ≥ 1) has each turn's probability. The expectation of F1 is taken as 2 Σ p / (length + Σ all p), the
    ratio of expectations; its maximum over spans is found by Dinkelbach's method, each step a maximum-sum segment: O(n_turns)
    times the few steps that it takes.

    Reference: Dinkelbach, "On Nonlinear Fractional Programming", 1967; Kadane's algorithm for the segments.
    """
    found: tuple[int, int, float] = _choose(membership)
    return found


def rate_span(expected_f1: float) -> float:
    """Return the probability that a span is right: has an F1 of ½ or more with the one that a reader would give.

    Reference: Platt, "Probabilistic Outputs for Support Vector Machines", 1999.
    """
    bounded = min(max(expected_f1, _LEAST), _MOST)
    return 1 / (1 + math.exp(-(_SLOPE * math.log(bounded / (1 - bounded)) + _OFFSET)))


def span_hull(begun: NDArray[np.float64], lasting: NDArray[np.float64], rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return each turn's probability to lie between the first and the last turn of these rows' spans; all 0 without rows.

    `begun` and `lasting` (n_rows × n_turns) say how likely a row's span has begun by a turn, and lasts to it or beyond. A turn
    belongs to the hull with P(one has begun) + P(one lasts) − 1, exact for spans in order.
    """
    hull: NDArray[np.float64] = _hull(begun, lasting, rows)
    return hull


@compiled
def _hull(begun: NDArray[np.float64], lasting: NDArray[np.float64], rows: NDArray[np.int64]) -> NDArray[np.float64]:
    one_begun, one_lasts = np.zeros(begun.shape[1]), np.zeros(begun.shape[1])
    for row in rows:
        for turn in range(one_begun.size):
            one_begun[turn] = begun[row, turn] if begun[row, turn] > one_begun[turn] else one_begun[turn]
            one_lasts[turn] = lasting[row, turn] if lasting[row, turn] > one_lasts[turn] else one_lasts[turn]
    hull = np.empty(one_begun.size)
    for turn in range(hull.size):
        both = one_begun[turn] + one_lasts[turn] - 1
        hull[turn] = both if both > 0 else 0.0
    return hull


@compiled
def _choose(membership: NDArray[np.float64]) -> tuple[int, int, float]:
    total = membership.sum()
    start = end = int(np.argmax(membership))
    value = 2 * membership[start] / (1 + total)
    low, high = 0, membership.size - 1  # the best span begins and ends with turns that gain
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
        found = 2 * membership[first : last + 1].sum() / (last - first + 1 + total)
        if found <= value * (1 + 1e-12):
            return start, end, float(value)
        start, end, value = first, last, found
