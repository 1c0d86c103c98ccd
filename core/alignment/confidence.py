"""How sure an aligned span is: the probability that it is right, from the F1 that the model expects of it."""

import math

_SLOPE, _OFFSET = 1.1, 0.33
"""Platt scaling of the expected F1, fitted to hand-read episodes (`docs/alignment.md`): the model is surer than it admits, since
its expectation spreads over turns, while a span is right from half of them on."""
_LEAST, _MOST = 0.01, 0.999


def rate_span(expected_f1: float) -> float:
    """Return the probability that a span is right: has an F1 of ½ or more with the one that a reader would give.

    Reference: Platt, "Probabilistic Outputs for Support Vector Machines", 1999.
    """
    bounded = min(max(expected_f1, _LEAST), _MOST)
    return 1 / (1 + math.exp(-(_SLOPE * math.log(bounded / (1 - bounded)) + _OFFSET)))
