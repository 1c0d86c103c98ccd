"""Turns a link's posterior into the probability that the link is right."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

_LEAST = 0.005  # posteriors are cut to .005 … .995: what lies beyond says no more, on the stories with gold


@dataclass(frozen=True, slots=True)
class Curve:
    """The logistic curve σ(constant + posterior · logit p + scenes · ln n) of a posterior p in a story of n scenes.

    Posteriors of stories with many scenes are too sure of themselves, so n has a weight of its own.

    Reference: Platt, "Probabilistic Outputs for Support Vector Machines", 1999.
    """

    constant: float
    posterior: float
    scenes: float

    def __call__(self, posteriors: ArrayLike, n_scenes: int) -> NDArray[np.float64]:
        """Return the probability for each posterior; the shape stays."""
        odds = self.constant + self.posterior * logit(posteriors) + self.scenes * np.log(n_scenes)
        return np.asarray(1 / (1 + np.exp(-odds)), dtype=np.float64)


def logit(posteriors: ArrayLike) -> NDArray[np.float64]:
    """Return the logarithm of the odds of posteriors, which are cut to .005 … .995 before."""
    cut = np.clip(np.asarray(posteriors, dtype=np.float64), _LEAST, 1 - _LEAST)
    return np.asarray(np.log(cut / (1 - cut)), dtype=np.float64)


LINK = Curve(1.0651, 0.5805, -0.3014)
"""The probability that a sentence tells of one scene, by this link's posterior."""
SENTENCE = Curve(3.2999, 0.4466, -0.7554)
"""The probability that a sentence tells of one at least of the scenes that it is linked to, by the sum of their posteriors.

`benchmarks/fit_link_probability.py` fits the constants of both curves on gold, and measures them by folds over stories.
"""
