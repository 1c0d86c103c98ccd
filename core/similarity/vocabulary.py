"""Turns texts into token numbers. Each distinct piece of text is tokenised once."""

from collections.abc import Sequence

import numpy as np

from core.compiled import compiled_when_busy
from core.similarity.pieces import LINE_BREAK, WHITE_SPACE, PieceTable
from core.text.numbering import Codes
from core.text.tokens import PieceTokenizer, TextTokenizer, Tokenizer


class Vocabulary:
    """The tokens of a dialogue and of the texts compared with it, numbered from 0 up in order of appearance.

    A vocabulary grows with the distinct pieces of its texts and lives as long as its dialogue. Only the tokenizer's own cache
    lives longer.
    """

    def __init__(self, tokenize: Tokenizer) -> None:
        self._tokenizer = tokenize if isinstance(tokenize, PieceTokenizer) else TextTokenizer(tokenize)
        self._pieces = PieceTable(WHITE_SPACE)
        self._tokens = PieceTable(LINE_BREAK)
        self._numbers = np.zeros(0, np.int64)  # token numbers of all pieces, one piece after the other
        self._bounds = np.zeros(1, np.int64)

    @property
    def n_tokens(self) -> int:
        """The number of distinct tokens coded so far."""
        return self._tokens.size

    def code(self, texts: Sequence[str]) -> tuple[Codes, Codes]:
        """Return the numbers of the texts' tokens and their bounds: text i has `tokens[bounds[i] : bounds[i + 1]]`."""
        n_known = self._pieces.size
        pieces, bounds = self._pieces.number(texts, self._tokenizer.find_whole(texts))
        if self._pieces.size > n_known:
            numbers, new_bounds = self._tokens.number(self._tokenizer.tokenize(self._pieces.read(n_known)))
            self._bounds = np.concatenate([self._bounds, self._numbers.size + new_bounds[1:]])
            self._numbers = np.concatenate([self._numbers, numbers])
        return _expand(pieces, bounds, self._numbers, self._bounds)


@compiled_when_busy
def _expand(pieces: Codes, bounds: Codes, tokens: Codes, token_bounds: Codes) -> tuple[Codes, Codes]:
    """Replace each piece by its tokens."""
    n_tokens = 0
    for piece in pieces:
        n_tokens += token_bounds[piece + 1] - token_bounds[piece]
    expanded, expanded_bounds = np.empty(n_tokens, np.int64), np.zeros(bounds.size, np.int64)
    at = 0
    for text in range(bounds.size - 1):
        for piece in pieces[bounds[text] : bounds[text + 1]]:
            for token in tokens[token_bounds[piece] : token_bounds[piece + 1]]:
                expanded[at] = token
                at += 1
        expanded_bounds[text + 1] = at
    return expanded, expanded_bounds
