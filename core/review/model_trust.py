"""Whether a model is believed: how far it agrees with gold, beside the aligner on the same rows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.metrics.alignment_quality import Estimate, bootstrap_means
from core.review.decisions import AGREED

LEAST_ROWS = 20
"""Rows with gold below which nothing is believed."""
LEAST_RIGHT = 0.8
"""Share of rows on which a believed model must agree with gold (F1 ≥ ½): the least confidence of a released pair, too."""


@dataclass(frozen=True, slots=True)
class Trust:
    """The agreement of a model with gold: mean F1 of its spans, gain over the aligner's, share right, and whether it is believed.

    `gain` is the mean difference of the F1 on the same rows, with its 95 % interval.
    """

    rows: int
    f1: float
    aligner_f1: float
    gain: Estimate
    right: float
    believed: bool

    def describe(self) -> str:
        """Return one line for a person."""
        verdict = "believed" if self.believed else "not believed"
        compared = f"F1 {self.f1:.3f} on {self.rows} rows with gold (the aligner: {self.aligner_f1:.3f})"
        gain = f"gain {self.gain.value:+.3f} ({self.gain.low:+.3f} to {self.gain.high:+.3f})"
        return f"{verdict}: {compared}, {gain}, right {self.right:.0%}"


def measure_trust(pairs: Sequence[tuple[float, float]]) -> Trust:
    """Return how far a model is to be trusted, given its F1 and the aligner's on each row with gold.

    It is believed if there are at least 20 rows, it is right on at least 80 % of them, and the 95 % interval of its gain over the
    aligner lies above 0: as far as gold tells, no release gets worse by it. An answer that cannot be read has the F1 0.
    """
    if not pairs:
        return Trust(0, 0.0, 0.0, Estimate(0.0, -1.0, 1.0), 0.0, False)
    values = np.array(pairs, float)
    (gain,) = bootstrap_means(values[:, :1] - values[:, 1:], 0.95, 10_000, 0)
    f1, aligner_f1 = map(float, values.mean(axis=0))
    right = float((values[:, 0] >= AGREED).mean())
    believed = len(values) >= LEAST_ROWS and right >= LEAST_RIGHT and gain.low > 0
    return Trust(len(values), f1, aligner_f1, gain, right, believed)
