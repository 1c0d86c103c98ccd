"""What people say of the rows of a release: the share that they accept, and how good they find dialogues, with intervals."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.metrics.alignment_quality import Estimate

_RESAMPLES = 2_000


@dataclass(frozen=True, slots=True)
class Rating:
    """A mean over `rows` rows of `units` units."""

    rows: int
    units: int
    mean: Estimate


def rate_rows(values: Sequence[float], owners: Sequence[str]) -> Rating | None:
    """Return the mean of the rows' values, None without rows.

    The interval is a percentile bootstrap over units (95 %), since rows of one unit are alike.

    Args:
        values: one a row: a level, or 1 for a row that readers accept and 0 for one that they do not.
        owners: the unit of each row.
    """
    if not values:
        return None
    names, places = np.unique(np.asarray(owners), return_inverse=True)
    sums = np.bincount(places, weights=np.asarray(values, float))
    counts = np.bincount(places).astype(float)
    drawn = np.random.default_rng(0).multinomial(len(names), np.full(len(names), 1 / len(names)), _RESAMPLES)
    low, high = np.quantile((drawn @ sums) / (drawn @ counts), [0.025, 0.975])
    return Rating(len(values), len(names), Estimate(float(sums.sum() / counts.sum()), float(low), float(high)))
