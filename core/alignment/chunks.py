"""Splits a summary into chunks of consecutive sentences: at every size and offset, or along the writer's own divisions."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from core.alignment.spans import Chunk


def chunk_sentences(sentences: Sequence[str], size: int, offset: int) -> list[Chunk]:
    """Return the chunks of `size` sentences from sentence `offset` on; the last chunk may be shorter.

    n sentences give ⌈(n − offset) / size⌉ chunks, none if offset ≥ n. The sentences before `offset` are in no chunk.
    Raises ValueError unless 0 ≤ offset < size.

    Reference: CRD3, section 4.1, "Data Augmentation".
    """
    return chunk_sections(sentences, size, offset, [0] * len(sentences))


def chunk_sections(sentences: Sequence[str], size: int, offset: int, sections: Sequence[int]) -> list[Chunk]:
    """Return the chunks of `size` sentences that lie within one section, from sentence `offset` of every section on.

    `sections` has one section number per sentence. Chunking starts anew with each section, so the last chunk of a section may be
    shorter; a section of at most `offset` sentences has no chunk. Raises ValueError unless 0 ≤ offset < size and there is one
    number per sentence.
    """
    _check_groups(sentences, sections)
    if not 0 <= offset < size:
        raise ValueError(f"chunks of {size} sentences cannot start at sentence {offset}: expected 0 ≤ offset < size")
    chunks = [
        Chunk(size, offset, 0, first, last, " ".join(sentences[first : last + 1]))
        for begin, end in _find_runs(sections)
        for first in range(begin + offset, end + 1, size)
        for last in (min(first + size - 1, end),)
    ]
    return [replace(chunk, index=index) for index, chunk in enumerate(chunks)]


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
    into the next; without, the sentences are one section.
    """
    bounds = [0] * len(sentences) if sections is None else sections
    chunkings = [
        chunking
        for size in sizes
        for chunking in (
            [chunk_sections(sentences, size, offset, bounds) for offset in range(size)]
            if size
            else [chunk_groups(sentences, groups, offset) for offset, groups in enumerate(groupings)]
        )
    ]
    return [chunks for chunks in chunkings if chunks]


def _check_groups(sentences: Sequence[str], groups: Sequence[int]) -> None:
    if len(groups) != len(sentences):
        raise ValueError(f"found {len(groups)} group numbers for {len(sentences)} sentences: expected one per sentence")


def _find_runs(groups: Sequence[int]) -> list[tuple[int, int]]:
    """Return the first and last place of each run of equal numbers."""
    runs = [[at for at, _ in run] for _, run in groupby(enumerate(groups), key=lambda entry: entry[1])]
    return [(run[0], run[-1]) for run in runs]
