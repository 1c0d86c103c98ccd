"""Splits a summary into chunks of consecutive sentences: at every size and offset, or along the writer's own divisions."""

from collections.abc import Sequence
from itertools import groupby

from core.alignment.spans import Chunk


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
