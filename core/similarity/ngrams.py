"""Texts as integer codes: distinct pieces are tokenised once, then sets of n-grams are compared by arithmetic."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.text.numbering import Codes, empty_slots, number_ngrams, number_pieces
from core.text.tokens import PieceTokenizer, Tokenizer

WHITE_SPACE = np.array([chr(code).isspace() for code in range(0x3001)])  # of str.split; there is none above
LINE_BREAK = np.array([chr(code) == "\n" for code in range(0x80)])

Scalar = TypeVar("Scalar", bound=np.generic)


class PieceTable:
    """Numbers the distinct pieces of texts (runs between separators, by code point, or whole texts) and stores each once."""

    def __init__(self, separates: NDArray[np.bool_]) -> None:
        self.size = 0
        self._separates = separates
        self._slots = empty_slots()
        self._keys = np.zeros(0, np.uint64)
        self._kept = np.zeros(0, np.uint32)
        self._bounds = np.zeros(1, np.int64)

    def number(self, texts: Sequence[str], whole: Collection[int] = ()) -> tuple[Codes, Codes]:
        """Return the numbers of the texts' pieces in order, and their bounds (n_texts + 1); the texts `whole` are one piece."""
        characters = np.frombuffer("\n".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
        ends = np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)) + 1) - 1
        is_whole = np.zeros(len(texts), np.bool_)
        is_whole[list(whole)] = True
        max_size = self.size + len(texts) + characters.size // 2
        self._keys = with_room(self._keys, max_size)
        self._bounds = with_room(self._bounds, max_size + 1)
        self._kept = with_room(self._kept, int(self._bounds[self.size]) + characters.size)
        self._slots, self.size, numbers, bounds = number_pieces(
            characters, ends, is_whole, self._separates, self._slots, self._keys, self._kept, self._bounds, self.size
        )
        return numbers, bounds

    def read(self, first: int) -> list[str]:
        """Return the pieces from number `first` on."""
        bounds = self._bounds[first : self.size + 1]
        text = self._kept[bounds[0] : bounds[-1]].tobytes().decode("utf-32-le", "surrogatepass")
        return [text[start:end] for start, end in pairwise((bounds - bounds[0]).tolist())]


def with_room(values: NDArray[Scalar], size: int) -> NDArray[Scalar]:
    """Return an array of at least `size` that starts with `values`. The rest is not set and takes no memory until it is."""
    if size <= values.size:
        return values
    roomy = np.empty(size, values.dtype)
    roomy[: values.size] = values
    return roomy


class Vocabulary:
    """The tokens of a dialogue and of the texts compared with it, numbered from 0 up in order of appearance."""

    def __init__(self, tokenize: Tokenizer) -> None:
        self._tokenize = tokenize
        self._pieces = PieceTable(WHITE_SPACE)
        self._tokens = PieceTable(LINE_BREAK)
        self._numbers = np.zeros(0, np.int64)  # token numbers of all pieces, one piece after the other
        self._bounds = np.zeros(1, np.int64)

    def code(self, texts: Sequence[str]) -> tuple[Codes, Codes]:
        """Return the numbers of the texts' tokens and their bounds: text i has `tokens[bounds[i] : bounds[i + 1]]`."""
        n_known = self._pieces.size
        by_piece = self._tokenize if isinstance(self._tokenize, PieceTokenizer) else None
        pieces, bounds = self._pieces.number(texts, by_piece.find_whole(texts) if by_piece else range(len(texts)))
        if self._pieces.size > n_known:
            new = self._pieces.read(n_known)
            lines = by_piece.tokenize(new) if by_piece else ["\n".join(self._tokenize(text)) for text in new]
            numbers, new_bounds = self._tokens.number(lines)
            self._bounds = np.concatenate([self._bounds, self._numbers.size + new_bounds[1:]])
            self._numbers = np.concatenate([self._numbers, numbers])
        return _expand(pieces, bounds, self._numbers, self._bounds)


def _expand(pieces: Codes, bounds: Codes, tokens: Codes, token_bounds: Codes) -> tuple[Codes, Codes]:
    """Replace each piece by its tokens."""
    lengths = np.diff(token_bounds)[pieces]
    ends = np.append(0, np.cumsum(lengths))
    places = np.repeat(token_bounds[pieces] - ends[:-1], lengths) + np.arange(ends[-1])
    return tokens[places], ends[bounds]


@dataclass(frozen=True, slots=True)
class NgramSets:
    """One set of n-grams per text: text i holds `codes[bounds[i] : bounds[i + 1]]`, without repeats, below `n_codes`.

    `lengths` are the tokens of each text, with repeats.
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
        """Code the sets τ of `texts` (the turns). `orders` are the n of the n-grams, each ≥ 1."""
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
    texts, known = np.repeat(np.arange(len(sets.bounds) - 1), sets.sizes), sets.codes < n_codes
    holders = texts[known][np.argsort(sets.codes[known], kind="stable")]
    return holders, np.append(0, np.cumsum(np.bincount(sets.codes[known], minlength=n_codes)))
