"""Codes the words of texts as integers, so that a corpus is tokenised once and compared by arithmetic.

The code of a word is 63 bits of a hash; among a million words, two share a code with probability 10⁻⁷.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from hashlib import blake2b
from typing import Any

import numpy as np

from core.text.numbering import Codes

_ROUGE_TOKEN = re.compile("[a-z0-9]+")
_LONGEST_UNSTEMMED = 3  # rouge-score stems longer tokens only


class RougeCoder:
    """Codes rouge-score's tokens: runs of a–z and 0–9, lower-cased; with `stem` (its `use_stemmer`) their Porter stems."""

    def __init__(self, stem: bool = False) -> None:
        self._code = _code_stem if stem else _code_word

    def __call__(self, text: str, /) -> Codes:
        """Return the codes of the words of `text`, in order; all are ≥ 0."""
        return np.array(list(map(self._code, rouge_tokens(text))), np.int64)

    def code_all(self, texts: Sequence[str], /) -> list[Codes]:
        """Return the codes of several texts."""
        return list(map(self, texts))


def rouge_tokens(text: str) -> list[str]:
    """Return the tokens of rouge-score's tokenizer without a stemmer, in a fraction of its time."""
    return _ROUGE_TOKEN.findall(text.lower())


def join_codes(texts: Iterable[Codes]) -> Codes:
    """Return the codes of several texts as one array."""
    return np.concatenate([np.zeros(0, np.int64), *texts])


def bounds_of(texts: Sequence[Codes]) -> Codes:
    """Return the bounds of each text in `join_codes(texts)` (n_texts + 1)."""
    return np.cumsum([0, *(text.size for text in texts)], dtype=np.int64)


@lru_cache(maxsize=1_000_000)
def _code_word(word: str) -> int:
    return int.from_bytes(blake2b(word.encode(), digest_size=8).digest()) >> 1


@lru_cache(maxsize=1_000_000)
def _code_stem(word: str) -> int:
    return _code_word(_load_stemmer().stem(word) if len(word) > _LONGEST_UNSTEMMED else word)


@cache
def _load_stemmer() -> Any:
    from nltk.stem.porter import PorterStemmer  # type: ignore[import-untyped]

    return PorterStemmer()
