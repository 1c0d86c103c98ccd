"""What an aligner takes and gives: chunks of summary sentences in, one span of turns for each out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Chunk:
    """`size` consecutive summary sentences (the last one of a chunking may be shorter); 0: as many as stand together.

    `offset` is the sentence at which the chunking starts, `index` the chunk's place in its chunking; the chunk covers sentences
    `first_sentence` to `last_sentence`, 0-based and inclusive, whose texts joined by one space are `text`.
    """

    size: int
    offset: int
    index: int
    first_sentence: int
    last_sentence: int
    text: str


@dataclass(frozen=True, slots=True)
class Span:
    """Turns `start` to `end`, 0-based and inclusive; both None where the chunk is left unaligned.

    `score` is the aligner's own, comparable within one alignment only. `confidence` is a probability that the span is right,
    None where the aligner gives none.
    """

    start: int | None
    end: int | None
    score: float
    confidence: float | None = None


class Aligner(Protocol):
    """Aligns one chunking (all chunks of one size and offset, in order) of a summary with the turns of its dialogue."""

    def __call__(self, turns: Sequence[str], chunks: Sequence[str]) -> list[Span]:
        """Return one span per chunk; `turns` and `chunks` are texts in order, neither empty."""
        ...
