"""Calibration of confidences: stated probabilities compared with outcomes, by bins of confidence."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """The predictions with a confidence from `low` to `high`.

    `count` is their number, `stated` their mean confidence and `observed` the share that came true.
    """

    low: float
    high: float
    count: int
    stated: float
    observed: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """A reliability table: the bins with predictions, the expected calibration error and the Brier score (0: perfect)."""

    bins: tuple[ReliabilityBin, ...]
    calibration_error: float
    brier: float


def rate_confidences(confidences: Sequence[float], outcomes: Sequence[bool], n_bins: int = 10) -> Reliability | None:
    """Return the reliability of confidences (0 to 1), in `n_bins` bins of equal width, or None without predictions.

    The expected calibration error is Σ |stated − observed| · count / n over the bins. The Brier score is the mean squared
    difference of confidence and outcome. Raises ValueError if the lengths differ or a confidence is not from 0 to 1.

    Reference: Guo et al., "On Calibration of Modern Neural Networks", 2017, section 2; Brier, "Verification of Forecasts
    Expressed in Terms of Probability", 1950.
    """
    stated, came_true = np.asarray(confidences, np.float64), np.asarray(outcomes, np.float64)
    if stated.shape != came_true.shape:
        raise ValueError(f"found {stated.size} confidences for {came_true.size} outcomes: expected one per outcome")
    if not stated.size:
        return None
    if not ((stated >= 0) & (stated <= 1)).all():
        raise ValueError(f"found confidences from {stated.min():g} to {stated.max():g}: expected probabilities from 0 to 1")
    places = np.minimum((stated * n_bins).astype(np.int64), n_bins - 1)
    bins = tuple(
        ReliabilityBin(
            place / n_bins, (place + 1) / n_bins, int(inside.sum()), float(stated[inside].mean()), float(came_true[inside].mean())
        )
        for place in np.unique(places).tolist()
        for inside in (places == place,)
    )
    error = sum(abs(entry.stated - entry.observed) * entry.count for entry in bins) / stated.size
    return Reliability(bins, error, float(np.mean((stated - came_true) ** 2)))


_SIDE, _LEFT, _TOP, _COUNTS = 320, 64, 48, 64  # pixels: the square, its margins, the height of the counts
_WIDTH, _HEIGHT = _LEFT + _SIDE + 24, _TOP + _SIDE + 24 + _COUNTS + 40


def draw_reliability(table: Reliability, title: str) -> str:
    """Return the diagram as SVG text.

    Each bin has a bar for the observed share and a mark for the stated confidence. The diagonal is perfect calibration. The bars
    below are the counts.

    Reference: Guo et al., "On Calibration of Modern Neural Networks", 2017, figure 1.
    """
    total, most = sum(entry.count for entry in table.bins), max(entry.count for entry in table.bins)
    found = f"{total:,} pairs, calibration error {table.calibration_error:.3f}, Brier score {table.brier:.3f}"
    return "\n".join((
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" font-size="12">',
        f"<title>{_escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        _text(_LEFT, 20, title, "start", "font-weight='bold'"),
        _text(_LEFT, 36, found, "start"),
        *(_bar(entry) for entry in table.bins),
        *(_count(entry, most) for entry in table.bins),
        f'<line x1="{_x(0)}" y1="{_y(0)}" x2="{_x(1)}" y2="{_y(1)}" stroke="#555" stroke-dasharray="4 4"/>',
        f'<rect x="{_LEFT}" y="{_TOP}" width="{_SIDE}" height="{_SIDE}" fill="none" stroke="#333"/>',
        *(_ticks(place / 5) for place in range(6)),
        _text(_LEFT + _SIDE / 2, _HEIGHT - 8, "stated confidence", "middle"),
        f'<text transform="translate(16 {_TOP + _SIDE / 2}) rotate(-90)" text-anchor="middle">share that is right</text>',
        "</svg>\n",
    ))  # fmt: skip


def _bar(entry: ReliabilityBin) -> str:
    width, middle = (entry.high - entry.low) * _SIDE - 2, (entry.low + entry.high) / 2
    hint = f"stated {entry.stated:.3f}, observed {entry.observed:.3f}, {entry.count:,} pairs"
    return (
        f'<g><title>{hint}</title><rect x="{_x(entry.low) + 1:.1f}" y="{_y(entry.observed):.1f}" width="{width:.1f}" '
        f'height="{entry.observed * _SIDE:.1f}" fill="#4878a8"/>'
        f'<circle cx="{_x(middle):.1f}" cy="{_y(entry.stated):.1f}" r="3" fill="#d0743c"/></g>'
    )


def _count(entry: ReliabilityBin, most: int) -> str:
    top, height = _TOP + _SIDE + 24, _COUNTS * entry.count / most
    width = (entry.high - entry.low) * _SIDE - 2
    bar = f'<rect x="{_x(entry.low) + 1:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" fill="#bbb"/>'
    return bar + _text(_x((entry.low + entry.high) / 2), top + 12, f"{entry.count}", "middle", 'font-size="9"')


def _ticks(share: float) -> str:
    return _text(_x(share), _TOP + _SIDE + 16, f"{share:.1f}", "middle") + _text(_LEFT - 8, _y(share) + 4, f"{share:.1f}", "end")


def _text(x: float, y: float, text: str, anchor: str, extra: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {extra}>{_escape(text)}</text>'


def _x(share: float) -> float:
    return _LEFT + share * _SIDE


def _y(share: float) -> float:
    return _TOP + (1 - share) * _SIDE


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
