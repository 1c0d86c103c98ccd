"""The order in which readers see items, and the sides on which they see two: by worth, or at random, equal for equal seeds."""

import hashlib
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


def _draw(seed: str, text: str) -> bytes:
    return hashlib.sha256(f"{seed}\n{text}".encode("utf-8", "surrogatepass")).digest()
