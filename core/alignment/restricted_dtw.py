"""RestrictedDTW: the best order-preserving map from synopsis sentences to scenes."""

import numpy as np
from numpy.typing import NDArray

from core.compiled import compiled_when_busy


def assign_scenes(similarity: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the non-decreasing map f (n_sentences) from sentences to scenes that maximises Σ similarity[i, f(i)].

    `similarity` is n_sentences × n_scenes, of any sign. Every sentence gets exactly one scene. Several sentences may share a
    scene, and a scene may have no sentence. Ties go to the latest scene, as in the paper's order of moves (up, diagonal, left).
    Time is O(n_sentences · n_scenes), by a running maximum over scenes. Without sentences the map is empty. Raises ValueError if
    there is no scene or a similarity is not finite.

    Reference: SumTitles, algorithm 2, with its loop bounds swapped back and a trailing padding row (`papers/README.md`).
    """
    if similarity.ndim != 2 or similarity.shape[1] == 0:
        raise ValueError(f"the similarity matrix has shape {similarity.shape}: expected n_sentences × n_scenes, n_scenes ≥ 1")
    if not np.isfinite(similarity).all():
        raise ValueError("the similarity matrix has values that are not finite: expected finite similarities")
    return _assign(np.ascontiguousarray(similarity, dtype=np.float64))


@compiled_when_busy
def _assign(similarity: NDArray[np.float64]) -> NDArray[np.int64]:
    n_sentences, n_scenes = similarity.shape
    latest_best = np.empty((n_sentences, n_scenes), np.int64)  # the latest scene ≤ j that gives sentences 0 … i the best sum
    total = np.zeros(n_scenes)  # the best sum of sentences 0 … i − 1, the last of them at scene j or earlier
    for i in range(n_sentences):
        best, at = -np.inf, 0
        for j in range(n_scenes):
            value = total[j] + similarity[i, j]
            if value >= best:
                best, at = value, j
            total[j] = best
            latest_best[i, j] = at
    scenes = np.empty(n_sentences, np.int64)
    limit = n_scenes - 1
    for i in range(n_sentences - 1, -1, -1):
        limit = latest_best[i, limit]
        scenes[i] = limit
    return scenes
