"""Chunks: a summary cut into runs of consecutive sentences, at every size and offset, or as its writer cut it."""

from collections.abc import Sequence
from itertools import groupby

from core.alignment.spans import Chunk


def chunk_sentences(sentences: Sequence[str], size: int, offset: int) -> list[Chunk]:
    """Return the chunks of `size` sentences from sentence `offset` on; what is left at the end makes a shorter last chunk.

    There are ⌈(n − offset) / size⌉ of them for n sentences, none where offset ≥ n. The sentences before `offset` are in no chunk.
    Raises ValueError unless 0 ≤ offset < size.

    Reference: CRD3, section 4.1, "Data Augmentation".
    """
    if not 0 <= offset < size:
        raise ValueError(f"chunks of {size} sentences cannot start at sentence {offset}: 0 ≤ offset < size")
    return [
        Chunk(size, offset, index, first, last, " ".join(sentences[first : last + 1]))
        for index, first in enumerate(range(offset, len(sentences), size))
        for last in (min(first + size, len(sentences)) - 1,)
    ]


def chunk_groups(sentences: Sequence[str], groups: Sequence[int], offset: int) -> list[Chunk]:
    """Return a chunk of size 0 for each run of sentences that `groups` (a number a sentence) gives the same number.

    Raises ValueError unless there is a number for each sentence.
    """
    if len(groups) != len(sentences):
        raise ValueError(f"{len(sentences)} sentences need a group each, not {len(groups)}")
    runs = [[at for at, _ in run] for _, run in groupby(enumerate(groups), key=lambda entry: entry[1])]
    return [Chunk(0, offset, index, run[0], run[-1], " ".join(sentences[run[0] : run[-1] + 1])) for index, run in enumerate(runs)]


def chunk_all(sentences: Sequence[str], sizes: Sequence[int], groupings: Sequence[Sequence[int]] = ()) -> list[list[Chunk]]:
    """Return every chunking that has a chunk: the sizes as given, within each its offsets 0 to size − 1.

    Size 0 stands for the summary's own cuts: one chunking for each of `groupings` (paragraphs, say, then sections), with its
    place as the offset.
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
