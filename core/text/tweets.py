"""NLTK's TweetTokenizer at ten times its speed: words that were seen before are looked up instead of matched again."""

import string
from collections.abc import Callable
from itertools import chain

from core.errors import SourceError

_SPANNING = r"""
    &[^&;\s]+;                       # HTML entities: they may become white space
  | \d[*\-.)]*[ ][ *\-.)]*\(?\d      # digit groups apart: a telephone number runs over spaces
  | \.[^\S\r\n]+\.                   # ". . .": an ellipsis runs over white space
"""
"""Where a token may reach over white space or change it. Everywhere else a text's tokens are those of its words."""

_JOINING = r"[*\-.)]*\(?\d|\.|.*&"
"""How the last word of such a place begins, or the word with the entity: only these words make a text worth searching."""

_SEPARATORS = r"[\x1c-\x1f]"
"""White space to str.split, but tokens to NLTK."""

_PLAIN = r"([A-Za-z]+(?:'[A-Za-z]+)*)[,.?!]?"
"""Words that are one token to NLTK, but for a mark that is dropped: most words, and no need to ask."""

_MEMORY = 1 << 17  # words remembered: about 30 MB; a hundred episodes of one show have 90,000
_LONGEST = 64  # characters of a word worth remembering


class TweetTokenizer:
    """Tokens of NLTK's TweetTokenizer, each passed through `normalise`; single ASCII punctuation marks are dropped after that.

    `normalise` must depend on nothing but the token. The words remembered are bounded in number and length, so that the memory of
    a long-running worker stays flat; the tokens are the same whatever is remembered.
    """

    def __init__(self, normalise: Callable[[str], str], memory: int = _MEMORY) -> None:
        import regex  # type: ignore[import-untyped]  # NLTK's own engine: digits and white space mean the same to both
        from nltk.tokenize.casual import TweetTokenizer as NltkTweetTokenizer  # type: ignore[import-untyped]

        self._match = NltkTweetTokenizer().tokenize
        self._spanning = regex.compile(_SPANNING, regex.VERBOSE)
        self._joining = regex.compile(_JOINING)
        self._plain = regex.compile(_PLAIN)
        self._separators = regex.compile(_SEPARATORS)
        self._normalise = normalise
        self._memory = memory
        self._known: dict[str, list[str]] = {}
        self._joiners: dict[str, list[str]] = {}

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of `text`.

        Raises SourceError where NLTK gives up on it (hostile input: kilobytes of digits in one word).
        """
        if self._separators.search(text):
            return self._tokens(text)
        words = text.split()
        found = list(map(self._known.get, words))
        if None not in found:
            return list(chain.from_iterable(found))  # type: ignore[arg-type]
        return self._meet(text, words, found)

    def _meet(self, text: str, words: list[str], found: list[list[str] | None]) -> list[str]:
        """Return the tokens of a text some of whose words are new, or may be part of a token that reaches over white space."""
        tokens: list[str] = []
        searched = False
        for word, seen in zip(words, found, strict=True):
            if seen is not None:
                tokens += seen
            elif word in self._joiners or self._joining.match(word):
                if not searched and self._spanning.search(text):
                    return self._tokens(text)
                searched = True
                tokens += self._recall(self._joiners, word)
            else:
                tokens += self._recall(self._known, word)
        return tokens

    def _recall(self, memory: dict[str, list[str]], word: str) -> list[str]:
        tokens = memory.get(word)
        if tokens is None:
            plain = self._plain.fullmatch(word)
            tokens = self._keep([plain[1]]) if plain else self._tokens(word)
            if len(word) <= _LONGEST:
                if len(memory) >= self._memory:
                    memory.clear()
                memory[word] = tokens
        return tokens

    def _tokens(self, text: str) -> list[str]:
        try:
            matched = self._match(text)
        except TimeoutError as error:
            raise SourceError(f"no tokens within NLTK's time limit in the text that starts {text[:40]!r}") from error
        return self._keep(matched)

    def _keep(self, matched: list[str]) -> list[str]:
        tokens = (self._normalise(token) for token in matched)
        return [token for token in tokens if token and not (len(token) == 1 and token in string.punctuation)]
