"""Tokenizers by name, which turn a text into lower-cased tokens; WordNet's noun lemmas, in a dictionary that the caller provides.

NLTK and spaCy take a second or more to import, so a tokenizer imports its library only when it is made.
"""

import re
import string
from bisect import bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate
from typing import Literal, Protocol, cast, runtime_checkable

from core.errors import ConfigError, SourceError
from core.text.sentences import without_torch
from core.text.terms import STOP_WORDS

_ENDINGS = {"s": "", "ses": "s", "ves": "f", "xes": "x", "zes": "z", "ches": "ch", "shes": "sh", "men": "man", "ies": "y"}


@dataclass(frozen=True, slots=True, eq=False)
class NounDictionary:
    """The nouns of a WordNet database, and irregular forms with their base forms; compared by identity, since it is large."""

    lemmas: frozenset[str]
    exceptions: Mapping[str, tuple[str, ...]]

    def lemma(self, word: str) -> str:
        """Return the shortest noun lemma that morphy finds for a lower-case `word`, or `word` itself; ties go to the first.

        Only the length counts, as in NLTK's WordNetLemmatizer, so "was" becomes "wa". CRD3's published alignments were made this
        way.
        """
        detached = (word[: -len(ending)] + base for ending, base in _ENDINGS.items() if word.endswith(ending))
        forms = (word, *self.exceptions.get(word, detached))
        return min((form for form in forms if form in self.lemmas), key=len, default=word)


def parse_noun_index(text: str) -> frozenset[str]:
    """Return the lemmas of an `index.noun` file: the first field of every line that is not indented."""
    return frozenset(line.split(" ", 1)[0] for line in text.splitlines() if line and not line.startswith(" "))


def parse_noun_exceptions(text: str) -> dict[str, tuple[str, ...]]:
    """Return the irregular forms of a `noun.exc` file, each with its base forms."""
    exceptions: dict[str, tuple[str, ...]] = {}
    for line in text.splitlines():
        form, *lemmas = line.split() or [""]
        if form:
            exceptions[form] = (*exceptions.get(form, ()), *lemmas)
    return exceptions


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

    Each token is passed through `normalise` before punctuation is dropped; it must depend on the token alone and keep a word a
    word. The cached pieces are bounded in number and length, so that the memory of a long-running worker stays constant.
    """

    def __init__(self, normalise: Callable[[str], str], memory: int = _MEMORY) -> None:
        import regex

        self._spanning = [regex.compile(pattern) for pattern in _SPANNING]
        self._normalise = normalise
        self._memory = memory
        self._known: dict[str, str] = {}

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of `text`. Raises SourceError if NLTK exceeds its time limit (kilobytes of digits in one word)."""
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
            raise SourceError(f"the text from {piece[:40]!r} on exceeds NLTK's time limit; is it a transcript?") from error
        return "\n".join([token for token in matched if token not in _DROPPED])


_ROUGE_TOKEN = re.compile("[a-z0-9]+")
TokenizerName = Literal["tweet", "tweet-lemmas", "tweet-content", "rouge", "whitespace", "spacy"]


class Tokenizer(Protocol):
    """Splits a text into tokens."""

    def __call__(self, text: str, /) -> list[str]:
        """Return the tokens of `text` in order, lower-cased. No token is empty or has a line break."""
        ...


@runtime_checkable
class PieceTokenizer(Tokenizer, Protocol):
    """A tokenizer whose tokens of a text are those of its pieces, in order, so that each distinct piece is tokenised once.

    The pieces of a text are its runs between white space, unless the whole text is one piece.
    """

    def find_whole(self, texts: Sequence[str], /) -> Collection[int]:
        """Return the indices of the texts that are one piece each."""
        ...

    def tokenize(self, pieces: Sequence[str], /) -> list[str]:
        """Return the tokens of each piece as one string, one token per line, which takes a third of a list's memory and time."""
        ...


@lru_cache(maxsize=8)
def make_tokenizer(name: TokenizerName, nouns: NounDictionary | None = None) -> Tokenizer:
    """Return the tokenizer of that name, always the same for the same arguments, with its cache.

    - `tweet`: NLTK's TweetTokenizer, lower-cased, without tokens that are a single ASCII punctuation mark.
    - `tweet-lemmas`: `tweet`, with every token replaced by its noun lemma in `nouns` before punctuation is dropped. CRD3's
      published alignments were made this way, contrary to section 4.1 of its paper.
    - `tweet-content`: `tweet` without stop words (`core.text.terms`), which section 4.1 advises against.
    - `rouge`: rouge-score's tokenizer without stemming: runs of a–z and 0–9.
    - `whitespace`: the runs between white space, punctuation included.
    - `spacy`: spaCy's blank English pipeline, punctuation included.
    """
    if name == "tweet":
        return TweetTokenizer(str.lower)
    if name == "tweet-lemmas":
        if nouns is None:
            raise ConfigError("the tokenizer 'tweet-lemmas' needs WordNet's nouns: name their folder with --wordnet DIR")
        return TweetTokenizer(lambda token: nouns.lemma(token.lower()))
    if name == "tweet-content":
        tweet = TweetTokenizer(str.lower)
        return lambda text: [token for token in tweet(text) if token not in STOP_WORDS]
    if name == "rouge":
        return lambda text: _ROUGE_TOKEN.findall(text.lower())
    if name == "whitespace":
        return lambda text: text.lower().split()
    return _spacy_tokenizer()


def _spacy_tokenizer() -> Tokenizer:
    with without_torch():
        import spacy

    pipeline = spacy.blank("en")

    def spacy_tokens(text: str) -> list[str]:
        with pipeline.memory_zone():  # without it, the vocabulary of a long-running worker keeps every word
            return [token.lower_ for token in pipeline.tokenizer(text) if not token.is_space]

    return spacy_tokens
