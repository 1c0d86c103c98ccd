"""How well a ranking finds room descriptions: average precision, precision at k, and an interval over episodes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 500
_SEED = 15


@dataclass(frozen=True, slots=True)
class RankingQuality:
    """Average precision with its 95 % interval over resampled episodes, precision at 100, Brier score of probabilities."""

    average_precision: float
    low: float
    high: float
    precision_at_100: float
    brier: float | None


def rate_ranking(
    labels: NDArray[np.bool_], values: NDArray[np.float64], groups: Sequence[str], probabilities: bool = False
) -> RankingQuality:
    """Return the quality of ranking sentences by `values`, the highest first; sentences of equal value share their places."""
    chosen = np.unique(np.asarray(groups), return_inverse=True)[1]
    generator = np.random.default_rng(_SEED)
    count = int(chosen.max()) + 1
    found = []
    for _ in range(RESAMPLES):
        weights = np.bincount(generator.integers(0, count, count), minlength=count)[chosen].astype(float)
        if weights[labels].sum():
            found.append(average_precision(labels, values, weights))
    low, high = np.quantile(found, [0.025, 0.975])
    brier = float(np.mean((values - labels) ** 2)) if probabilities else None
    return RankingQuality(average_precision(labels, values), float(low), float(high), precision_at(labels, values, 100), brier)


def average_precision(
    labels: NDArray[np.bool_], values: NDArray[np.float64], weights: NDArray[np.float64] | None = None
) -> float:
    """Return the average precision: Σ (R_n − R_{n−1}) P_n over the distinct values as thresholds, as scikit-learn defines it."""
    weights = np.ones(len(labels)) if weights is None else weights
    order = np.argsort(-values, kind="stable")
    hits, seen = np.cumsum(weights[order] * labels[order]), np.cumsum(weights[order])
    last = np.concatenate((np.flatnonzero(np.diff(values[order])), [len(order) - 1]))
    hits, seen = hits[last], seen[last]
    gained = np.diff(np.concatenate(([0.0], hits)))
    precision = np.divide(hits, seen, out=np.zeros_like(hits), where=seen > 0)
    return float((gained * precision).sum() / hits[-1])


def precision_at(labels: NDArray[np.bool_], values: NDArray[np.float64], count: int) -> float:
    """Return the share of positives among the `count` highest; of those that tie for the last places, the expected share."""
    count = min(count, len(values))
    least = np.sort(values)[-count]
    above, tied = values > least, values == least
    missing = count - int(above.sum())
    return float((labels[above].sum() + missing * labels[tied].mean()) / count)
