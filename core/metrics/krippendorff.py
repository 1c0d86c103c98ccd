"""Krippendorff's alpha: the agreement of any number of readers, corrected for what chance would give."""

from collections.abc import Callable, Sequence
from itertools import permutations
from typing import TypeVar

Value = TypeVar("Value")
Difference = Callable[[Value, Value], float]


def measure_alpha(units: Sequence[Sequence[Value]], difference: Difference[Value]) -> float | None:
    """Return 1 − the observed over the expected disagreement: 1 where all agree, 0 where readers agree as chance would.

    Units with fewer than two answers are left out. None where fewer than two units are left, or where no two answers differ: then
    chance would give the same, and nothing can be said. Time O(n²) for n answers, each different value compared once.

    Args:
        units: the answers of the readers to each unit, in any order; a reader who gave none is left out.
        difference: how much two answers differ, ≥ 0, and 0 for equal ones (the metric δ², such as `differ_nominally`).

    Reference: Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011.
    """
    paired = [list(unit) for unit in units if len(unit) > 1]
    total = sum(len(unit) for unit in paired)
    if len(paired) < 2:
        return None
    observed = sum(sum(difference(*pair) for pair in permutations(unit, 2)) / (len(unit) - 1) for unit in paired) / total
    counts: dict[Value, int] = {}
    for value in (value for unit in paired for value in unit):
        counts[value] = counts.get(value, 0) + 1
    expected = sum(
        counts[one] * counts[other] * difference(one, other) for one, other in permutations(counts, 2)
    ) / (total * (total - 1))  # fmt: skip
    return 1 - observed / expected if expected else None


def differ_nominally(one: object, other: object) -> float:
    """Return 0 for equal answers and 1 for others: labels, yes and no."""
    return float(one != other)


def differ_as_numbers(one: float, other: float) -> float:
    """Return the squared difference: answers on a scale whose steps are equally wide (the interval metric)."""
    return float((one - other) ** 2)
