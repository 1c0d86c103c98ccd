"""Posterior decoding of the monotone map of sentences to scenes: how likely each link is over all maps, not in the best alone."""

import numpy as np
from numpy.typing import NDArray

from core.compiled import compiled


def link_posteriors(evidence: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return P(sentence i is linked to scene j) (n_sentences × n_scenes; rows sum to 1) over all non-decreasing maps.

    A map f has the probability exp Σ evidence[i, f(i)], up to a constant: `evidence` is in nats, so its scale matters, while a
    row's offset does not. Forward–backward with running sums over scenes: O(n_sentences · n_scenes). Raises ValueError where
    there is no scene, or the evidence is not finite.

    Reference: Rabiner, "A Tutorial on Hidden Markov Models", 1989, section III, for a left-to-right model.
    """
    if evidence.ndim != 2 or evidence.shape[1] == 0:
        raise ValueError(f"a matrix of sentences × scenes is needed, not one of shape {evidence.shape}")
    if not np.isfinite(evidence).all():
        raise ValueError("evidence must be finite")
    posteriors = np.exp(_log_links(np.ascontiguousarray(evidence, dtype=np.float64)))
    normalised: NDArray[np.float64] = posteriors / posteriors.sum(axis=1, keepdims=True)
    return normalised


@compiled
def _log_links(evidence: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return log posteriors, the highest of each row 0. Logarithms throughout: evidence may differ by hundreds of nats."""
    n_sentences, n_scenes = evidence.shape
    links = np.empty((n_sentences, n_scenes))
    before = np.zeros(n_scenes)  # of all maps of the sentences before, the last at scene j or earlier
    for i in range(n_sentences):
        total = -np.inf
        for j in range(n_scenes):
            links[i, j] = before[j] + evidence[i, j]
            total = np.logaddexp(total, links[i, j])
            before[j] = total
    after = np.zeros(n_scenes)  # of all maps of the sentences behind, the first at scene j or later
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
