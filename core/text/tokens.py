"""Tokenisers by name: a text in, lower-cased tokens out.

NLTK and spaCy take a second or more to import, so only the tokeniser that is asked for imports its library.
"""

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Literal, Protocol, runtime_checkable

from core.errors import ConfigError
from core.text.lemmas import NounDictionary
from core.text.terms import STOP_WORDS
from core.text.tweets import TweetTokenizer

TokenizerName = Literal["tweet", "tweet-lemmas", "tweet-content", "rouge", "whitespace", "spacy"]


class Tokenizer(Protocol):
    """Turns a text into its tokens."""

    def __call__(self, text: str, /) -> list[str]:
        """Return the tokens of `text` in order, lower-cased, none empty or with a line break."""
        ...


@runtime_checkable
class PieceTokenizer(Tokenizer, Protocol):
    """A tokenizer of pieces: the tokens of a text are those of its pieces in order, whatever text the pieces stand in.

    The pieces are what stands between white space, except for texts that are one piece each. Who has many texts so tokenises
    each distinct piece once (`core.similarity.vocabulary`).
    """

    def find_whole(self, texts: Sequence[str], /) -> Collection[int]:
        """Return which of the texts, by place, are one piece each."""
        ...

    def tokenize(self, pieces: Sequence[str], /) -> list[str]:
        """Return the tokens of each piece, one a line: a single string has a third of a list's memory and time."""
        ...


class TextTokenizer:
    """Any tokenizer as a `PieceTokenizer`: every text is one piece."""

    def __init__(self, tokenize: Tokenizer) -> None:
        self._tokenize = tokenize

    def __call__(self, text: str, /) -> list[str]:
        """Return the tokens of `text`."""
        return self._tokenize(text)

    def find_whole(self, texts: Sequence[str], /) -> range:
        """Return the places of all texts."""
        return range(len(texts))

    def tokenize(self, pieces: Sequence[str], /) -> list[str]:
        """Return the tokens of each piece, one a line."""
        return ["\n".join(self._tokenize(piece)) for piece in pieces]


class ContentTokenizer:
    """A `PieceTokenizer` without the function words of English."""

    def __init__(self, tokenizer: PieceTokenizer) -> None:
        self._tokenizer = tokenizer

    def __call__(self, text: str, /) -> list[str]:
        """Return the tokens of `text` that are content words."""
        return [token for token in self._tokenizer(text) if token not in STOP_WORDS]

    def find_whole(self, texts: Sequence[str], /) -> Collection[int]:
        """Return which of the texts are one piece each."""
        return self._tokenizer.find_whole(texts)

    def tokenize(self, pieces: Sequence[str], /) -> list[str]:
        """Return the tokens of each piece, one a line."""
        tokenised = self._tokenizer.tokenize(pieces)
        return ["\n".join([token for token in lines.split("\n") if token not in STOP_WORDS]) for lines in tokenised]


@lru_cache(maxsize=8)
def make_tokenizer(name: TokenizerName, nouns: NounDictionary | None = None) -> Tokenizer:
    """Return the tokeniser of that name; asked again with the same arguments, the same one, with what it has memorised.

    - `tweet`: NLTK's TweetTokenizer, lower-cased, without tokens that are a single ASCII punctuation mark.
    - `tweet-lemmas`: the same with every lower-cased token replaced by its noun lemma in `nouns` before the punctuation is
      dropped: how CRD3's published alignments were made, against section 4.1 of its paper.
    - `tweet-content`: `tweet` without function words (`core.text.terms`), which section 4.1 advises against.
    - `rouge`: rouge-score's tokeniser, unstemmed: runs of a–z and 0–9.
    - `whitespace`: what stands between white space, punctuation included.
    - `spacy`: spaCy's blank English pipeline, punctuation included.

    Raises ConfigError for another name, and for `tweet-lemmas` without `nouns` (`infra.wordnet.read_nouns` reads them).
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
    import spacy

    pipeline = spacy.blank("en")

    def spacy_tokens(text: str) -> list[str]:
        with pipeline.memory_zone():  # or the vocabulary would keep every word that a long-running worker meets
            return [token.lower_ for token in pipeline.tokenizer(text) if not token.is_space]

    return spacy_tokens
