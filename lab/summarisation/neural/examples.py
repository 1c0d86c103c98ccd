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


@dataclass(frozen=True, slots=True)
class Truncation:
    """How many of some dialogues were cut at `limit` tokens, their `size` in tokens, and the share that was lost (0 to 1)."""

    limit: int
    dialogues: int
    cut: int
    size: int
    lost: float


def measure_truncation(sizes: Sequence[int], limit: int) -> Truncation:
    """Return what a limit cuts from dialogues of so many tokens."""
    lost = sum(max(size - limit, 0) for size in sizes)
    return Truncation(limit, len(sizes), sum(size > limit for size in sizes), sum(sizes), lost / max(sum(sizes), 1))


def join_truncations(parts: Sequence[Truncation]) -> Truncation:
    """Return what a limit cuts from the dialogues of all parts."""
    tokens = sum(part.size for part in parts)
    lost = sum(part.lost * part.size for part in parts) / max(tokens, 1)
    limit = parts[0].limit if parts else 0
    return Truncation(limit, sum(part.dialogues for part in parts), sum(part.cut for part in parts), tokens, lost)


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
