"""A text's words: its content terms (without stop words, stemmed), their character n-grams, and whether they are English."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from core.text.stems import stem_word

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_STOP_WORDS = """
a about after again all also an and any are as at be because been before being but by can could did do does don't down for from
get had has have he her here him his how i if in into is it its just me more my no not now of off oh on or our out over own she
so some than that the their them then there these they this those through to too up us very was we were what when where which
while who whom why will with would you your
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())


def content_words(text: str) -> list[str]:
    """Return a text's content words in order: lower-cased runs of a–z and 0–9, without a possessive 's and without stop words."""
    words = (word.removesuffix("'s") for word in _WORD.findall(text.lower().replace("’", "'")))
    return [word for word in words if word not in STOP_WORDS]


def content_terms(text: str) -> list[str]:
    """Return the stems of a text's content words, in order."""
    return "\n".join(filter(None, map(_join_terms, text.split()))).split()


class TermTokenizer:
    """A `PieceTokenizer` whose tokens are a text's content terms: no word contains white space."""

    def __call__(self, text: str, /) -> list[str]:
        """Return the stems of the text's content words, in order."""
        return content_terms(text)

    def find_whole(self, texts: Sequence[str], /) -> tuple[int, ...]:  # noqa: ARG002 -- no term has white space
        """Return nothing: no text is one piece."""
        return ()

    def tokenize(self, pieces: Sequence[str], /) -> list[str]:
        """Return the terms of each piece as one string, one term per line."""
        return list(map(_join_terms, pieces))


def stem_words(words: Iterable[str]) -> list[str]:
    """Return each word's stem by the Snowball algorithm for English."""
    return [stem_word(word) for word in words]


def letter_runs(words: Iterable[str], n: int = 4) -> list[str]:
    """Return the character n-grams of each word (McNamee and Mayfield 2004), with its edges marked: `_lam`, `lamp`, `amp_`."""
    return [run for word in words for run in _runs(word, n)]


@lru_cache(maxsize=200_000)
def _runs(word: str, n: int) -> tuple[str, ...]:
    marked = f"_{word}_"
    return tuple(marked[start : start + n] for start in range(max(1, len(marked) - n + 1)))


@lru_cache(maxsize=200_000)
def _join_terms(token: str) -> str:
    """Return a token's terms, one per line. No word contains white space, so the tokens of a text can be looked up one by one."""
    return "\n".join(map(stem_word, content_words(token)))


_FREQUENT_WORDS = """
a about all an and are at been but by can can't could did didn't do don't for from get go got had has have he he's her here him
his how i i'd i'll i'm i've if in is it it's just know let let's like my no not now of on one or our out right she so that
that's the them then there they they're this to up us was we well we're what what's when where who why will with would yeah yes
you you'll you're your
"""
_FREQUENT = frozenset(_FREQUENT_WORDS.split())
_WORDS_OF_LETTERS = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")


def score_english(texts: Iterable[str]) -> tuple[float, int]:
    """Return the share of frequent English words among all words, and the number of all words."""
    known = total = 0
    for text in texts:
        words = _WORDS_OF_LETTERS.findall(text.lower().replace("’", "'"))
        total += len(words)
        known += sum(word in _FREQUENT for word in words)
    return known / max(total, 1), total
