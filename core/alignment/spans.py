"""Input and output of an aligner: chunks of summary sentences, and one span of turns for each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of consecutive summary sentences.

    Attributes:
        size: the number of sentences, or 0 for a paragraph or section. The last chunk of a chunking may have fewer; the last of a
            section has what is left over as well.
        offset: the sentence at which the chunking starts; for size 0, the number of the grouping.
        index: the chunk's position in its chunking.
        first_sentence: 0-based.
        last_sentence: 0-based and inclusive.
        text: the texts of the sentences, joined by one space.
    """

    size: int
    offset: int
    index: int
    first_sentence: int
    last_sentence: int
    text: str


@dataclass(frozen=True, slots=True)
class Span:
    """Turns `start` to `end`, 0-based and inclusive; both are None if the chunk is unaligned.

    `score` is the aligner's own and is comparable only within one alignment. `confidence` is the probability that the span is
    right, or None if the aligner does not estimate it.
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
