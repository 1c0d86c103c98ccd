"""What a review brings: the F1 of a release against the share of its rows that a reader has looked at, simulated with gold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.metrics.alignment_quality import Estimate
from core.metrics.span_agreement import SpanMatch
from core.pictures import HEIGHT, LEFT, PLOT_HEIGHT, PLOT_WIDTH, TOP, frame_plot

_RESAMPLES = 1_000
_COLOURS = {"worth": "#d0743c", "confidence": "#4878a8", "random": "#777777"}
_TITLES = {"worth": "by expected gain", "confidence": "lowest confidence first", "random": "at random"}


@dataclass(frozen=True, slots=True)
class Look:
    """A row that a reader may look at: its unit, how its span agrees with gold now, and the turns that it holds."""

    unit: str
    match: SpanMatch
    turns: int


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """After a share of the rows was looked at: F1 over all turns, mean F1 of the rows, and the share of turns that was read."""

    share: float
    pooled: Estimate
    macro: Estimate
    read: float


def measure_curve(rows: Sequence[Look], orders: Sequence[NDArray[np.int64]], shares: Sequence[float]) -> list[CurvePoint]:
    """Return the points of a curve: the rows are corrected in an order, and the F1 of all rows together is measured.

    Intervals are percentile bootstraps over units: the order of the rows stays, and a unit that is drawn twice counts twice.

    Args:
        rows: all rows of the release that have gold.
        orders: places of the rows in the order of looking; the mean is taken over several (of a random order).
        shares: of the rows, from 0 to 1.
    """
    units = {unit: place for place, unit in enumerate(dict.fromkeys(row.unit for row in rows))}
    owners = np.array([units[row.unit] for row in rows])
    before = np.array([(2 * row.match.inside, row.match.predicted + row.match.gold, row.match.f1, 1) for row in rows], float)
    after = np.array([(2 * row.match.gold, 2 * row.match.gold, 1.0, 1) for row in rows], float)
    turns = np.array([row.turns for row in rows], float)
    drawn = np.random.default_rng(0).multinomial(len(units), np.full(len(units), 1 / len(units)), _RESAMPLES)
    weights = np.vstack([np.ones(len(units)), drawn])  # the first row is the estimate itself
    points = []
    for share in shares:
        values = np.zeros((len(weights), 2))
        read = 0.0
        for order in orders:
            seen = np.zeros(len(rows), bool)
            seen[order[: round(share * len(rows))]] = True
            sums = np.zeros((len(units), 4))
            np.add.at(sums, owners, np.where(seen[:, None], after, before))
            total = weights @ sums
            values += np.stack([total[:, 0] / total[:, 1], total[:, 2] / total[:, 3]], axis=1) / len(orders)
            read += float(turns[seen].sum() / turns.sum()) / len(orders)
        low, high = np.quantile(values[1:], [0.025, 0.975], axis=0)
        pooled, macro = (Estimate(*map(float, column)) for column in zip(values[0], low, high, strict=True))
        points.append(CurvePoint(share, pooled, macro, read))
    return points


def draw_curves(curves: Mapping[str, Sequence[CurvePoint]]) -> str:
    """Return the curves of the pooled F1 as SVG text, with the 95 % intervals as bands."""
    parts = [part for name, points in curves.items() for part in _draw(name, points)]
    legend = (_name(name, place) for place, name in enumerate(curves))
    title = "Pooled F1 of the release, by the share of its chunks looked at"
    return frame_plot(title, "share of the chunks looked at", "pooled F1", (1.0, 1.0), [*parts, *legend])


def _draw(name: str, points: Sequence[CurvePoint]) -> list[str]:
    line = " ".join(_place(point.share, point.pooled.value) for point in points)
    band = [_place(point.share, point.pooled.high) for point in points]
    band += [_place(point.share, point.pooled.low) for point in reversed(points)]
    return [
        f'<polygon points="{" ".join(band)}" fill="{_COLOURS[name]}" fill-opacity="0.12"/>',
        f'<polyline points="{line}" fill="none" stroke="{_COLOURS[name]}" stroke-width="2"/>',
    ]


def _name(name: str, place: int) -> str:
    y = HEIGHT - 110 + 18 * place
    left = LEFT + PLOT_WIDTH - 200
    mark = f'<rect x="{left}" y="{y - 9}" width="14" height="10" fill="{_COLOURS[name]}"/>'
    return f'{mark}<text x="{left + 20}" y="{y}">{_TITLES[name]}</text>'


def _place(share: float, f1: float) -> str:
    return f"{LEFT + share * PLOT_WIDTH:.1f},{TOP + (1 - f1) * PLOT_HEIGHT:.1f}"
