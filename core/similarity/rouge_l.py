"""ROUGE-L of all turns and chunks: F1 of the longest common subsequence of their tokens."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.similarity.vocabulary import Vocabulary
from core.text.common_subsequences import measure_common_subsequences
from core.text.tokens import Tokenizer


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
