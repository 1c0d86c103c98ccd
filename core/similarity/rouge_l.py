"""ROUGE-L of all turns and chunks: F1 of the longest common subsequence of their tokens."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.compiled import compiled
from core.similarity.numbering import Integers
from core.similarity.vocabulary import Vocabulary
from core.text.tokens import Tokenizer


class RougeLScorer:
    """A `TurnScorer` that returns ROUGE-L's F1. The turns are tokenised once."""

    def __init__(self, turns: Sequence[str], tokenize: Tokenizer) -> None:
        self._vocabulary = Vocabulary(tokenize)
        self._turns = self._vocabulary.code(turns)

    def __call__(self, chunks: Sequence[str], /) -> NDArray[np.float64]:
        """Return 2 · LCS / (tokens of the turn + tokens of the chunk) (n_turns × n_chunks), or 0 for two empty texts.

        Time O(tokens of the turns · tokens of the chunks).

        Reference: Lin 2004, "ROUGE: A Package for Automatic Evaluation of Summaries", section 3.1, with β = 1; one of the
        "variations of ROUGE" of CRD3, section 4.1.
        """
        tokens, bounds = self._vocabulary.code(chunks)
        common = _common_lengths(*self._turns, tokens, bounds)
        total = np.diff(self._turns[1])[:, None] + np.diff(bounds)[None, :]
        scores: NDArray[np.float64] = np.divide(2 * common, total, out=np.zeros_like(common), where=total > 0)
        return scores


@compiled
def _common_lengths(turns: Integers, turn_bounds: Integers, chunks: Integers, chunk_bounds: Integers) -> NDArray[np.float64]:
    """Fill the usual table a row at a time, for every turn and chunk."""
    n_turns, n_chunks = turn_bounds.size - 1, chunk_bounds.size - 1
    lengths = np.zeros((n_turns, n_chunks))
    for chunk in range(n_chunks):
        tokens = chunks[chunk_bounds[chunk] : chunk_bounds[chunk + 1]]
        row = np.zeros(tokens.size + 1, np.int64)
        for turn in range(n_turns):
            row[:] = 0
            for token in turns[turn_bounds[turn] : turn_bounds[turn + 1]]:
                diagonal = 0
                for place in range(tokens.size):
                    above = row[place + 1]
                    if token == tokens[place]:
                        row[place + 1] = diagonal + 1
                    elif row[place] > above:
                        row[place + 1] = row[place]
                    diagonal = above
            lengths[turn, chunk] = row[-1]
    return lengths
