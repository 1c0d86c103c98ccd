"""Tells English from other languages by the share of frequent English words that other European languages hardly use.

The rule is our own. On subtitles it is as accurate as a trained language identifier and five times as fast (docs/subtitles.md).
"""

import re
from collections.abc import Iterable

_FREQUENT_WORDS = """
a about all an and are at been but by can can't could did didn't do don't for from get go got had has have he he's her here him
his how i i'd i'll i'm i've if in is it it's just know let let's like my no not now of on one or our out right she so that
that's the them then there they they're this to up us was we well we're what what's when where who why will with would yeah yes
you you'll you're your
"""
_FREQUENT = frozenset(_FREQUENT_WORDS.split())
_WORDS = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")


def score_english(texts: Iterable[str]) -> tuple[float, int]:
    """Return the share of frequent English words among all words, and the number of all words."""
    known = total = 0
    for text in texts:
        words = _WORDS.findall(text.lower().replace("’", "'"))
        total += len(words)
        known += sum(word in _FREQUENT for word in words)
    return known / max(total, 1), total
