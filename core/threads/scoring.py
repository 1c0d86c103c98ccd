"""How well an utterance follows a conversation: one interface for every scorer, and the scorers that need no vendor.

Scores are log-odds that an utterance is the true reply to what was said, against one to another post of the forum, where both
are as likely: 0 says that the scorer cannot tell. So one threshold suits every scorer.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.text.terms import STOP_WORDS
from core.text.tokens import make_tokenizer
from core.threads.segments import Sentences
from core.threads.sentence_vectors import SentenceVectors, compare_rows


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """The question how well `reply` follows the utterances of `context`, the last of which it replies to."""

    context: tuple[Sentences, ...]
    reply: Sentences


class ReplyScorer(Protocol):
    """Scores replies in their contexts, as many at once as it is given."""

    def __call__(self, requests: Sequence[ScoreRequest], /) -> NDArray[np.float64]:
        """Return a finite score a request (n_requests), higher for better replies. Contexts and replies are not empty."""
        ...


_COSINE_SLOPE, _COSINE_OFFSET = 8.6, -2.9
_WORDS_SLOPE, _WORDS_OFFSET = 18.0, -1.2
"""From a logistic regression over real replies and others (docs/threads.md); that of cosines is for the packaged model."""


class KnownScores:
    """A scorer that remembers: each distinct request is put to the scorer once. `asked` counts these."""

    def __init__(self, scorer: ReplyScorer) -> None:
        self._scorer = scorer
        self._known: dict[ScoreRequest, float] = {}

    @property
    def asked(self) -> int:
        """The number of requests that the scorer was asked."""
        return len(self._known)

    def __call__(self, requests: Sequence[ScoreRequest], /) -> list[float]:
        """Return the score of each request; those that are new go to the scorer together."""
        new = list(dict.fromkeys(request for request in requests if request not in self._known))
        if new:
            self._known.update(zip(new, self._scorer(new).tolist(), strict=True))
        return [self._known[request] for request in requests]


class WordsScorer:
    """Compares content words: with the last utterance, half as much with those before it. It needs no model.

    score = 18 · cosine(reply, last) + 9 · cosine(reply, before) − 1.2, over sets of lower-cased words without stop words.
    """

    def __init__(self) -> None:
        self._tokenize = make_tokenizer("tweet")
        self._words: dict[str, frozenset[str]] = {}

    def __call__(self, requests: Sequence[ScoreRequest], /) -> NDArray[np.float64]:
        """Return the scores."""
        contexts = {context: self._divide(context) for context in dict.fromkeys(request.context for request in requests)}
        return np.array([self._score(self._list_words(request.reply), *contexts[request.context]) for request in requests])

    def _divide(self, context: tuple[Sentences, ...]) -> tuple[frozenset[str], frozenset[str]]:
        """Return the words of the last utterance, and those of the utterances before it."""
        *before, last = context
        return self._list_words(last), self._list_words(sentence for utterance in before for sentence in utterance)

    def _score(self, reply: frozenset[str], last: frozenset[str], before: frozenset[str]) -> float:
        return _WORDS_SLOPE * (_cosine(reply, last) + 0.5 * _cosine(reply, before)) + _WORDS_OFFSET

    def _list_words(self, sentences: Iterable[str]) -> frozenset[str]:
        found: set[str] = set()
        for sentence in sentences:
            if sentence not in self._words:
                tokens = self._tokenize(sentence)
                self._words[sentence] = frozenset(token for token in tokens if token.isalpha() and token not in STOP_WORDS)
            found |= self._words[sentence]
        return frozenset(found)


class EmbeddingScorer:
    """Scores by the cosine of the reply's vector with that of the utterance that it replies to: 8.6 · cosine − 2.9."""

    def __init__(self, vectors: SentenceVectors) -> None:
        self.vectors = vectors

    def __call__(self, requests: Sequence[ScoreRequest], /) -> NDArray[np.float64]:
        """Return the scores."""
        if not requests:
            return np.zeros(0)
        replies, last = [request.reply for request in requests], [request.context[-1] for request in requests]
        self.vectors.learn_utterances([*replies, *last])
        cosines = compare_rows(self.vectors.stack_utterances(replies), self.vectors.stack_utterances(last))
        return _COSINE_SLOPE * cosines + _COSINE_OFFSET


def _cosine(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / math.sqrt(len(one) * len(other)) if one and other else 0.0
