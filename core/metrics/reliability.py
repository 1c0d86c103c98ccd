"""How far stated probabilities can be trusted: what was stated against what came true, by bins of confidence."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Predictions whose confidence lies between `low` and `high`: how many, their mean confidence, the share that came true."""

    low: float
    high: float
    count: int
    stated: float
    observed: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """A reliability table: the bins that have predictions, the expected calibration error and the Brier score (0: perfect)."""

    bins: tuple[ReliabilityBin, ...]
    calibration_error: float
    brier: float


def rate_confidences(confidences: Sequence[float], outcomes: Sequence[bool], n_bins: int = 10) -> Reliability | None:
    """Compare confidences (0 to 1) with what came true, in `n_bins` bins of equal width; None without predictions.

    The expected calibration error is Σ |stated − observed| · count / n over the bins, the Brier score the mean squared difference
    of confidence and outcome. Raises ValueError where the lengths differ or a confidence is no probability.

    Reference: Guo et al., "On Calibration of Modern Neural Networks", 2017, section 2; Brier, "Verification of Forecasts
    Expressed in Terms of Probability", 1950.
    """
    stated, came_true = np.asarray(confidences, np.float64), np.asarray(outcomes, np.float64)
    if stated.shape != came_true.shape:
        raise ValueError(f"{stated.size} confidences for {came_true.size} outcomes")
    if not stated.size:
        return None
    if not ((stated >= 0) & (stated <= 1)).all():
        raise ValueError(f"confidences are probabilities, 0 to 1, not {stated.min():g} to {stated.max():g}")
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
