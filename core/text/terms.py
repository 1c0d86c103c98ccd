"""A text's content terms: stemmed words without those that every story is full of."""

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nltk.stem.snowball import SnowballStemmer  # type: ignore[import-untyped]

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_STOP_WORDS = frozenset(
    word
    for line in """a about after again all also an and any are as at be because been before being but by can could did do does
    don't down for from get had has have he her here him his how i if in into is it its just me more my no not now
    of off oh on or our out over own she so some than that the their them then there these they this those through
    to too up us very was we were what when where which while who whom why will with would you your""".splitlines()
    for word in line.split()
)


def content_terms(text: str) -> list[str]:
    """Return the stems of a text's content words, in order: lower-cased runs of a–z and 0–9, a possessive 's dropped.

    Stems are those of the English Snowball stemmer, which NLTK ships; the first call imports it.
    """
    words = (word.removesuffix("'s") for word in _WORD.findall(text.lower().replace("’", "'")))
    return [_stem(word) for word in words if word not in _STOP_WORDS]


@lru_cache(maxsize=200_000)
def _stem(word: str) -> str:
    return str(_stemmer().stem(word))


@cache
def _stemmer() -> "SnowballStemmer":
    from nltk.stem.snowball import SnowballStemmer

    return SnowballStemmer("english")
