"""Turns a link's posterior into the probability that the link is right."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

_LEAST = 0.005  # posteriors are cut to .005 … .995: what lies beyond says no more, on the films read


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


LINK = Curve(0.125, 0.654)
"""The probability that a sentence tells of one scene, by this link's posterior."""
SENTENCE = Curve(0.443, 0.533)
"""The probability that a sentence tells of one at least of the scenes that it is linked to, by the sum of their posteriors.

`benchmarks/fit_link_probability.py` fits the constants of both curves on films that were read for it, measures them by folds
over these films, and on stories with gold, which choose nothing.
"""
