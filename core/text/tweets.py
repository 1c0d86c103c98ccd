"""NLTK's TweetTokenizer at many times its speed: the tokens of known words are looked up instead of matched again."""

import re
import string
from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cache
from itertools import accumulate
from typing import cast

from core.errors import SourceError

_SPANNING = (
    r"&[^&;\s]+;",  # HTML entities, which may become white space
    r"[0-9][*\-.)]*[ ][ *\-.)]*\(?\d",  # separate digit groups: a telephone number may contain spaces
    r"[^\x00-\x7f](?<=\d)",  # digits of other scripts, which are too rare for a closer look
    r"\.[^\S\r\n]+\.",  # an ellipsis with white space: ". . ."
    r"[\x1c-\x1f]",  # white space to str.split, but tokens to NLTK
)
"""Patterns of text in which a token may contain or change white space. All other text has the tokens of its single words.

No match contains a line break, so many texts can be searched as one. Searching for one pattern after the other is twice as fast
as searching for all in one pattern.
"""

_PLAIN = re.compile(
    r"""
    ["'(]?
    ([A-Za-z]+(?:['-]{1,3}[A-Za-z]+)* | [0-79][0-9A-Za-z]{0,5})  # 8 may be an emoticon's eyes, 7 digits a telephone number
    (?: (?<=[A-Za-z]{3})[;:]                                # after one or two letters it may be an emoticon
      | (?: \. | (?:--)?(\.\.\.)?[,?!]{0,3} ) (?:["')]{1,2}[.,]?)?
    )
    """,
    re.VERBOSE,
)
"""Words that NLTK makes one token, or a token and an ellipsis, besides dropped punctuation. Most words match and need no NLTK."""


@cache
def _open_nltk() -> Callable[[str], list[str]]:
    """Return NLTK's tokenizer. NLTK takes more than a second to import: whoever makes a tokenizer may need none of its words."""
    from nltk.tokenize.casual import TweetTokenizer as NltkTweetTokenizer  # type: ignore[import-untyped]

    return cast(Callable[[str], list[str]], NltkTweetTokenizer().tokenize)


_DROPPED = frozenset(["", *string.punctuation])
_MEMORY = 1 << 17  # cached words, about 20 MB; a hundred episodes of one show have 90,000 distinct words
_LONGEST = 64  # characters of a cached word at most


class TweetTokenizer:
    """A `PieceTokenizer` with the tokens of NLTK's TweetTokenizer, normalised and without single ASCII punctuation marks.

    Each token is passed through `normalise` before punctuation is dropped. `normalise` must depend on the token alone, and must
    keep a word a word. The cached pieces are bounded in number and length, so that the memory of a long-running worker stays
    constant. The cache never changes the tokens.
    """

    def __init__(self, normalise: Callable[[str], str], memory: int = _MEMORY) -> None:
        import regex

        self._spanning = [regex.compile(pattern) for pattern in _SPANNING]
        self._normalise = normalise
        self._memory = memory
        self._known: dict[str, str] = {}

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of `text`.

        Raises SourceError if NLTK exceeds its time limit (hostile input: kilobytes of digits in one word).
        """
        lines = "\n".join(self.tokenize([text] if self.find_whole([text]) else text.split()))
        return [token for token in lines.split("\n") if token]

    def find_whole(self, texts: Sequence[str]) -> set[int]:
        """Return the indices of the texts that are one piece each, because one of their tokens may contain white space."""
        joined = "\n".join(texts)
        places = [match.start() for pattern in self._spanning for match in pattern.finditer(joined)]
        starts = [*accumulate((len(text) + 1 for text in texts[:-1]), initial=0)] if places else []
        return {bisect_right(starts, place) - 1 for place in places}

    def tokenize(self, pieces: Sequence[str]) -> list[str]:
        """Return the tokens of each piece as one string, one token per line. Raises SourceError as a call does."""
        known, normalise, match_plain = self._known, self._normalise, _PLAIN.fullmatch
        tokens = list(map(known.get, pieces))
        for place in [place for place, found in enumerate(tokens) if found is None]:
            piece = pieces[place]
            plain = match_plain(piece)
            new = "\n".join(map(normalise, filter(None, plain.groups()))) if plain else self._match_piece(piece)
            tokens[place] = new
            if len(piece) <= _LONGEST:
                if len(known) >= self._memory:
                    known.clear()
                known[piece] = new
        return cast(list[str], tokens)

    def _match_piece(self, piece: str) -> str:
        try:
            matched = map(self._normalise, _open_nltk()(piece))
        except TimeoutError as error:
            raise SourceError(
                f"the text that starts with {piece[:40]!r} exceeds NLTK's time limit for a word; check that it is a transcript"
            ) from error
        return "\n".join([token for token in matched if token not in _DROPPED])
