"""Order-preserving maps from a synopsis's sentences to scenes: the best one, and the probability of each link over all."""

import numpy as np
from numpy.typing import NDArray


def assign_scenes(similarity: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the non-decreasing map f (n_sentences) from sentences to scenes that maximises Σ similarity[i, f(i)].

    `similarity` is n_sentences × n_scenes, of any sign. Ties go to the latest scene, as in the paper's order of moves (up,
    diagonal, left). Raises ValueError if there is no scene or a similarity is not finite.

    Reference: SumTitles, algorithm 2, with its loop bounds swapped back and a trailing padding row (`papers/README.md`).
    """
    _check(similarity)
    n_sentences, n_scenes = similarity.shape
    latest_best = np.empty((n_sentences, n_scenes), np.int64)  # the latest scene ≤ j that gives sentences 0 … i the best sum
    total = np.zeros(n_scenes)  # the best sum of sentences 0 … i − 1, the last of them at scene j or earlier
    for i, row in enumerate(similarity):
        values = total + row
        total = np.maximum.accumulate(values)
        latest_best[i] = np.maximum.accumulate(np.where(values == total, np.arange(n_scenes), 0))
    scenes = np.empty(n_sentences, np.int64)
    limit = n_scenes - 1
    for i in range(n_sentences - 1, -1, -1):
        limit = scenes[i] = latest_best[i, limit]
    return scenes


def _check(matrix: NDArray[np.float64]) -> None:
    if matrix.ndim != 2 or matrix.shape[1] == 0 or not np.isfinite(matrix).all():
        raise ValueError(f"the matrix of shape {matrix.shape} must be n_sentences × n_scenes ≥ 1, and finite")


def link_posteriors(evidence: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return P(sentence i is linked to scene j) over all non-decreasing maps (n_sentences × n_scenes; rows sum to 1).

    The probability of a map f is proportional to exp Σ evidence[i, f(i)], with `evidence` (n_sentences × n_scenes) in nats.
    Raises ValueError if there is no scene or the evidence is not finite.

    Reference: Rabiner, "A Tutorial on Hidden Markov Models", 1989, section III, for a left-to-right model.
    """
    _check(evidence)
    links, before = np.empty(evidence.shape), np.zeros(evidence.shape[1])  # log forward sum: the last sentence at j or earlier
    for i, row in enumerate(evidence):
        links[i] = before + row
        before = np.logaddexp.accumulate(links[i])
    after = np.zeros(evidence.shape[1])  # log backward sum: sentences i + 1 and later, the first at scene j or later
    for i in range(len(evidence) - 1, -1, -1):
        links[i] += after
        after = np.logaddexp.accumulate((after + evidence[i])[::-1])[::-1]
    posteriors = np.exp(links - links.max(axis=1, keepdims=True))  # evidence may differ by hundreds of nats
    normalised: NDArray[np.float64] = posteriors / posteriors.sum(axis=1, keepdims=True)
    return normalised


def sum_maps(evidence: NDArray[np.float64]) -> float:
    """Return log Σ exp Σ evidence[i, f(i)] over all non-decreasing maps f (nats): how well sentences fit scenes in order."""
    before = np.zeros(evidence.shape[1])  # log sum over the maps of the sentences so far, the last at scene j or earlier
    for row in evidence:
        before = np.logaddexp.accumulate(before + row)
    return float(before[-1])
