"""Stems of English words by the Snowball algorithm "English" (Porter2), equal to those of NLTK's `SnowballStemmer`.

NLTK's own cannot be imported alone: the package takes 1.5 s of processor time in every process. A test compares the two.

Reference: Porter, "The English (Porter2) stemming algorithm", 2001, https://snowballstem.org/algorithms/english/stemmer.html;
Bird, Klein and Loper, NLTK (Apache-2.0), `nltk.stem.snowball.EnglishStemmer`, for what the description leaves open.
"""

import re
from functools import lru_cache
from typing import NamedTuple

_VOWELS = "aeiouy"
_SYLLABLE = re.compile(r"[aeiouy][^aeiouy]", re.DOTALL)
_DOUBLES = ("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt")
_BEFORE_LI = "cdeghkmnrt"
_SHORT_BEFORE_E = re.compile(r"[^aeiouy][aeiouy][^aeiouywxY].\Z", re.DOTALL)
_CONSONANT_Y = re.compile(r"(^|[aeiouy])y")
"""A y that is a consonant, which is written as Y: the first letter, and after a vowel."""
_BEGINNINGS = re.compile(r"gener|commun|arsen")
"""Beginnings of words after which the first region starts, since their stems would be the same otherwise: generate, general."""
_IRREGULAR = {
    "skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl", "gently": "gentl",
    "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl", "sky": "sky", "news": "news", "howe": "howe",
    "atlas": "atlas", "cosmos": "cosmos", "bias": "bias", "andes": "andes", "inning": "inning", "innings": "inning",
    "outing": "outing", "outings": "outing", "canning": "canning", "cannings": "canning", "herring": "herring",
    "herrings": "herring", "earring": "earring", "earrings": "earring", "proceed": "proceed", "proceeds": "proceed",
    "proceeded": "proceed", "proceeding": "proceed", "exceed": "exceed", "exceeds": "exceed", "exceeded": "exceed",
    "exceeding": "exceed", "succeed": "succeed", "succeeds": "succeed", "succeeded": "succeed", "succeeding": "succeed",
}  # fmt: skip


class _Parts(NamedTuple):
    """A word, and its regions R1 and R2: what follows the first consonant after a vowel, and the same within R1."""

    word: str
    r1: str
    r2: str

    def cut(self, letters: int) -> "_Parts":
        """Drop the last letters."""
        return _Parts(self.word[:-letters], self.r1[:-letters], self.r2[:-letters])

    def swap(self, suffix: str, new: str, short: str = "") -> "_Parts":
        """Replace a suffix of the word; a region without all of it is empty then, or R2 is `short`."""
        size = len(suffix)
        return _Parts(
            self.word[:-size] + new,
            self.r1[:-size] + new if len(self.r1) >= size else "",
            self.r2[:-size] + new if len(self.r2) >= size else short,
        )


_Change = int | tuple[str, str] | None
"""What becomes of a suffix: so many letters are cut, or it is replaced (also where R2 is too short); None: a rule of its own."""
_STEP_2: dict[str, _Change] = {
    "ization": ("ize", ""), "ational": ("ate", "e"), "fulness": 4, "ousness": ("ous", ""), "iveness": ("ive", "e"), "tional": 2,
    "biliti": ("ble", ""), "lessli": 2, "entli": 2, "ation": ("ate", "e"), "alism": ("al", ""), "aliti": ("al", ""),
    "ousli": ("ous", ""), "iviti": ("ive", "e"), "fulli": 2, "enci": None, "anci": None, "abli": None, "izer": ("ize", ""),
    "ator": ("ate", "e"), "alli": ("al", ""), "bli": ("ble", ""), "ogi": None, "li": None,
}  # fmt: skip
_STEP_3: dict[str, _Change] = {
    "ational": ("ate", ""), "tional": 2, "alize": 3, "icate": ("ic", ""), "iciti": ("ic", ""), "ative": None, "ical": ("ic", ""),
    "ness": 4, "ful": 3,
}  # fmt: skip
_STEP_4 = (
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "ion", "al", "er",
    "ic",
)  # fmt: skip


@lru_cache(maxsize=200_000)
def stem_word(word: str) -> str:
    """Return the stem of a word, in lower case."""
    word = word.lower()
    if len(word) <= 2:
        return word
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    word = word.replace("\u2019", "'").replace("\u2018", "'").replace("\u201b", "'").removeprefix("'")
    word = _CONSONANT_Y.sub(r"\1Y", word) if "y" in word else word
    beginning = _BEGINNINGS.match(word)
    r1 = word[beginning.end() :] if beginning is not None else _follow(word)
    parts = _Parts(word, r1, _follow(r1))
    parts = _drop_past(_drop_plural(_drop_possessive(parts)))
    if len(parts.word) > 2 and parts.word[-1] in "yY" and parts.word[-2] not in _VOWELS:
        parts = parts.swap("y", "i")
    return _drop_last(_drop_step_4(_shorten(_shorten(parts, _STEP_2), _STEP_3))).replace("Y", "y")


def _follow(text: str) -> str:
    """Return what follows the first consonant after a vowel."""
    found = _SYLLABLE.search(text)
    return text[found.end() :] if found is not None else ""


def _has_vowel(text: str) -> bool:
    return any(letter in _VOWELS for letter in text)


def _find(word: str, suffixes: tuple[str, ...]) -> str:
    """Return the first of the suffixes that a word has; most words have none."""
    return next(filter(word.endswith, suffixes)) if word.endswith(suffixes) else ""


def _drop_possessive(parts: _Parts) -> _Parts:
    suffix = _find(parts.word, ("'s'", "'s", "'"))
    return parts.cut(len(suffix)) if suffix else parts


def _drop_plural(parts: _Parts) -> _Parts:
    suffix = _find(parts.word, ("sses", "ied", "ies", "us", "ss", "s"))
    if suffix == "sses":
        return parts.cut(2)
    if suffix in ("ied", "ies"):
        return parts.cut(2 if len(parts.word) > 4 else 1)
    return parts.cut(1) if suffix == "s" and _has_vowel(parts.word[:-2]) else parts


def _drop_past(parts: _Parts) -> _Parts:
    suffix = _find(parts.word, ("eedly", "ingly", "edly", "eed", "ing", "ed"))
    if suffix in ("eed", "eedly"):
        return parts.swap(suffix, "ee") if parts.r1.endswith(suffix) else parts
    if not suffix or not _has_vowel(parts.word[: -len(suffix)]):
        return parts
    word, r1, r2 = parts = parts.cut(len(suffix))
    if word.endswith(("at", "bl", "iz")):
        return _Parts(word + "e", r1 + "e", r2 + "e" if len(word) > 4 or len(r1) >= 2 else r2)
    if word.endswith(_DOUBLES):
        return parts.cut(1)
    if not r1 and _is_short(word):
        return _Parts(word + "e", r1, r2 + "e" if r2 else r2)
    return parts


def _is_short(word: str) -> bool:
    """Tell whether a word ends in a short syllable."""
    if len(word) == 2:
        return word[0] in _VOWELS and word[1] not in _VOWELS
    return len(word) > 2 and word[-1] not in _VOWELS + "wxY" and word[-2] in _VOWELS and word[-3] not in _VOWELS


def _shorten(parts: _Parts, changes: dict[str, _Change]) -> _Parts:
    """Shorten a suffix in R1, by the table of step 2 or 3."""
    suffix = _find(parts.word, tuple(changes))
    if not suffix or not parts.r1.endswith(suffix):
        return parts
    change = changes[suffix]
    if change is not None:
        return parts.swap(suffix, *change) if isinstance(change, tuple) else parts.cut(change)
    if suffix == "ogi":
        return parts.cut(1) if parts.word[-4] == "l" else parts
    if suffix == "li":
        return parts.cut(2) if parts.word[-3] in _BEFORE_LI else parts
    if suffix == "ative":
        return parts.cut(5) if parts.r2.endswith("ative") else parts
    return parts.swap("i", "e")  # enci, anci, abli


def _drop_step_4(parts: _Parts) -> _Parts:
    suffix = _find(parts.word, _STEP_4)
    if not suffix or not parts.r2.endswith(suffix) or (suffix == "ion" and parts.word[-4] not in "st"):
        return parts
    return parts.cut(len(suffix))


def _drop_last(parts: _Parts) -> str:
    word, r1, r2 = parts
    if (r2.endswith("l") and word[-2] == "l") or r2.endswith("e"):
        return word[:-1]
    if r1.endswith("e") and len(word) >= 4 and not _SHORT_BEFORE_E.search(word):
        return word[:-1]
    return word
