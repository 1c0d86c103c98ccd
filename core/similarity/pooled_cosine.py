"""Cosines of sentences with scenes: the maximum and the mean over the lines of each scene."""

import numpy as np
from numpy.typing import NDArray

from core.similarity.cosine import cosine_matrix


def pool_cosines(
    sentences: NDArray[np.floating], lines: NDArray[np.floating], bounds: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return sim_max and sim_mean (n_sentences × n_scenes): the highest and the mean cosine of a sentence with a scene's lines.

    `sentences` and `lines` have one vector per row. Scene j has the lines `bounds[j]` ≤ line < `bounds[j + 1]`. A scene without
    lines stays in the result with 0, since it is a scene without speech. Raises ValueError if the bounds do not match the lines.

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
