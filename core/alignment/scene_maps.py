"""Order-preserving maps from a synopsis's sentences to scenes: the best one, and the probability of each link over all."""

import numpy as np
from numpy.typing import NDArray

from core.compiled import compiled_when_busy


def assign_scenes(similarity: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the non-decreasing map f (n_sentences) from sentences to scenes that maximises Σ similarity[i, f(i)].

    `similarity` is n_sentences × n_scenes, of any sign. Ties go to the latest scene, as in the paper's order of moves (up,
    diagonal, left). Raises ValueError if there is no scene or a similarity is not finite.

    Reference: SumTitles, algorithm 2, with its loop bounds swapped back and a trailing padding row (`papers/README.md`).
    """
    return _assign(_check(similarity))


def _check(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    if matrix.ndim != 2 or matrix.shape[1] == 0 or not np.isfinite(matrix).all():
        raise ValueError(f"the matrix of shape {matrix.shape} must be n_sentences × n_scenes ≥ 1, and finite")
    return np.ascontiguousarray(matrix, dtype=np.float64)


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


def link_posteriors(evidence: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return P(sentence i is linked to scene j) over all non-decreasing maps (n_sentences × n_scenes; rows sum to 1).

    The probability of a map f is proportional to exp Σ evidence[i, f(i)], with `evidence` (n_sentences × n_scenes) in nats.
    Raises ValueError if there is no scene or the evidence is not finite.

    Reference: Rabiner, "A Tutorial on Hidden Markov Models", 1989, section III, for a left-to-right model.
    """
    posteriors = np.exp(_log_links(_check(evidence)))
    normalised: NDArray[np.float64] = posteriors / posteriors.sum(axis=1, keepdims=True)
    return normalised


def sum_maps(evidence: NDArray[np.float64]) -> float:
    """Return log Σ exp Σ evidence[i, f(i)] over all non-decreasing maps f (nats): how well sentences fit scenes in order."""
    total: float = _sum_maps(np.ascontiguousarray(evidence, dtype=np.float64))
    return total


@compiled_when_busy
def _sum_maps(evidence: NDArray[np.float64]) -> float:
    before = np.zeros(evidence.shape[1])  # log sum over the maps of the sentences so far, the last at scene j or earlier
    for row in evidence:
        total = -np.inf
        for scene in range(before.size):
            total = np.logaddexp(total, before[scene] + row[scene])
            before[scene] = total
    return float(before[-1])


@compiled_when_busy
def _log_links(evidence: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return log posteriors, shifted so that the highest of each row is 0; evidence may differ by hundreds of nats."""
    n_sentences, n_scenes = evidence.shape
    links = np.empty((n_sentences, n_scenes))
    before = np.zeros(n_scenes)  # log forward sum: sentences 0 … i − 1, the last at scene j or earlier
    for i in range(n_sentences):
        total = -np.inf
        for j in range(n_scenes):
            links[i, j] = before[j] + evidence[i, j]
            total = np.logaddexp(total, links[i, j])
            before[j] = total
    after = np.zeros(n_scenes)  # log backward sum: sentences i + 1 and later, the first at scene j or later
    for i in range(n_sentences - 1, -1, -1):
        highest, total = -np.inf, -np.inf
        for j in range(n_scenes - 1, -1, -1):
            total = np.logaddexp(total, after[j] + evidence[i, j])
            links[i, j] += after[j]
            after[j] = total
            highest = max(highest, links[i, j])
        for j in range(n_scenes):
            links[i, j] -= highest
    return links
