"""What a look at a row is worth: the F1 that a release is expected to gain when a reader corrects the row's span."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class SpanErrors:
    """Expected errors of a span, in turns: right ones that it misses, and wrong ones that it holds; `turns` is its length."""

    missed: float
    false: float
    turns: int

    @property
    def right(self) -> float:
        """The expected number of right turns that it holds."""
        return self.turns - self.false


def expect_errors(membership: NDArray[np.float64], start: int | None, end: int | None) -> SpanErrors:
    """Return the expected errors of turns `start` to `end` (inclusive; None: none), given each turn's probability (n_turns)."""
    if start is None or end is None:
        return SpanErrors(float(membership.sum()), 0.0, 0)
    inside = float(membership[start : end + 1].sum())
    turns = end - start + 1
    return SpanErrors(float(membership.sum()) - inside, turns - inside, turns)


def guess_errors(score: float, start: int | None, end: int | None) -> SpanErrors:
    """Return the expected errors where only the span and its expected F1 are known; as many turns are missed as are false.

    The expected F1 is 2 · right / (turns + gold), so missed and false turns together are (turns + gold) · (1 − F1).
    """
    if start is None or end is None:
        return SpanErrors(0.0, 0.0, 0)
    turns = end - start + 1
    wrong = turns * (1 - min(max(score, 0.0), 1.0))
    return SpanErrors(wrong, wrong, turns)


def expect_f1(errors: list[SpanErrors]) -> float:
    """Return the expected pooled F1 of the spans together; 1 where there is nothing to find."""
    right = sum(entry.right for entry in errors)
    both = sum(2 * entry.right + entry.false + entry.missed for entry in errors)
    return 2 * right / both if both else 1.0


def expect_gain(errors: SpanErrors, f1: float, rows: int = 1) -> float:
    """Return what a look is worth, in turns: to first order the gain in pooled F1, times the turns of all spans and gold spans.

    With R right turns and S turns of all found and gold spans, F1 = 2R / S. A corrected span holds its missed turns and loses
    its false ones: R grows by `missed`, S by `missed − false`. So F1 grows by ((2 − F1) · missed + F1 · false) / S to first
    order, and S is the same for every row. `rows` is how many rows of the release the look corrects.

    Args:
        errors: the expected errors of the span.
        f1: the pooled F1 that the release is expected to have now.
        rows: rows with the same sentences, which all get the reader's span.
    """
    return rows * ((2 - f1) * errors.missed + f1 * errors.false)
