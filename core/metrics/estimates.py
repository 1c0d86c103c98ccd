"""Means with confidence intervals: from sums that add up over parts of a sample, by bootstrap over rows."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit


@dataclass(frozen=True, slots=True)
class Moments:
    """The number of observations, their sum and the sum of their squares. The moments of two samples add up."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def __add__(self, other: "Moments") -> "Moments":
        return Moments(self.count + other.count, self.total + other.total, self.squares + other.squares)

    @property
    def mean(self) -> float | None:
        """The arithmetic mean, None without observations."""
        return self.total / self.count if self.count else None

    @property
    def deviation(self) -> float | None:
        """The sample standard deviation (n − 1), None for fewer than two observations."""
        if self.count < 2:
            return None
        return math.sqrt(max(0.0, self.squares - self.total**2 / self.count) / (self.count - 1))


def measure_moments(values: Iterable[float]) -> Moments:
    """Return the moments of the values."""
    observed = [float(value) for value in values]
    return Moments(len(observed), math.fsum(observed), math.fsum(value * value for value in observed))


LEVEL = 0.95
"""Probability that a confidence interval covers the mean."""
PERCENTILES = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)


def confidence_interval(moments: Moments) -> float | None:
    """Return half the width of the mean's two-sided confidence interval, by Student's t; None for fewer than two observations."""
    deviation = moments.deviation
    if deviation is None:
        return None
    return float(stdtrit(moments.count - 1, PERCENTILES[1])) * deviation / math.sqrt(moments.count)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its confidence interval."""

    value: float
    low: float
    high: float


def bootstrap_means(values: NDArray[np.float64], resamples: int = 10_000, seed: int = 0) -> list[Estimate]:
    """Return the mean of each column and its percentile interval. Rows are drawn, so all columns are drawn together."""
    numbers = np.random.default_rng(seed)
    drawn = np.stack([values[numbers.integers(0, len(values), len(values))].mean(axis=0) for _ in range(resamples)])
    low, high = np.quantile(drawn, PERCENTILES, axis=0)
    columns = zip(values.mean(axis=0), low, high, strict=True)
    return [Estimate(float(mean), float(bottom), float(top)) for mean, bottom, top in columns]
