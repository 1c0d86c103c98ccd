"""Bootstrap over units: how far a mean, or the difference of two systems on the same rows, could be another by chance.

Rows of one episode are not independent, so whole units are drawn. With few units that says too little, and rows are drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2000
SEED = 0
LEAST_UNITS = 5
"""With fewer units, rows are drawn: the interval then says nothing of other units."""

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and the bounds of its 95 % interval; `rows` is the number of rows in which the measure is defined."""

    value: float
    low: float
    high: float
    rows: int


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean of a − b over the same rows, the bounds of its 95 % interval, and the two-sided p of no difference."""

    value: float
    low: float
    high: float
    p: float


@dataclass(frozen=True, slots=True)
class Resampling:
    """Draws of the groups of some rows, units or rows: `weights` (resamples × groups) says how often each is drawn.

    `groups` (n_rows) has the number of the group of each row.
    """

    weights: Values
    groups: NDArray[np.int64]
    drawn: Literal["units", "rows"]

    def estimate(self, values: Values) -> Interval | None:
        """Return the mean of `values` (n_rows; NaN: not defined) with its interval; None where no row defines it."""
        defined = ~np.isnan(values)
        if not defined.any():
            return None
        means = self._resample(values, defined)
        low, high = np.nanpercentile(means, (2.5, 97.5))
        return Interval(float(values[defined].mean()), float(low), float(high), int(defined.sum()))

    def compare(self, first: Values, second: Values) -> Difference | None:
        """Return the mean of first − second over the rows in which both are defined; None where there is none.

        p = 2 · min(share of resamples with a difference ≤ 0, share with one ≥ 0), at least 2 / resamples, and at least
        2^(1 − groups): so often all groups differ in one direction by chance (sign test). Below 6 groups none is < 0.05.

        Reference: Koehn, "Statistical Significance Tests for Machine Translation Evaluation", 2004 (paired bootstrap).
        """
        values = first - second
        defined = ~np.isnan(values)
        if not defined.any():
            return None
        means = self._resample(values, defined)
        means = means[~np.isnan(means)]
        low, high = np.percentile(means, (2.5, 97.5))
        side = min(float((means <= 0).mean()), float((means >= 0).mean()))
        least = max(2 / len(means), 2.0 ** (1 - len(np.unique(self.groups[defined]))))
        return Difference(float(values[defined].mean()), float(low), float(high), min(1.0, max(2 * side, least)))

    def _resample(self, values: Values, defined: NDArray[np.bool_]) -> Values:
        """Return the mean of each resample; NaN where it drew no defined row."""
        n_groups = self.weights.shape[1]
        sums = np.bincount(self.groups[defined], values[defined], n_groups)
        counts = np.bincount(self.groups[defined], minlength=n_groups)
        with np.errstate(invalid="ignore"):
            means: Values = (self.weights @ sums) / (self.weights @ counts.astype(np.float64))
        return means


def resample(units: Sequence[str], resamples: int = RESAMPLES, seed: int = SEED) -> Resampling:
    """Draw the units of some rows with replacement, `resamples` times; the rows themselves where there are few units.

    Args:
        units: the unit of every row (n_rows).
        resamples: how often.
        seed: of the draws; equal units give equal draws.
    """
    names = list(dict.fromkeys(units))
    drawn: Literal["units", "rows"] = "units" if len(names) >= LEAST_UNITS else "rows"
    numbers = {name: number for number, name in enumerate(names)}
    groups = np.array([numbers[unit] for unit in units] if drawn == "units" else range(len(units)), np.int64)
    n_groups = len(names) if drawn == "units" else len(units)
    generator = np.random.default_rng(seed)
    weights = generator.multinomial(n_groups, np.full(n_groups, 1 / n_groups), size=resamples).astype(np.float64)
    return Resampling(weights, groups, drawn)
