"""The confidence of an aligned span: the probability that it is right, computed from its expected F1."""

import math

_SLOPE, _OFFSET = 1.1, 0.33
"""Platt scaling of the expected F1, fitted to hand-read episodes (`docs/alignment.md`). A span is right more often than its
expected F1 suggests: the expectation is spread over turns, but a span counts as right from an F1 of ½ on."""
_LEAST, _MOST = 0.01, 0.999


def rate_span(expected_f1: float) -> float:
    """Return the probability that a span is right, which means F1 ≥ ½ with the span that a reader would choose.

    Reference: Platt, "Probabilistic Outputs for Support Vector Machines", 1999.
    """
    bounded = min(max(expected_f1, _LEAST), _MOST)
    return 1 / (1 + math.exp(-(_SLOPE * math.log(bounded / (1 - bounded)) + _OFFSET)))
