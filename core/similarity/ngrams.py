"""Sets of n-grams as integers: texts coded once, then compared by arithmetic."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count

import numpy as np
from numpy.typing import NDArray

from core.text.tokens import Tokenizer

_BASE = 1 << 31  # codes of tokens and of shorter n-grams stay below it, so that two of them fit one int64

Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class NgramSets:
    """One set of n-grams per text, as a sparse binary matrix in compressed rows.

    Text i holds the codes `codes[bounds[i] : bounds[i + 1]]`, ascending, without repeats; `sizes[i]` is |τ(i)|, which counts
    n-grams without a code too. Codes run from 0 to `n_codes` − 1.
    """

    codes: Codes
    bounds: Codes
    sizes: Codes
    n_codes: int


class NgramIndex:
    """The n-grams of a dialogue's turns: codes them once, then codes any other texts (chunks) by the same numbers."""

    def __init__(self, texts: Sequence[str], tokenize: Tokenizer, orders: Sequence[int]) -> None:
        """Code the sets τ of `texts` (turns); `orders` are the n of the n-grams, each ≥ 1.

        Raises ValueError where there is no order, or one below 1.
        """
        if not orders or min(orders) < 1:
            raise ValueError(f"orders of n-grams must be 1 or more, not {tuple(orders)}")
        self._tokenize = tokenize
        self._orders = frozenset(orders)
        self._token_ids: defaultdict[str, int] = defaultdict(count().__next__)
        self._known: list[Codes] = []  # per order from 1 up: the keys of the turns' n-grams, ascending
        self.turns = self._code(texts, learn=True)

    def code(self, texts: Sequence[str]) -> NgramSets:
        """Return the sets τ of `texts`; an n-gram that no turn has counts in their sizes and has no code."""
        return self._code(texts, learn=False)

    def _code(self, texts: Sequence[str], learn: bool) -> NgramSets:
        """Code the texts order by order: an n-gram is the code of its first n − 1 tokens paired with its last token."""
        tokens = [self._tokenize(text) for text in texts]
        rows = np.append(np.repeat(np.arange(len(texts)), [len(of_text) for of_text in tokens]), -1)
        ids = np.fromiter(map(self._token_ids.__getitem__, chain.from_iterable(tokens)), np.int64, rows.size - 1)
        starts, keys = np.arange(ids.size), ids
        cells, sizes, n_codes = [np.zeros(0, np.int64)], np.zeros(len(texts), np.int64), 0
        for order in range(1, max(self._orders) + 1):
            if learn:
                self._known.append(_distinct(keys))
            known = self._known[order - 1]
            codes = ids if order == 1 else _place(keys, known)  # ids are numbered in order of appearance, the turns' first
            if order in self._orders:
                distinct = _distinct(rows[starts] * _BASE + codes)
                sizes += np.bincount(distinct // _BASE, minlength=len(texts))
                cells.append(distinct[distinct % _BASE < known.size] + n_codes)
                n_codes += known.size
            longer = rows[starts + order] == rows[starts]
            starts, keys = starts[longer], codes[longer] * _BASE + ids[starts[longer] + order]
        return _compress(np.sort(np.concatenate(cells)), sizes, n_codes)


def invert(sets: NgramSets, n_codes: int) -> tuple[Codes, Codes]:
    """Return which texts hold each code: code c is in the texts `holders[bounds[c] : bounds[c + 1]]`, for 0 ≤ c < `n_codes`."""
    order = np.argsort(sets.codes, kind="stable")
    holders = np.repeat(np.arange(sets.sizes.size), np.diff(sets.bounds))[order]
    return holders, np.append(0, np.cumsum(np.bincount(sets.codes, minlength=n_codes)))


def _distinct(values: Codes) -> Codes:
    """Return np.unique(values); sorting alone is several times as fast as NumPy's hash table and sort."""
    ascending = np.sort(values)
    return ascending[np.append(True, ascending[1:] != ascending[:-1])] if ascending.size else ascending


def _place(keys: Codes, known: Codes) -> Codes:
    """Return the place of each key in `known`; keys that are not there get numbers from `known.size` on."""
    order = np.argsort(keys)  # ascending keys are found several times as fast
    places = np.empty_like(keys)
    places[order] = np.searchsorted(known, keys[order])
    new = known[np.minimum(places, known.size - 1)] != keys if known.size else np.ones(keys.size, np.bool_)
    if new.any():
        places[new] = known.size + np.unique(keys[new], return_inverse=True)[1]
    return places


def _compress(cells: Codes, sizes: Codes, n_codes: int) -> NgramSets:
    """Return the rows of ascending `cells`, each a row times _BASE plus a code."""
    bounds = np.searchsorted(cells, np.arange(sizes.size + 1) * _BASE)
    return NgramSets(cells % _BASE, bounds, sizes, n_codes)
