"""Examples of a training: their fingerprint, and how much of them a model's limit cuts."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.summarisation.views import Example


@dataclass(frozen=True, slots=True)
class Truncation:
    """How many of some dialogues were cut at `limit` tokens, and the share of all tokens that was lost (0 to 1)."""

    limit: int
    dialogues: int
    cut: int
    lost: float


def measure_truncation(sizes: Sequence[int], limit: int) -> Truncation:
    """Return what a limit cuts from dialogues of so many tokens."""
    lost = sum(max(size - limit, 0) for size in sizes)
    return Truncation(limit, len(sizes), sum(size > limit for size in sizes), lost / max(sum(sizes), 1))


def hash_examples(*parts: Sequence[Example]) -> str:
    """Return 64 hexadecimal digits that identify some lists of examples."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{len(part)}\n".encode())
        for example in part:
            digest.update(repr((tuple(map(tuple, example.lines)), example.sentences)).encode())
    return digest.hexdigest()


def batch_by_length(lengths: Sequence[int], size: int) -> Iterator[list[int]]:
    """Yield the places of rows in batches of `size`, the shortest rows first."""
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    yield from (order[start : start + size] for start in range(0, len(order), size))
