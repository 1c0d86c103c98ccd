"""The priority of a row, and the order in which annotators see rows: by the expected gain in F1, or at random."""

import hashlib
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal


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
    """Return the priority of a row, in turns: to first order the gain in pooled F1, times the turns of all spans and gold spans.

    With R right turns and S turns of all found and gold spans, F1 = 2R / S. A corrected span holds its missed turns and loses
    its false ones: R grows by `missed`, S by `missed − false`. So F1 grows by ((2 − F1) · missed + F1 · false) / S to first
    order, and S is the same for every row. `rows` is how many rows of the release the look corrects.
    """
    return rows * ((2 - f1) * errors.missed + f1 * errors.false)


Order = Literal["priority", "confidence", "random"]
Task = Literal["decide", "compare", "write", "answer", "grade"]
"""What an annotator does: decide what becomes of rows, compare dialogues blind, or a part of the question study."""


def shuffle_items(items: Sequence[str], seed: str) -> list[str]:
    """Return the items in an order that only the seed decides: an item added later leaves the order of the others as it was."""
    return sorted(items, key=lambda item: _draw(seed, item))


def order_items(
    items: Sequence[str],
    order: Order,
    seed: str,
    priority: Mapping[str, float],
    confidence: Mapping[str, float | None],
    first: frozenset[str] = frozenset(),
) -> list[str]:
    """Return the items in the order of a queue; ties are in the order of the seed.

    `priority`: highest first; `confidence`: lowest first, without one first of all. Rows that are `first` come before all others.
    """
    drawn = shuffle_items(items, seed)
    if order == "priority":
        drawn.sort(key=lambda item: -priority.get(item, 0.0))
    elif order == "confidence":
        drawn.sort(key=lambda item: confidence.get(item) or 0.0)
    return sorted(drawn, key=lambda item: item not in first)


def choose_side(item: str, other: str, seed: str) -> int:
    """Return 1 where the item is shown first of the two, 2 where second; half of all, at random."""
    return 1 + _draw(seed, f"{item}\n{other}")[0] % 2


def pair_items(items: Sequence[str], others: Sequence[str], seed: str) -> dict[str, str]:
    """Return one of the others for each item, at random; items added later leave the pairs as they were, others most of them.

    Each other stands at a random place of a circle, and an item takes the first at or after its own place.
    """
    placed = sorted((_draw(f"{seed} others", other), other) for other in others)
    places = [place for place, _ in placed]
    return {item: placed[bisect_left(places, _draw(f"{seed} items", item)) % len(placed)][1] for item in items}


def _draw(seed: str, text: str) -> bytes:
    return hashlib.sha256(f"{seed}\n{text}".encode("utf-8", "surrogatepass")).digest()
