"""Fits the curve of a probability on rows of which it is known whether they are right, and measures it by folds over units."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from core.bounds import UNCHANGED, Curve
from core.errors import ConfigError
from core.metrics.reliability import Reliability, rate_confidences

LEAST_UNITS = 3
"""Below it a curve cannot be measured on units that it has not seen."""
LEAST_ROWS = 50
"""Known rows of which a curve is fitted; of fewer its two constants are mostly chance."""


@dataclass(frozen=True, slots=True)
class KnownRow:
    """A row's unit, which names the fold, the log odds of its probability, and whether it is right."""

    unit: str
    odds: float
    right: bool


@dataclass(frozen=True, slots=True)
class FittedCurve:
    """A fitted curve, and how well the curve of today and this one (by folds over units) do on the same rows."""

    curve: Curve
    rows: int
    units: int
    before: Reliability
    after: Reliability


@dataclass(frozen=True, slots=True)
class FittedSettings:
    """Curves by the name of their setting, and how many known rows each source gave."""

    curves: Mapping[str, FittedCurve]
    given: Mapping[str, int]


def find_odds(probabilities: ArrayLike, least: float = 0.001, most: float = 0.999) -> NDArray[np.float64]:
    """Return the logarithm of the odds of probabilities, which are cut to `least` … `most` before; the shape stays."""
    cut = np.clip(np.asarray(probabilities, np.float64), least, most)
    return np.asarray(np.log(cut / (1 - cut)), np.float64)


def move_probability(probability: float, curve: Curve) -> float:
    """Return a probability moved by a curve: σ(slope · log odds + offset) (Platt 1999)."""
    slope, offset = curve
    return probability if curve == UNCHANGED else float(expit(slope * find_odds(probability) + offset))


def chain_curves(first: Curve, then: Curve) -> Curve:
    """Return the curve that moves a probability as two curves do one after the other."""
    return then[0] * first[0], then[0] * first[1] + then[1]


def fit_confidence(known: Sequence[KnownRow], today: Curve = UNCHANGED) -> FittedCurve:
    """Fit a curve on rows of at least three units, and measure it on each unit by the others.

    Raises:
        ConfigError: too few rows or units, or all of the rows are right, or wrong.
    """
    units, right = {each.unit for each in known}, [each.right for each in known]
    if len(units) < LEAST_UNITS or len(known) < LEAST_ROWS or len(set(right)) < 2:
        raise ConfigError(
            f"found {len(known)} known rows of {len(units)} unit(s), {sum(right)} of them right; a curve needs at least "
            f"{LEAST_ROWS} of {LEAST_UNITS}, right ones and wrong ones: review more rows, ask a reader, or name gold"
        )
    stated = expit(today[0] * _list_odds(known) + today[1])
    before, after = (rate_confidences(found.tolist(), right) for found in (stated, fit_by_folds(known)))
    assert before is not None
    assert after is not None
    return FittedCurve(fit_curve(known), len(known), len(units), before, after)


def fit_curve(known: Sequence[KnownRow]) -> Curve:
    """Return the slope and the offset with the highest likelihood (Platt 1999), rows weighing alike."""
    from scipy.optimize import minimize  # it takes a tenth of a second, which a run that only moves probabilities need not wait

    odds, right = _list_odds(known), np.array([each.right for each in known], np.float64)

    def lose(curve: NDArray[np.float64]) -> float:
        stated = curve[0] * odds + curve[1]
        return float(np.mean(np.logaddexp(0, stated) - right * stated))

    slope, offset = minimize(lose, np.array(UNCHANGED), bounds=[(0, 100), (-100, 100)]).x.tolist()
    return slope, offset


def fit_by_folds(known: Sequence[KnownRow]) -> NDArray[np.float64]:
    """Return each probability by the curve that was fitted on all other units."""
    stated, odds = np.empty(len(known)), _list_odds(known)
    for name in {each.unit for each in known}:
        slope, offset = fit_curve([each for each in known if each.unit != name])
        own = np.array([each.unit == name for each in known])
        stated[own] = expit(slope * odds[own] + offset)
    return stated


def _list_odds(known: Sequence[KnownRow]) -> NDArray[np.float64]:
    return np.array([each.odds for each in known])
