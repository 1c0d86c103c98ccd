"""Fits the curve that makes a span's confidence of its expected F1, on spans that are known, and measures it by folds."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from core.alignment.config import CURVE, Curve
from core.alignment.windows import find_log_odds
from core.errors import ConfigError
from core.metrics.alignment_quality import SpanMatch
from core.metrics.reliability import Reliability, rate_confidences

LEAST_EPISODES = 3
"""Below it a curve cannot be measured on episodes that it has not seen."""
LEAST_SPANS = 50
"""Right or wrong spans of which a curve is fitted; of fewer its two constants are mostly chance."""


@dataclass(frozen=True, slots=True)
class JudgedSpan:
    """A chunk's expected F1 and how its span agrees with the right one; `episode` names the fold."""

    episode: str
    expected: float
    match: SpanMatch

    @property
    def right(self) -> bool:
        """Whether the span counts as right: F1 ≥ ½."""
        return self.match.f1 >= 0.5


@dataclass(frozen=True, slots=True)
class FittedCurve:
    """A fitted curve, and how well the curve of the default and this one (by folds over episodes) do on the same spans."""

    curve: Curve
    spans: int
    episodes: int
    before: Reliability
    after: Reliability


def fit_confidence(judged: Sequence[JudgedSpan]) -> FittedCurve:
    """Fit a curve on spans of at least three episodes, and measure it on each episode by the others.

    Raises:
        ConfigError: too few spans or episodes, or all of the spans are right, or wrong.
    """
    episodes, right = {each.episode for each in judged}, [each.right for each in judged]
    if len(episodes) < LEAST_EPISODES or len(judged) < LEAST_SPANS or len(set(right)) < 2:
        raise ConfigError(
            f"found {len(judged)} known spans of {len(episodes)} episode(s), {sum(right)} of them right; a curve needs at least "
            f"{LEAST_SPANS} of {LEAST_EPISODES}, right ones and wrong ones: review more rows, ask a reader, or name gold"
        )
    stated = expit(CURVE[0] * _odds(judged) + CURVE[1])
    before, after = (rate_confidences(found.tolist(), right) for found in (stated, fit_by_folds(judged)))
    assert before is not None
    assert after is not None
    return FittedCurve(fit_curve(judged), len(judged), len(episodes), before, after)


def fit_curve(judged: Sequence[JudgedSpan]) -> Curve:
    """Return the slope and the offset with the highest likelihood (Platt 1999), spans weighing alike."""
    odds, right = _odds(judged), np.array([each.right for each in judged], np.float64)

    def lose(curve: NDArray[np.float64]) -> float:
        stated = curve[0] * odds + curve[1]
        return float(np.mean(np.logaddexp(0, stated) - right * stated))

    slope, offset = minimize(lose, np.array(CURVE), bounds=[(0, 100), (-100, 100)]).x.tolist()
    return slope, offset


def fit_by_folds(judged: Sequence[JudgedSpan]) -> NDArray[np.float64]:
    """Return each confidence by the curve that was fitted on all other episodes."""
    stated, odds = np.empty(len(judged)), _odds(judged)
    for name in {each.episode for each in judged}:
        slope, offset = fit_curve([each for each in judged if each.episode != name])
        own = np.array([each.episode == name for each in judged])
        stated[own] = expit(slope * odds[own] + offset)
    return stated


def _odds(judged: Sequence[JudgedSpan]) -> NDArray[np.float64]:
    return np.array([find_log_odds(each.expected) for each in judged])
