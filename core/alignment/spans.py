"""Input and output of an aligner: the sentences of a summary, their chunks, and one span of turns for each chunk."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal


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


Role = Literal["story", "retold", "aside", "unspoken"]
"""What a sentence tells. `story`: what happens in the episode. `retold`: what happened earlier and is retold in the episode.
`aside`: anything else that is said in the episode. `unspoken`: what may be in no turn, such as videos shown in a break."""


@dataclass(frozen=True, slots=True)
class SummaryOutline:
    """The role of each sentence, its part of the story, and the writer's own groupings.

    `parts` has each sentence's part of the story, from 0 to `n_parts` − 1. A part without sentences is a part that the summary
    does not tell. Each entry of `groupings` (paragraphs, sections) has one group number per sentence. `sections` has the section
    of each sentence, which chunks do not leave; by default all sentences are in section 0.
    """

    roles: tuple[Role, ...]
    groupings: tuple[tuple[int, ...], ...] = ()
    parts: tuple[int, ...] = ()
    n_parts: int = 1
    sections: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Put all sentences into part 0 if no parts are given, and into section 0 if no sections are.

        Raises ValueError if lengths differ or a part is not from 0 to `n_parts` − 1.
        """
        if not self.parts:
            object.__setattr__(self, "parts", (0,) * len(self.roles))
        if not self.sections:
            object.__setattr__(self, "sections", (0,) * len(self.roles))
        lengths = [len(numbers) for numbers in (self.parts, self.sections, *self.groupings)]
        if any(length != len(self.roles) for length in lengths):
            raise ValueError(
                f"found {len(self.roles)} roles, but {lengths} parts, sections and groupings: expected one per sentence"
            )
        if any(not 0 <= part < self.n_parts for part in self.parts):
            raise ValueError(f"found parts {sorted(set(self.parts))}: expected numbers from 0 to {self.n_parts - 1}")


def outline_story(sentences: Sequence[str]) -> SummaryOutline:
    """Return the default outline: every sentence has the role "story", and the story has one part."""
    roles: list[Role] = ["story"] * len(sentences)
    return SummaryOutline(tuple(roles))


def chunk_sentences(sentences: Sequence[str], size: int, offset: int) -> list[Chunk]:
    """Return the chunks of `size` sentences from sentence `offset` on; the last chunk may be shorter.

    n sentences give ⌈(n − offset) / size⌉ chunks, none if offset ≥ n. The sentences before `offset` are in no chunk.
    Raises ValueError unless 0 ≤ offset < size.

    Reference: CRD3, section 4.1, "Data Augmentation".
    """
    _check_offset(size, offset)
    chunks = [range(first, min(first + size, len(sentences))) for first in range(offset, len(sentences), size)]
    return _make_chunks(sentences, size, offset, chunks)


def chunk_sections(sentences: Sequence[str], size: int, offset: int, sections: Sequence[int]) -> list[Chunk]:
    """Return the chunks of `size` sentences that lie within one section, from sentence `offset` of every section on.

    `sections` has one section number per sentence. Chunking starts anew with each section. What is left over at a section's end
    belongs to the chunk before, which has up to 2 · `size` − 1 sentences then: short chunks are placed worse. Only a section
    without a full chunk has a shorter one, and a section of at most `offset` sentences has none. Raises ValueError unless
    0 ≤ offset < size and there is one number per sentence.
    """
    _check_groups(sentences, sections)
    _check_offset(size, offset)
    chunks = []
    for begin, end in _find_runs(sections):
        full = (end + 1 - begin - offset) // size
        firsts = [begin + offset + number * size for number in range(max(full, 1))]
        chunks += [range(first, stop) for first, stop in zip(firsts, [*firsts[1:], end + 1], strict=True) if first < stop]
    return _make_chunks(sentences, size, offset, chunks)


def chunk_groups(sentences: Sequence[str], groups: Sequence[int], offset: int) -> list[Chunk]:
    """Return one chunk of size 0 for each run of sentences with the same number in `groups` (one number per sentence).

    Raises ValueError unless there is one number per sentence.
    """
    _check_groups(sentences, groups)
    return [
        Chunk(0, offset, index, first, last, " ".join(sentences[first : last + 1]))
        for index, (first, last) in enumerate(_find_runs(groups))
    ]


def chunk_all(
    sentences: Sequence[str],
    sizes: Sequence[int],
    groupings: Sequence[Sequence[int]] = (),
    sections: Sequence[int] | None = None,
) -> list[list[Chunk]]:
    """Return every non-empty chunking, in the order of `sizes` and, for each size, of the offsets 0 to size − 1.

    Size 0 stands for the writer's own divisions. It gives one chunking per entry of `groupings` (paragraphs and sections, for
    example), with the index of that entry as offset. With `sections` (one number per sentence), no chunk crosses from one section
    into the next; without, chunks are those of `chunk_sentences`.
    """
    chunkings = [
        chunking
        for size in sizes
        for chunking in (
            [
                chunk_sentences(sentences, size, offset)
                if sections is None
                else chunk_sections(sentences, size, offset, sections)
                for offset in range(size)
            ]
            if size
            else [chunk_groups(sentences, groups, offset) for offset, groups in enumerate(groupings)]
        )
    ]
    return [chunks for chunks in chunkings if chunks]


def _make_chunks(sentences: Sequence[str], size: int, offset: int, ranges: Sequence[range]) -> list[Chunk]:
    return [
        Chunk(size, offset, index, places[0], places[-1], " ".join(sentences[places[0] : places[-1] + 1]))
        for index, places in enumerate(ranges)
    ]


def _check_offset(size: int, offset: int) -> None:
    if not 0 <= offset < size:
        raise ValueError(f"chunks of {size} sentences cannot start at sentence {offset}: expected 0 ≤ offset < size")


def _check_groups(sentences: Sequence[str], groups: Sequence[int]) -> None:
    if len(groups) != len(sentences):
        raise ValueError(f"found {len(groups)} group numbers for {len(sentences)} sentences: expected one per sentence")


def _find_runs(groups: Sequence[int]) -> list[tuple[int, int]]:
    """Return the first and last place of each run of equal numbers."""
    runs = [[at for at, _ in run] for _, run in groupby(enumerate(groups), key=lambda entry: entry[1])]
    return [(run[0], run[-1]) for run in runs]
