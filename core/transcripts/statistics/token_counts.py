"""Counts tokens with two tokenisers in one pass over the text."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

CounterName = Literal["whitespace", "words"]
COUNTERS: tuple[CounterName, CounterName] = ("whitespace", "words")
"""The tokenisers. `whitespace`: text between white space. `words`: lower-case letters, digits and inner apostrophes."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class TokenCount:
    """The tokens of a text by one tokeniser: their number, and the sorted set of different tokens."""

    total: int
    vocabulary: tuple[str, ...]


def count_tokens(texts: Iterable[str]) -> dict[CounterName, TokenCount]:
    """Return the token counts of some texts, by tokeniser.

    No word contains white space. So the text is split at white space once, and words are searched only once in every different
    white-space token.
    """
    spaced = Counter("\n".join(texts).split())
    words: Counter[str] = Counter()
    for token, count in spaced.items():
        for word in _WORD.findall(token.lower()):
            words[word] += count
    return {
        "whitespace": TokenCount(spaced.total(), tuple(sorted(spaced))),
        "words": TokenCount(words.total(), tuple(sorted(words))),
    }
