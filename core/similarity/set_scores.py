"""Scores that CRD3's authors tried in place of β: plain F1, ROUGE-L, TF-IDF, normalised columns; and idf-weighted overlap."""

from collections.abc import Sequence
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from core.compiled import compiled_when_busy
from core.similarity.ngrams import NgramIndex, NgramSets, Vocabulary, invert
from core.text.common_subsequences import measure_common_subsequences
from core.text.numbering import Codes
from core.text.tokens import Tokenizer


class TurnScorer(Protocol):
    """Scores chunks against the turns of one dialogue. The turns are prepared once and used for every chunking."""

    def __call__(self, chunks: Sequence[str], /) -> NDArray[np.float64]:
        """Return the score matrix (n_turns × n_chunks). Scores are finite and not negative; higher means more similar."""
        ...


class ColumnNormaliser:
    """A `TurnScorer` that divides the scores of each chunk by their sum over the turns. A column of zeros stays zero.

    Reference: CRD3, section 4.1, "column-wise normalization on M", which its authors rejected. The paper does not say what the
    columns are divided by. Dividing by the sum gives every chunk the same weight.
    """

    def __init__(self, score: TurnScorer) -> None:
        self._score = score

    def __call__(self, chunks: Sequence[str], /) -> NDArray[np.float64]:
        """Return the normalised scores (n_turns × n_chunks)."""
        scores = self._score(chunks)
        totals = scores.sum(axis=0, keepdims=True)
        normalised: NDArray[np.float64] = np.divide(scores, totals, out=np.zeros_like(scores), where=totals > 0)
        return normalised


SetScore = Literal["idf-overlap", "rouge", "tf-idf"]


class SetScorer:
    """A `TurnScorer` that returns one of the `SetScore`s for the turns in `index` and the chunks of the call."""

    def __init__(self, index: NgramIndex, score: SetScore) -> None:
        self._index = index
        self._score: SetScore = score

    def __call__(self, chunks: Sequence[str], /) -> NDArray[np.float64]:
        """Return the scores (n_turns × n_chunks)."""
        return score_sets(self._index.turns, self._index.code(chunks), self._score)


def score_sets(turns: NgramSets, chunks: NgramSets, score: SetScore) -> NDArray[np.float64]:
    """Return the scores of all turns and chunks (n_turns × n_chunks), 0 if nothing is shared. The sets come from one index.

    - `idf-overlap`: β (eq. 2) with the idf of each n-gram as its weight: 2 (Σ idf of s ∩ t)² / (Σ idf of s + Σ idf of t). The
      weights keep long turns from winning by common words.
    - `rouge`: ROUGE's F1 over sets, 2 |s ∩ t| / (|s| + |t|), without β's factor |s ∩ t|. n-grams of order 1 give ROUGE-1, n-grams
      of order 2 give ROUGE-2.
    - `tf-idf`: the cosine of the idf vectors, with binary term frequencies.

    idf = ln((n_turns + 1) / (df + 1)), where df is the number of turns with the n-gram. Time grows with the number of n-grams
    that turns and chunks share, memory with the size of the matrix.

    Reference: CRD3, section 4.1, "variations of ROUGE (Lin, 2004), variations of TF-IDF (Jones, 1988)" and "the TF-IDF function
    proposed by (Nelken and Shieber, 2006)"; idf-weighted β is fabula's own.
    """
    n_codes = max(turns.n_codes, chunks.n_codes)
    weights = np.ones(n_codes) if score == "rouge" else idf_weights(turns, n_codes)
    if score == "tf-idf":
        weights = weights**2
    shared = weigh_overlaps(turns, chunks, weights)
    left, right = weigh_sets(turns, weights)[:, None], weigh_sets(chunks, weights)[None, :]
    if score == "tf-idf":
        return _divide(shared, np.sqrt(left * right))
    return _divide(2 * shared if score == "rouge" else 2 * shared**2, left + right)


def idf_weights(turns: NgramSets, n_codes: int) -> NDArray[np.float64]:
    """Return ln((n_turns + 1) / (df + 1)) of every n-gram (`n_codes`), where df is the number of turns with the n-gram."""
    held = np.bincount(turns.codes, minlength=n_codes)
    idf: NDArray[np.float64] = np.log((turns.bounds.size) / (held + 1))
    return np.maximum(idf, 0.0)


def weigh_sets(sets: NgramSets, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the summed weight of each text's set."""
    totals = np.concatenate(([0.0], np.cumsum(weights[sets.codes])))
    return np.asarray(totals[sets.bounds[1:]] - totals[sets.bounds[:-1]], np.float64)


def weigh_overlaps(turns: NgramSets, chunks: NgramSets, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the summed weight of the n-grams that a turn and a chunk share (n_turns × n_chunks)."""
    holders, holder_bounds = invert(chunks, turns.n_codes)
    return _weigh_overlaps(turns.codes, turns.bounds, holders, holder_bounds, weights, chunks.bounds.size - 1)


def _divide(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


@compiled_when_busy
def _weigh_overlaps(
    codes: Codes, bounds: Codes, holders: Codes, holder_bounds: Codes, weights: NDArray[np.float64], n_chunks: int
) -> NDArray[np.float64]:
    shared = np.zeros((bounds.size - 1, n_chunks))
    for turn in range(bounds.size - 1):
        for code in codes[bounds[turn] : bounds[turn + 1]]:
            for chunk in holders[holder_bounds[code] : holder_bounds[code + 1]]:
                shared[turn, chunk] += weights[code]
    return shared


class RougeLScorer:
    """A `TurnScorer` that returns ROUGE-L's F1. The turns are tokenised once."""

    def __init__(self, turns: Sequence[str], tokenize: Tokenizer) -> None:
        self._vocabulary = Vocabulary(tokenize)
        self._turns = self._vocabulary.code(turns)

    def __call__(self, chunks: Sequence[str], /) -> NDArray[np.float64]:
        """Return 2 · LCS / (tokens of the turn + tokens of the chunk) (n_turns × n_chunks), or 0 for two empty texts.

        Reference: Lin 2004, "ROUGE: A Package for Automatic Evaluation of Summaries", section 3.1, with β = 1; one of the
        "variations of ROUGE" of CRD3, section 4.1.
        """
        tokens, bounds = self._vocabulary.code(chunks)
        common = measure_common_subsequences(*self._turns, tokens, bounds, self._vocabulary.n_tokens)
        total = np.diff(self._turns[1])[:, None] + np.diff(bounds)[None, :]
        scores: NDArray[np.float64] = np.divide(2 * common, total, out=np.zeros(common.shape), where=total > 0)
        return scores
