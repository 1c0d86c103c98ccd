"""Examples of a training: their fingerprint, and how much of them a model's limit cuts."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.scripts.views import Line


@dataclass(frozen=True, slots=True)
class Example:
    """A dialogue with the sentences of the summary that a model should learn to write."""

    lines: tuple[Line, ...]
    sentences: tuple[str, ...]

    @property
    def summary(self) -> str:
        """The summary as one text."""
        return " ".join(self.sentences)


def measure_truncation(sizes: Sequence[int], limit: int) -> dict[str, float]:
    """Return how many of some dialogues are cut at `limit`, their `size` in all, and the share that is lost (0 to 1)."""
    lost = sum(max(size - limit, 0) for size in sizes) / max(sum(sizes), 1)
    return {"limit": limit, "dialogues": len(sizes), "cut": sum(size > limit for size in sizes), "size": sum(sizes), "lost": lost}


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
