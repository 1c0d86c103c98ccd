"""Cosine similarity of sentence vectors: of turns and chunks, and of sentences and scenes."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Embedder(Protocol):
    """Turns texts into vectors (`infra.models` loads one)."""

    def __call__(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Return one row per text (n_texts × n_dimensions)."""
        ...


def bind_cosines(turns: Sequence[str], embed: Embedder) -> Callable[[Sequence[str]], NDArray[np.float64]]:
    """Return a function from chunks to max(cosine, 0) with each turn (n_turns × n_chunks), since aligners expect scores ≥ 0."""
    vectors = embed(turns)
    return lambda chunks: np.maximum(cosine_matrix(vectors, embed(chunks)), 0.0)


def cosine_matrix(left: NDArray[np.floating], right: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the cosines (n_left × n_right) of the rows of two matrices, −1 to 1. A row of zeros has cosine 0 with every row."""
    if left.ndim != 2 or right.ndim != 2 or left.shape[1] != right.shape[1]:
        raise ValueError(f"found matrices of shapes {left.shape} and {right.shape}: expected rows of the same length")
    cosines: NDArray[np.float64] = np.clip(_unit(left) @ _unit(right).T, -1.0, 1.0)
    return cosines


def _unit(rows: NDArray[np.floating]) -> NDArray[np.float64]:
    wide = rows.astype(np.float64)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    unit: NDArray[np.float64] = np.divide(wide, lengths, where=lengths > 0, out=np.zeros_like(wide))
    return unit


def pool_cosines(
    sentences: NDArray[np.floating], lines: NDArray[np.floating], bounds: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return sim_max and sim_mean (n_sentences × n_scenes): the highest and the mean cosine of a sentence with a scene's lines.

    `sentences` and `lines` have one vector per row. Scene j has the lines `bounds[j]` ≤ line < `bounds[j + 1]`; without lines it
    has 0.

    Reference: SumTitles, algorithm 7 (TextSimilarity).
    """
    if bounds.size < 1 or bounds[0] != 0 or bounds[-1] != len(lines) or (np.diff(bounds) < 0).any():
        raise ValueError(f"the bounds of the scenes are {bounds}: expected 0 to {len(lines)} (the number of lines), ascending")
    filled = np.flatnonzero(np.diff(bounds))
    highest = np.zeros((len(sentences), bounds.size - 1))
    mean = np.zeros_like(highest)
    if filled.size and len(sentences):
        cosines = cosine_matrix(sentences, lines)
        starts = bounds[filled]
        highest[:, filled] = np.maximum.reduceat(cosines, starts, axis=1)
        mean[:, filled] = np.add.reduceat(cosines, starts, axis=1) / np.diff(bounds)[filled]
    return highest, mean
