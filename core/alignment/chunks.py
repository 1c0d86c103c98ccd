"""Chunks: a summary cut into runs of consecutive sentences, at every size and offset."""

from collections.abc import Sequence

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


def chunk_all(sentences: Sequence[str], sizes: Sequence[int]) -> list[list[Chunk]]:
    """Return every chunking that has a chunk: the sizes as given, within each its offsets 0 to size − 1."""
    chunkings = (chunk_sentences(sentences, size, offset) for size in sizes for offset in range(size))
    return [chunks for chunks in chunkings if chunks]
