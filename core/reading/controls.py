"""How far a reader who marks faults is believed: whether he finds those that were put there, and agrees with himself."""

import math
from collections.abc import Sequence

from core.reading.belief import LEAST, LEAST_TESTED, MOST, bound_share, estimate_share


def weigh_marks(caught: Sequence[bool], others: Sequence[bool], twice: Sequence[tuple[bool, bool]]) -> float:
    """Return the probability that a reader knows what he marks; 0 where he is not to be heard.

    Two measures estimate the probability p that he knows a place, and does not guess: he finds the share p of the faults beyond
    what he marks anyway, and agrees with himself in p² of the places beyond chance (Cohen's kappa). Both are corrected for
    chance, so that one who marks nothing, everything or at random has 0 in at least one. He is heard if the lower bounds of both
    (Wilson, 90 %) reach `LEAST`. His weight is then the lower estimate, with one success and one failure added to those seen.

    Args:
        caught: for each fault that was put there, whether he marked it.
        others: for each other place of these texts, whether he marked it.
        twice: for each place that two questions asked about, whether he marked it in either.
    """
    if min(len(caught), len(others), len(twice)) < LEAST_TESTED:
        return 0.0
    often = sum(others) / len(others)
    first, second = (sum(pair[side] for pair in twice) / len(twice) for side in (0, 1))
    by_chance = first * second + (1 - first) * (1 - second)
    alike = [one == other for one, other in twice]

    def know(found: float, agreed: float) -> float:
        return min(_correct(found, often), math.sqrt(max(_correct(agreed, by_chance), 0.0)))

    if know(bound_share(caught), bound_share(alike)) < LEAST:
        return 0.0
    return max(min(know(estimate_share(caught), estimate_share(alike)), MOST), 0.0)


def _correct(share: float, chance: float) -> float:
    """Return a share as the part of what chance leaves."""
    return (share - chance) / (1 - chance) if chance < 1 else 0.0
