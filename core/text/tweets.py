"""NLTK's TweetTokenizer at many times its speed: words that were seen before are looked up instead of matched again."""

import re
import string
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import cast

from core.errors import SourceError

_SPANNING = (
    r"&[^&;\s]+;",  # HTML entities: they may become white space
    r"[0-9][*\-.)]*[ ][ *\-.)]*\(?\d",  # digit groups apart: a telephone number runs over spaces
    r"[^\x00-\x7f](?<=\d)",  # the same with digits of other scripts, which are too rare to look further
    r"\.[^\S\r\n]+\.",  # ". . .": an ellipsis runs over white space
    r"[\x1c-\x1f]",  # white space to str.split, but tokens to NLTK
)
"""Where a token may reach over white space or change it. Everywhere else a text's tokens are those of its words.

No match reaches over a line break, so that many texts can be searched as one. One pattern after the other is searched twice as
fast as all of them in one.
"""

_PLAIN = re.compile(
    r"""
    ["'(]?
    ([A-Za-z]+(?:['-]{1,3}[A-Za-z]+)* | [0-79][0-9A-Za-z]{0,5})  # an 8 may be an emoticon's eyes, seven digits a telephone number
    (?: (?<=[A-Za-z]{3})[;:]                                # after one or two letters an emoticon again
      | (?: \. | (?:--)?(\.\.\.)?[,?!]{0,3} ) (?:["')]{1,2}[.,]?)?
    )
    """,
    re.VERBOSE,
)
"""Words that are one token to NLTK, or one and an ellipsis, but for marks that are dropped: most words, and no need to ask."""

_DROPPED = frozenset(["", *string.punctuation])
_MEMORY = 1 << 17  # words remembered: about 20 MB; a hundred episodes of one show have 90,000
_LONGEST = 64  # characters of a word worth remembering


class TweetTokenizer:
    """Tokens of NLTK's TweetTokenizer, each passed through `normalise`; single ASCII punctuation marks are dropped after that.

    A `PieceTokenizer` of words. `normalise` must depend on nothing but the token, and leave a word a word. The pieces that are
    remembered are bounded in number and length, so that the memory of a long-running worker stays flat; the tokens are the same
    whatever is remembered.
    """

    def __init__(self, normalise: Callable[[str], str], memory: int = _MEMORY) -> None:
        import regex  # type: ignore[import-untyped]  # NLTK's own engine: digits and white space mean the same to both
        from nltk.tokenize.casual import TweetTokenizer as NltkTweetTokenizer  # type: ignore[import-untyped]

        self._match = NltkTweetTokenizer().tokenize
        self._spanning = [regex.compile(pattern) for pattern in _SPANNING]
        self._normalise = normalise
        self._memory = memory
        self._known: dict[str, str] = {}

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of `text`.

        Raises SourceError where NLTK gives up on it (hostile input: kilobytes of digits in one word).
        """
        lines = "\n".join(self.tokenize([text] if self.find_whole([text]) else text.split()))
        return [token for token in lines.split("\n") if token]

    def find_whole(self, texts: Sequence[str]) -> set[int]:
        """Return which texts are one piece each, since a token of theirs may reach over white space."""
        joined = "\n".join(texts)
        places = [match.start() for pattern in self._spanning for match in pattern.finditer(joined)]
        starts = [*accumulate((len(text) + 1 for text in texts[:-1]), initial=0)] if places else []
        return {bisect_right(starts, place) - 1 for place in places}

    def tokenize(self, pieces: Sequence[str]) -> list[str]:
        """Return the tokens of each piece, one a line. Raises SourceError as a call does."""
        known, normalise, match_plain = self._known, self._normalise, _PLAIN.fullmatch
        tokens = list(map(known.get, pieces))
        for place in [place for place, found in enumerate(tokens) if found is None]:
            piece = pieces[place]
            plain = match_plain(piece)
            new = "\n".join(map(normalise, filter(None, plain.groups()))) if plain else self._ask(piece)
            tokens[place] = new
            if len(piece) <= _LONGEST:
                if len(known) >= self._memory:
                    known.clear()
                known[piece] = new
        return cast(list[str], tokens)

    def _ask(self, piece: str) -> str:
        try:
            matched = map(self._normalise, self._match(piece))
        except TimeoutError as error:
            raise SourceError(f"no tokens within NLTK's time limit in the text that starts {piece[:40]!r}") from error
        return "\n".join([token for token in matched if token not in _DROPPED])
