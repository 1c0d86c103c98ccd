"""Sets of n-grams as integer codes: texts are coded once, then compared by arithmetic."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.compiled import compiled_when_busy
from core.similarity.pieces import with_room
from core.similarity.vocabulary import Vocabulary
from core.text.numbering import Codes, empty_slots, number_ngrams
from core.text.tokens import Tokenizer


@dataclass(frozen=True, slots=True)
class NgramSets:
    """One set of n-grams per text, as a sparse binary matrix in compressed rows.

    Text i holds the codes `codes[bounds[i] : bounds[i + 1]]`, without repeats, each from 0 to `n_codes` − 1. `lengths` are the
    tokens of each text, with repeats.
    """

    codes: Codes
    bounds: Codes
    n_codes: int
    lengths: Codes

    @property
    def sizes(self) -> Codes:
        """|τ| of each text."""
        return np.diff(self.bounds)


class NgramIndex:
    """Codes the n-grams of a dialogue's turns once, and those of other texts (chunks) with the same codes.

    Codes are in order of appearance. An n-gram that no turn has gets a code from `turns.n_codes` on.
    """

    def __init__(self, texts: Sequence[str], tokenize: Tokenizer, orders: Sequence[int]) -> None:
        """Code the sets τ of `texts` (the turns). `orders` are the n of the n-grams, each ≥ 1.

        Raises ValueError if there is no order, or an order below 1.
        """
        if not orders or min(orders) < 1:
            raise ValueError(f"orders of n-grams must be 1 or more, not {tuple(orders)}")
        self._vocabulary = Vocabulary(tokenize)
        self._is_wanted = np.isin(np.arange(1, max(orders) + 1), orders)
        self._slots = empty_slots()
        self._keys = np.zeros(0, np.uint64)
        self._n_codes = 0
        self.turns = self.code(texts)

    def code(self, texts: Sequence[str]) -> NgramSets:
        """Return the sets τ of `texts`. Time O(tokens · highest order)."""
        tokens, token_bounds = self._vocabulary.code(texts)
        self._keys = with_room(self._keys, self._n_codes + tokens.size * self._is_wanted.size)
        self._slots, self._n_codes, codes, bounds = number_ngrams(
            tokens, token_bounds, self._is_wanted, self._slots, self._keys, self._n_codes
        )
        return NgramSets(codes, bounds, self._n_codes, np.diff(token_bounds))


def invert(sets: NgramSets, n_codes: int) -> tuple[Codes, Codes]:
    """Return the texts of each code below `n_codes`: code c is in the texts `holders[bounds[c] : bounds[c + 1]]`."""
    return _invert(sets.codes, sets.bounds, n_codes)


@compiled_when_busy
def _invert(codes: Codes, bounds: Codes, n_codes: int) -> tuple[Codes, Codes]:
    holder_bounds = np.zeros(n_codes + 1, np.int64)
    for code in codes:
        if code < n_codes:
            holder_bounds[code + 1] += 1
    holder_bounds = np.cumsum(holder_bounds)
    ends = holder_bounds[:-1].copy()
    holders = np.empty(holder_bounds[-1], np.int64)
    for text in range(bounds.size - 1):
        for code in codes[bounds[text] : bounds[text + 1]]:
            if code < n_codes:
                holders[ends[code]] = text
                ends[code] += 1
    return holders, holder_bounds
