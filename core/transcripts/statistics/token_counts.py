"""Counts of tokens by two named tokenisers, from one pass over the white space."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

CounterName = Literal["whitespace", "words"]
COUNTERS: tuple[CounterName, CounterName] = ("whitespace", "words")
"""`whitespace`: what stands between white space, as it stands. `words`: lower-cased runs of letters, digits and apostrophes."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class TokenCount:
    """The tokens of some text by one tokeniser: how many, and the sorted set of them."""

    total: int
    vocabulary: tuple[str, ...]


def count_tokens(texts: Iterable[str]) -> dict[CounterName, TokenCount]:
    """Return the token counts of some texts by each of `COUNTERS`.

    No word has white space in it, so words are looked for once in every different white-space token: one fast pass over the text,
    and a slow one over its vocabulary.
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
