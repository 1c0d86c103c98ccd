"""Calibration of confidences: stated probabilities compared with outcomes, by bins of confidence."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.dataset.pictures import LEFT, ORANGE, PLOT_HEIGHT, PLOT_WIDTH, TOP, draw_bar, frame_plot


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """The `count` predictions with a confidence from `low` to `high`: their mean confidence and the share that came true."""

    low: float
    high: float
    count: int
    stated: float
    observed: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """The bins with predictions, the expected calibration error and the Brier score (0: perfect)."""

    bins: tuple[ReliabilityBin, ...]
    calibration_error: float
    brier: float


def rate_confidences(confidences: Sequence[float], outcomes: Sequence[bool], n_bins: int = 10) -> Reliability | None:
    """Return the reliability of confidences (0 to 1), in `n_bins` bins of equal width, or None without predictions.

    The expected calibration error is Σ |stated − observed| · count / n over the bins. The Brier score is the mean squared
    difference of confidence and outcome.

    Reference: Guo et al., "On Calibration of Modern Neural Networks", 2017, section 2; Brier 1950.
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


def draw_reliability(table: Reliability, title: str) -> str:
    """Return the diagram as SVG text (Guo et al. 2017, figure 1): observed shares as bars, stated confidences as marks."""
    total = sum(entry.count for entry in table.bins)
    found = f"{total:,} pairs, calibration error {table.calibration_error:.3f}, Brier score {table.brier:.3f}"
    diagonal = f'<path d="M{_x(0)} {_y(0)}L{_x(1)} {_y(1)}" stroke="#555" stroke-dasharray="4 4"/>'
    parts = [part for entry in table.bins for part in _draw_bin(entry)]
    return frame_plot(f"{title}: {found}", "stated confidence", "share that is right", (1.0, 1.0), [*parts, diagonal])


def _draw_bin(entry: ReliabilityBin) -> list[str]:
    middle = _x((entry.low + entry.high) / 2)
    hint = f"stated {entry.stated:.3f}, observed {entry.observed:.3f}, {entry.count:,} pairs"
    return [
        f"<g><title>{hint}</title>{draw_bar(entry.low + 0.003, entry.high - 0.003, 0, entry.observed)}</g>",
        f'<circle cx="{middle:.1f}" cy="{_y(entry.stated):.1f}" r="3" fill="{ORANGE}"/>',
        f'<text x="{middle:.1f}" y="{_y(0) - 4:.1f}" text-anchor="middle" font-size="9">{entry.count}</text>',
    ]


def _x(share: float) -> float:
    return LEFT + share * PLOT_WIDTH


def _y(share: float) -> float:
    return TOP + (1 - share) * PLOT_HEIGHT
