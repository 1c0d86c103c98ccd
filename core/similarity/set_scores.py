"""Scores of turns and chunks by their n-grams: β (eq. 2), and those that CRD3's authors tried in its place."""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cdist

from core.similarity.ngrams import NgramSets
from core.text.tokens import Tokenizer


def normalise_columns(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide the scores of each chunk by their sum over the turns (n_turns × n_chunks); CRD3 rejected this (section 4.1)."""
    return _divide(scores, scores.sum(axis=0, keepdims=True))


SetScore = Literal["overlap", "idf-overlap", "rouge", "tf-idf"]


def score_sets(turns: NgramSets, chunks: NgramSets, score: SetScore) -> NDArray[np.float64]:
    """Return the scores of all turns and chunks (n_turns × n_chunks), 0 if nothing is shared. The sets come from one index.

    - `overlap`: β = |s ∩ t| · F1 = 2 |s ∩ t|² / (|s| + |t|), computed as p = |s ∩ t| / |s|, r = |s ∩ t| / |t|,
      2·p·r / (p + r) · |s ∩ t|: another order of operations would change ties and so spans.
    - `idf-overlap`: β with the idf of each n-gram as its weight: 2 (Σ idf of s ∩ t)² / (Σ idf of s + Σ idf of t).
    - `rouge`: ROUGE's F1 over sets, 2 |s ∩ t| / (|s| + |t|), without β's factor |s ∩ t|.
    - `tf-idf`: the cosine of the idf vectors, with binary term frequencies.

    idf = ln((n_turns + 1) / (df + 1)), where df is the number of turns with the n-gram.

    Reference: CRD3, section 4.1, eq. 2, "variations of ROUGE", "variations of TF-IDF"; idf-weighted β is fabula's own.
    """
    from scipy.sparse import csr_array  # the windows aligner does without it

    n_codes = max(turns.n_codes, chunks.n_codes)
    held = np.bincount(turns.codes, minlength=n_codes)
    weights = np.ones(n_codes) if score in ("overlap", "rouge") else np.maximum(np.log(turns.bounds.size / (held + 1)), 0.0)
    if score == "tf-idf":
        weights = weights**2
    said, told = (
        csr_array((np.ones(sets.codes.size), sets.codes, sets.bounds), (len(sets.bounds) - 1, n_codes))
        for sets in (turns, chunks)
    )
    shared = np.asarray((csr_array(said.multiply(weights)) @ told.T).toarray(), np.float64)
    left, right = np.asarray(said @ weights)[:, None], np.asarray(told @ weights)[None, :]
    if score == "overlap":
        precision, recall = _divide(shared, left), _divide(shared, right)
        return _divide(2 * precision * recall, precision + recall) * shared
    if score == "tf-idf":
        return _divide(shared, np.sqrt(left * right))
    return _divide(2 * shared if score == "rouge" else 2 * shared**2, left + right)


def _divide(above: NDArray[np.number], below: NDArray[np.number]) -> NDArray[np.float64]:
    quotients: NDArray[np.float64] = np.divide(above, below, out=np.zeros(above.shape), where=below > 0)
    return quotients


def bind_rouge_l(turns: Sequence[str], tokenize: Tokenizer) -> Callable[[Sequence[str]], NDArray[np.float64]]:
    """Return a function from chunks to ROUGE-L's F1 (Lin 2004, β = 1) with each turn (n_turns × n_chunks), 0 for no tokens."""
    said = list(map(tokenize, turns))

    def score(chunks: Sequence[str]) -> NDArray[np.float64]:
        told = list(map(tokenize, chunks))
        common = cdist(said, told, scorer=LCSseq.similarity, dtype=np.int32)
        return _divide(2 * common, np.array([[len(turn)] for turn in said]) + np.array([len(chunk) for chunk in told]))

    return score
