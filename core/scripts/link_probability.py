"""Turns a link's posterior into the probability that the link is right."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

_LEAST = 0.005  # posteriors are cut to .005 … .995: what lies beyond says no more, on the films read
_END_SHARE = 50


@dataclass(frozen=True, slots=True)
class Curve:
    """The logistic curve σ(constant + posterior · logit p) of a posterior p.

    Reference: Platt, "Probabilistic Outputs for Support Vector Machines", 1999.
    """

    constant: float
    posterior: float

    def __call__(self, posteriors: ArrayLike) -> NDArray[np.float64]:
        """Return the probability for each posterior; the shape stays."""
        odds = self.constant + self.posterior * logit(posteriors)
        return np.asarray(1 / (1 + np.exp(-odds)), dtype=np.float64)


def logit(posteriors: ArrayLike) -> NDArray[np.float64]:
    """Return the logarithm of the odds of posteriors, which are cut to .005 … .995 before."""
    cut = np.clip(np.asarray(posteriors, dtype=np.float64), _LEAST, 1 - _LEAST)
    return np.asarray(np.log(cut / (1 - cut)), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class SentenceCurves:
    """The probability that a sentence tells of one at least of the scenes that it is linked to, by the sum of their posteriors.

    `at_end` is for sentences that are linked to the first or last scenes of a long script (`is_at_end`), `inside` for all others.
    A map cannot run on beyond an end, so posteriors are high there, even of a sentence that no scene tells (what was before, what
    becomes of the people later).
    """

    inside: Curve
    at_end: Curve

    def __call__(self, posterior: float, scenes: Sequence[int], n_scenes: int) -> float:
        """Return the probability; `posterior` is the sum, `scenes` are positions among the `n_scenes` scenes of the script."""
        curve = self.at_end if is_at_end(scenes, n_scenes) else self.inside
        return float(curve(posterior))


def is_at_end(scenes: Sequence[int], n_scenes: int) -> bool:
    """Tell whether one of the scenes is in the first or last fiftieth of the `n_scenes` scenes of a script.

    A script of fewer than 50 scenes has no such ends: its first and last scenes tell much of the story.
    """
    end = n_scenes // _END_SHARE
    return min(scenes) < end or max(scenes) >= n_scenes - end


LINK = Curve(0.209, 0.555)
"""The probability that a sentence tells of one scene, by this link's posterior."""
SENTENCE = SentenceCurves(inside=Curve(0.160, 0.661), at_end=Curve(1.100, 0.259))
"""The curves of the default.

`lab/fitting/link_probability.py` fits the constants of all three curves on films that were read for it, measures them by folds
over these films, and on stories with gold, which choose nothing.
"""
