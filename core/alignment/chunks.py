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
    if not 0 <= offset < size:
        raise ValueError(f"chunks of {size} sentences cannot start at sentence {offset}: expected 0 ≤ offset < size")
    return [
        Chunk(size, offset, index, first, last, " ".join(sentences[first : last + 1]))
        for index, first in enumerate(range(offset, len(sentences), size))
        for last in (min(first + size, len(sentences)) - 1,)
    ]


def chunk_groups(sentences: Sequence[str], groups: Sequence[int], offset: int) -> list[Chunk]:
    """Return one chunk of size 0 for each run of sentences with the same number in `groups` (one number per sentence).

    Raises ValueError unless there is one number per sentence.
    """
    if len(groups) != len(sentences):
        raise ValueError(f"found {len(groups)} group numbers for {len(sentences)} sentences: expected one per sentence")
    runs = [[at for at, _ in run] for _, run in groupby(enumerate(groups), key=lambda entry: entry[1])]
    return [Chunk(0, offset, index, run[0], run[-1], " ".join(sentences[run[0] : run[-1] + 1])) for index, run in enumerate(runs)]


def chunk_all(sentences: Sequence[str], sizes: Sequence[int], groupings: Sequence[Sequence[int]] = ()) -> list[list[Chunk]]:
    """Return every non-empty chunking, in the order of `sizes` and, for each size, of the offsets 0 to size − 1.

    Size 0 stands for the writer's own divisions. It gives one chunking per entry of `groupings` (paragraphs and sections, for
    example), with the index of that entry as offset.
    """
    chunkings = [
        chunking
        for size in sizes
        for chunking in (
            [chunk_sentences(sentences, size, offset) for offset in range(size)]
            if size
            else [chunk_groups(sentences, groups, offset) for offset, groups in enumerate(groupings)]
        )
    ]
    return [chunks for chunks in chunkings if chunks]
