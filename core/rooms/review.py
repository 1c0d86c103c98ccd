"""Chooses the sentences that are most useful to judge next: uncertain ones, and unlike those that are judged already."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

MOST_CANDIDATES = 5_000
"""Only the most uncertain sentences are compared with each other."""


def choose_next(
    probabilities: NDArray[np.float64], vectors: NDArray[np.float32], judged: NDArray[np.float32], count: int
) -> list[int]:
    """Return the indices of the sentences to judge next, the most useful first.

    The use of a sentence is 1 − |2p − 1| times 1 − its highest cosine similarity to a sentence that is judged or chosen before.
    Time O(count · n) for n sentences.

    Args:
        probabilities: that each sentence is a room description (n).
        vectors: of the sentences, of length 1 (n × dimensions).
        judged: vectors of those that are judged (m × dimensions).
        count: how many to choose.
    """
    uncertain = 1 - np.abs(2 * probabilities - 1)
    candidates = np.argsort(-uncertain, kind="stable")[:MOST_CANDIDATES]
    own = vectors[candidates]
    nearest = (own @ judged.T).max(1) if len(judged) else np.zeros(len(candidates), np.float32)
    chosen: list[int] = []
    free = np.ones(len(candidates), bool)
    for _ in range(min(count, len(candidates))):
        use = np.where(free, uncertain[candidates] * (1 - nearest), -np.inf)
        best = int(np.argmax(use))
        free[best] = False
        chosen.append(int(candidates[best]))
        nearest = np.maximum(nearest, own @ own[best])
    return chosen


def choose_likely(probabilities: NDArray[np.float64], count: int) -> list[int]:
    """Return the indices of the sentences of the highest probability (n), the highest first: those that find most."""
    return [int(place) for place in np.argsort(-probabilities, kind="stable")[:count]]


def count_found(
    labels: NDArray[np.bool_], read: Sequence[int], weights: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return how many room descriptions were found after each sentence that was read (len(read)); each counts as its weight."""
    places = np.asarray(read, np.int64)
    counted = np.ones(len(labels)) if weights is None else weights
    found: NDArray[np.float64] = np.cumsum(counted[places] * labels[places])
    return found
