"""Codes the words of texts as integers, so that a corpus is tokenised once and compared by arithmetic.

The code of a word of up to twelve letters is the word read as a number to the base 37. A longer word is hashed to 63 bits; among
a million long words, two share a code with probability 10⁻⁷.
"""

import itertools
import re
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.compiled import compiled
from core.text.numbering import Codes

_ROUGE_TOKEN = re.compile("[a-z0-9]+")
_LONGEST_UNSTEMMED = 3  # rouge-score stems longer tokens only
_MOST_STEMS = 1_000_000  # size at which the cache is emptied, so that memory does not grow with the corpus

_LETTERS_EXACT, _BASE = 12, np.int64(37)
_PRIME, _BITS = np.int64(0x100000001B3), np.int64(0x7FFFFFFFFFFFFFFF)


class RougeCoder:
    """Codes rouge-score's tokens: runs of a–z and 0–9, lower-cased; with `stem` (its `use_stemmer`) their Porter stems."""

    def __init__(self, stem: bool = False) -> None:
        self._stems = _StemCodes() if stem else None

    def __call__(self, text: str, /) -> Codes:
        """Return the codes of the words of `text`, in order; all are ≥ 0."""
        return self.code_all([text])[0]

    def code_all(self, texts: Sequence[str], /) -> list[Codes]:
        """Return the codes of several texts, which is faster than one by one."""
        if self._stems is None:
            codes, bounds = _code([_bytes(text) for text in texts], deleting=False)
            return [codes[start:end] for start, end in itertools.pairwise(bounds.tolist())]
        return [np.array([self._stems[token] for token in rouge_tokens(text)], np.int64) for text in texts]


def code_bertsum(texts: Sequence[str]) -> tuple[Codes, Codes]:
    """Return the codes of BertSum's words (letters and digits between white space) of some texts, and bounds (n_texts + 1)."""
    plain = (text if text.isascii() else " ".join(text.split()) for text in texts)
    return _code([_bytes(text) for text in plain], deleting=True)


def rouge_tokens(text: str) -> list[str]:
    """Return the tokens of rouge-score's tokenizer without a stemmer, in a fraction of its time."""
    return _ROUGE_TOKEN.findall(text.lower())


def join_codes(texts: Iterable[Codes]) -> Codes:
    """Return the codes of several texts as one array."""
    return np.concatenate([np.zeros(0, np.int64), *texts])


def bounds_of(texts: Sequence[Codes]) -> Codes:
    """Return the bounds of each text in `join_codes(texts)` (n_texts + 1)."""
    bounds = np.zeros(len(texts) + 1, np.int64)
    np.cumsum([text.size for text in texts], out=bounds[1:])
    return bounds


class _StemCodes(dict[str, int]):
    """Cache from a token to the code of its stem."""

    def __init__(self) -> None:
        from nltk.stem.porter import PorterStemmer  # type: ignore[import-untyped]

        super().__init__()
        self._porter = PorterStemmer()
        self._coded = RougeCoder()

    def __missing__(self, token: str) -> int:
        if len(self) >= _MOST_STEMS:
            self.clear()
        stem = str(self._porter.stem(token)) if len(token) > _LONGEST_UNSTEMMED else token
        code = self[token] = int(self._coded(stem)[0])
        return code


def _bytes(text: str) -> bytes:
    return text.lower().encode(errors="replace")


def _code(texts: Sequence[bytes], deleting: bool) -> tuple[Codes, Codes]:
    ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    return _code_words(np.frombuffer(b"".join(texts), np.uint8), ends, deleting)


@compiled
def _code_words(characters: NDArray[np.uint8], ends: Codes, deleting: bool) -> tuple[Codes, Codes]:
    """Code the words of texts that end at `ends`. Other characters separate words; if `deleting`, only white space does."""
    codes, bounds = np.empty(characters.size, np.int64), np.zeros(ends.size + 1, np.int64)
    count = start = 0
    for text in range(ends.size):
        code, letters = np.int64(0), 0
        for place in range(start, ends[text]):
            value = np.int64(characters[place])
            if 97 <= value <= 122:
                letter = value - 86
            elif 48 <= value <= 57:
                letter = value - 47
            elif deleting and not (9 <= value <= 13 or 28 <= value <= 32):
                continue
            else:
                letter = np.int64(0)
            if letter > 0:
                letters += 1
                code = code * _BASE + letter if letters <= _LETTERS_EXACT else ((code ^ letter) * _PRIME) & _BITS
            elif letters > 0:
                codes[count] = code
                count += 1
                code, letters = np.int64(0), 0
        if letters > 0:
            codes[count] = code
            count += 1
        start = ends[text]
        bounds[text + 1] = count
    return codes[:count].copy(), bounds
