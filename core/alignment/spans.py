"""Input and output of an aligner: the sentences of a summary, their chunks, and one span of turns for each chunk."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Literal


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of consecutive summary sentences, from `first_sentence` to `last_sentence` (0-based, inclusive), joined by one space.

    `size` is the number of sentences, or 0 for a paragraph or section; the last chunk of a chunking or section may have others.
    `offset` is the sentence at which the chunking starts; for size 0, the number of the grouping.
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

    `score` is comparable only within one alignment. `confidence` is the probability that the span is right, None where unknown.
    """

    start: int | None
    end: int | None
    score: float
    confidence: float | None = None


Role = Literal["story", "retold", "aside", "unspoken"]
"""What a sentence tells. `story`: what happens in the episode. `retold`: what happened earlier and is retold in the episode.
`aside`: anything else that is said in the episode. `unspoken`: what may be in no turn, such as videos shown in a break."""


Order = Literal["held", "sections", "sentences"]
"""How a summary follows its dialogue: in order (`held`), or each of its story's `sections`, or `sentences`, anywhere."""


@dataclass(frozen=True, slots=True)
class SummaryOutline:
    """The role of each sentence, its part of the story, and the writer's own groupings.

    All have one number per sentence: `parts` from 0 to `n_parts` − 1, where a part without sentences is one that the summary does
    not tell; each entry of `groupings` (paragraphs, sections) its group; `sections` the section, which chunks do not leave.
    `order` is None where it has to be found out.
    """

    roles: tuple[Role, ...]
    groupings: tuple[tuple[int, ...], ...] = ()
    parts: tuple[int, ...] = ()
    n_parts: int = 1
    sections: tuple[int, ...] = ()
    order: Order | None = None

    def __post_init__(self) -> None:
        """Put all sentences into part 0 if no parts are given, and into section 0 if no sections are."""
        if not self.parts:
            object.__setattr__(self, "parts", (0,) * len(self.roles))
        if not self.sections:
            object.__setattr__(self, "sections", (0,) * len(self.roles))


def chunk_sentences(sentences: Sequence[str], size: int, offset: int) -> list[Chunk]:
    """Return the chunks of `size` sentences from sentence `offset` on (CRD3, section 4.1); the last chunk may be shorter."""
    firsts = range(offset, len(sentences), size)
    return _make_chunks(sentences, size, offset, [(first, min(first + size, len(sentences)) - 1) for first in firsts])


def chunk_sections(sentences: Sequence[str], size: int, offset: int, sections: Sequence[int]) -> list[Chunk]:
    """Return the chunks of `size` sentences that lie within one section, from sentence `offset` of every section on.

    What is left over at a section's end belongs to the chunk before: short chunks are placed worse. Only a section without a full
    chunk has a shorter one, and a section of at most `offset` sentences has none.
    """
    chunks = []
    for begin, end in _find_runs(sections):
        full = (end + 1 - begin - offset) // size
        firsts = [begin + offset + number * size for number in range(max(full, 1))]
        chunks += [(first, stop - 1) for first, stop in pairwise([*firsts, end + 1]) if first < stop]
    return _make_chunks(sentences, size, offset, chunks)


def chunk_all(
    sentences: Sequence[str],
    sizes: Sequence[int],
    groupings: Sequence[Sequence[int]] = (),
    sections: Sequence[int] | None = None,
) -> list[list[Chunk]]:
    """Return every non-empty chunking, in the order of `sizes` and, for each size, of the offsets 0 to size − 1.

    Size 0 gives one chunking per entry of `groupings` (paragraphs, sections), with its index as offset. With `sections`, no chunk
    crosses from one section into the next.
    """
    chunkings: list[list[Chunk]] = []
    for size in sizes:
        if not size:
            chunkings += [_make_chunks(sentences, 0, offset, _find_runs(groups)) for offset, groups in enumerate(groupings)]
        for offset in range(size):
            if sections is None:
                chunkings.append(chunk_sentences(sentences, size, offset))
            else:
                chunkings.append(chunk_sections(sentences, size, offset, sections))
    return [chunks for chunks in chunkings if chunks]


def _make_chunks(sentences: Sequence[str], size: int, offset: int, places: Sequence[tuple[int, int]]) -> list[Chunk]:
    return [
        Chunk(size, offset, index, first, last, " ".join(sentences[first : last + 1]))
        for index, (first, last) in enumerate(places)
    ]


def _find_runs(groups: Sequence[int]) -> list[tuple[int, int]]:
    """Return the first and last place of each run of equal numbers."""
    runs = [[at for at, _ in run] for _, run in groupby(enumerate(groups), key=lambda entry: entry[1])]
    return [(run[0], run[-1]) for run in runs]
