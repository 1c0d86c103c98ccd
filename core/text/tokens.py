"""Tokenizers by name, which turn a text into lower-cased tokens.

NLTK and spaCy take a second or more to import, so a tokenizer imports its library only when it is made.
"""

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Literal, Protocol, runtime_checkable

from core.errors import ConfigError
from core.text.lemmas import NounDictionary
from core.text.spacy_import import without_torch
from core.text.terms import STOP_WORDS
from core.text.tweets import TweetTokenizer

TokenizerName = Literal["tweet", "tweet-lemmas", "tweet-content", "rouge", "whitespace", "spacy"]


class Tokenizer(Protocol):
    """Splits a text into tokens."""

    def __call__(self, text: str, /) -> list[str]:
        """Return the tokens of `text` in order, lower-cased. No token is empty or has a line break."""
        ...


@runtime_checkable
class PieceTokenizer(Tokenizer, Protocol):
    """A tokenizer that works piece by piece: the tokens of a text are the tokens of its pieces, in order.

    The tokens of a piece depend on the piece alone. The pieces of a text are its runs between white space, unless the whole text
    is one piece. Callers with many texts can tokenise each distinct piece once (`core.similarity.vocabulary`).
    """

    def find_whole(self, texts: Sequence[str], /) -> Collection[int]:
        """Return the indices of the texts that are one piece each."""
        ...

    def tokenize(self, pieces: Sequence[str], /) -> list[str]:
        """Return the tokens of each piece as one string, one token per line, which takes a third of a list's memory and time."""
        ...


class TextTokenizer:
    """Makes any tokenizer a `PieceTokenizer` for which every text is one piece."""

    def __init__(self, tokenize: Tokenizer) -> None:
        self._tokenize = tokenize

    def __call__(self, text: str, /) -> list[str]:
        """Return the tokens of `text`."""
        return self._tokenize(text)

    def find_whole(self, texts: Sequence[str], /) -> range:
        """Return the indices of all texts."""
        return range(len(texts))

    def tokenize(self, pieces: Sequence[str], /) -> list[str]:
        """Return the tokens of each piece as one string, one token per line."""
        return ["\n".join(self._tokenize(piece)) for piece in pieces]


class ContentTokenizer:
    """A `PieceTokenizer` that drops the stop words of English."""

    def __init__(self, tokenizer: PieceTokenizer) -> None:
        self._tokenizer = tokenizer

    def __call__(self, text: str, /) -> list[str]:
        """Return the tokens of `text` that are not stop words."""
        return [token for token in self._tokenizer(text) if token not in STOP_WORDS]

    def find_whole(self, texts: Sequence[str], /) -> Collection[int]:
        """Return the indices of the texts that are one piece each."""
        return self._tokenizer.find_whole(texts)

    def tokenize(self, pieces: Sequence[str], /) -> list[str]:
        """Return the tokens of each piece as one string, one token per line."""
        tokenised = self._tokenizer.tokenize(pieces)
        return ["\n".join([token for token in lines.split("\n") if token not in STOP_WORDS]) for lines in tokenised]


@lru_cache(maxsize=8)
def make_tokenizer(name: TokenizerName, nouns: NounDictionary | None = None) -> Tokenizer:
    """Return the tokenizer of that name. Calls with the same arguments return the same tokenizer, with its cache.

    - `tweet`: NLTK's TweetTokenizer, lower-cased, without tokens that are a single ASCII punctuation mark.
    - `tweet-lemmas`: `tweet`, with every lower-cased token replaced by its noun lemma in `nouns` before punctuation is dropped.
      CRD3's published alignments were made this way, contrary to section 4.1 of its paper.
    - `tweet-content`: `tweet` without stop words (`core.text.terms`), which section 4.1 advises against.
    - `rouge`: rouge-score's tokenizer without stemming: runs of a–z and 0–9.
    - `whitespace`: the runs between white space, punctuation included.
    - `spacy`: spaCy's blank English pipeline, punctuation included.

    Raises ConfigError for any other name, and for `tweet-lemmas` without `nouns` (`infra.wordnet.read_nouns` reads them).
    """
    if name == "tweet":
        return TweetTokenizer(str.lower)
    if name == "tweet-lemmas":
        if nouns is None:
            raise ConfigError("the tokenizer 'tweet-lemmas' needs WordNet's nouns: name their folder with --wordnet DIR")
        return TweetTokenizer(_lemmatiser(nouns))
    if name == "tweet-content":
        return ContentTokenizer(TweetTokenizer(str.lower))
    if name == "rouge":
        return _rouge_tokenizer()
    if name == "whitespace":
        return _whitespace_tokens
    if name == "spacy":
        return _spacy_tokenizer()
    raise ConfigError(f"tokenizer {name!r} is unknown: choose tweet, tweet-lemmas, tweet-content, rouge, whitespace or spacy")


def _lemmatiser(nouns: NounDictionary) -> Callable[[str], str]:
    return lambda token: nouns.lemma(token.lower())


def _whitespace_tokens(text: str) -> list[str]:
    return text.lower().split()


def _rouge_tokenizer() -> Tokenizer:
    from rouge_score.tokenize import tokenize  # type: ignore[import-untyped]

    def rouge_tokens(text: str) -> list[str]:
        return list(tokenize(text, None))

    return rouge_tokens


def _spacy_tokenizer() -> Tokenizer:
    with without_torch():
        import spacy

    pipeline = spacy.blank("en")

    def spacy_tokens(text: str) -> list[str]:
        with pipeline.memory_zone():  # without it, the vocabulary of a long-running worker keeps every word
            return [token.lower_ for token in pipeline.tokenizer(text) if not token.is_space]

    return spacy_tokens
