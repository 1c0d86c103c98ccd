"""The order in which readers see items, and the sides on which they see two: by worth, or at random, equal for equal seeds."""

import hashlib
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Literal

Order = Literal["worth", "confidence", "random"]


def shuffle_items(items: Sequence[str], seed: str) -> list[str]:
    """Return the items in an order that only the seed decides: an item added later leaves the order of the others as it was."""
    return sorted(items, key=lambda item: _draw(seed, item))


def order_items(
    items: Sequence[str],
    order: Order,
    seed: str,
    worth: Mapping[str, float],
    confidence: Mapping[str, float | None],
    first: frozenset[str] = frozenset(),
) -> list[str]:
    """Return the items in the order of a queue; ties are in the order of the seed.

    Args:
        items: what is to be looked at.
        order: `worth` (most first), `confidence` (least first; without one first of all) or `random`.
        seed: of the random order; a reader's name in it gives each reader an order of his own.
        worth: what a look is worth, by item.
        confidence: by item, None where there is none.
        first: items that come before all others: rows that two readers dispute.
    """
    drawn = shuffle_items(items, seed)
    if order == "worth":
        drawn.sort(key=lambda item: -worth.get(item, 0.0))
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
