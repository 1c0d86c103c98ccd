"""What a review brings: the F1 of a release against the share of its rows that were looked at, simulated with gold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.dataset.report import ReviewCurve
from core.metrics.estimates import Estimate
from core.review.priority import SpanErrors, expect_f1, expect_gain

SHARES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0)
"""Shares of the rows at which a curve is measured."""
LEAST_ROWS, LEAST_UNITS = 50, 3
"""Fewer rows with gold, or rows of fewer units, make no curve: its interval would say nothing."""
RANDOM_ORDERS = 20
"""Random orders whose mean is the random curve."""
_RESAMPLES = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A row that an annotator may look at, counted in turns or in scenes.

    `found` is how many of them the row has now, `gold` how many it has by gold, and `inside` how many of those it has already.
    `errors` is what the aligner expects to be wrong, `confidence` how sure it is (None: unknown), `turns` what a look reads.
    """

    unit: str
    inside: int
    found: int
    gold: int
    errors: SpanErrors
    confidence: float | None
    turns: int

    @property
    def f1(self) -> float:
        """The row's own F1; 1 where there is nothing to find and nothing was found."""
        return 2 * self.inside / (self.found + self.gold) if self.found + self.gold else 1.0


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """After a share of the rows was looked at: pooled F1, mean F1 of the rows, and the share of turns that was read."""

    share: float
    pooled: Estimate
    macro: Estimate
    read: float


def order_looks(looks: Sequence[Look]) -> dict[str, list[NDArray[np.int64]]]:
    """Return orders in which rows are looked at, as places of the rows; several of the random one.

    `worth`: the highest priority first (`core.review.priority`; published curves have this name). `confidence`: the lowest first,
    rows without one before all others.
    """
    f1 = expect_f1([look.errors for look in looks])
    keys = {
        "worth": [-expect_gain(look.errors, f1) for look in looks],
        "confidence": [-1.0 if look.confidence is None else look.confidence for look in looks],
    }
    numbers = np.random.default_rng(0)
    orders = {name: [np.argsort(np.array(key), kind="stable")] for name, key in keys.items()}
    return {**orders, "random": [numbers.permutation(len(looks)) for _ in range(RANDOM_ORDERS)]}


def simulate_review(looks: Sequence[Look], row: str, unit: str) -> ReviewCurve | None:
    """Return the curves of a review of rows with gold, by every order; None where there are too few rows or units."""
    units = len({look.unit for look in looks})
    if len(looks) < LEAST_ROWS or units < LEAST_UNITS or not any(look.gold for look in looks):
        return None
    curves = {name: measure_curve(looks, orders, SHARES) for name, orders in order_looks(looks).items()}
    return describe_curves(curves, len(looks), units, row, unit)


def describe_curves(
    curves: Mapping[str, Sequence[CurvePoint]], rows: int, units: int, row: str, unit: str, recorded: str = ""
) -> ReviewCurve:
    """Return measured curves as a report shows them, rounded to four digits."""
    orders = {
        name: tuple(
            (point.share, round(point.pooled.value, 4), round(point.pooled.low, 4), round(point.pooled.high, 4))
            for point in points
        )
        for name, points in curves.items()
    }
    return ReviewCurve(rows=rows, units=units, row=row, unit=unit, orders=orders, recorded=recorded)


def measure_curve(looks: Sequence[Look], orders: Sequence[NDArray[np.int64]], shares: Sequence[float]) -> list[CurvePoint]:
    """Return the points of a curve: the rows are corrected in an order, and the F1 of all rows together is measured.

    Intervals are percentile bootstraps over units: the order of the rows stays, and a unit that is drawn twice counts twice.

    `orders` have places of the rows; the mean is taken over several (of a random order). `shares` are of the rows, from 0 to 1.
    """
    points = []
    for share in shares:
        values, read = follow_order(looks, orders, share)
        low, high = np.quantile(values[1:], [0.025, 0.975], axis=0)
        pooled, macro = (Estimate(*map(float, column)) for column in zip(values[0], low, high, strict=True))
        points.append(CurvePoint(share, pooled, macro, read))
    return points


def follow_order(looks: Sequence[Look], orders: Sequence[NDArray[np.int64]], share: float) -> tuple[NDArray[np.float64], float]:
    """Return pooled and mean F1 after a share of the rows, of all units and of each draw, and the share of turns read."""
    units = {unit: place for place, unit in enumerate(dict.fromkeys(look.unit for look in looks))}
    owners = np.array([units[look.unit] for look in looks])
    before = np.array([(2 * look.inside, look.found + look.gold, look.f1, 1) for look in looks], float)
    after = np.array([(2 * look.gold, 2 * look.gold, 1.0, 1) for look in looks], float)
    turns = np.array([look.turns for look in looks], float)
    drawn = np.random.default_rng(0).multinomial(len(units), np.full(len(units), 1 / len(units)), _RESAMPLES)
    weights = np.vstack([np.ones(len(units)), drawn])  # the first row is the estimate itself
    values, read = np.zeros((len(weights), 2)), 0.0
    for order in orders:
        seen = np.zeros(len(looks), bool)
        seen[order[: round(share * len(looks))]] = True
        sums = np.zeros((len(units), 4))
        np.add.at(sums, owners, np.where(seen[:, None], after, before))
        total = weights @ sums
        pooled = np.divide(total[:, 0], total[:, 1], out=np.ones(len(total)), where=total[:, 1] > 0)
        values += np.stack([pooled, total[:, 2] / total[:, 3]], axis=1) / len(orders)
        read += float(turns[seen].sum() / max(turns.sum(), 1)) / len(orders)
    return values, read
