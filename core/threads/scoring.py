"""How well an utterance follows a conversation: the interface of every scorer, those that need no training, and sentence vectors.

A score is the log-odds that an utterance is the true reply to what was said, and not a reply to another post of the forum, if
both are equally likely beforehand: 0 says that the scorer cannot tell. So one threshold suits every scorer.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from core.text.terms import STOP_WORDS
from core.text.tokens import make_tokenizer
from core.threads.dialogues import Sentences

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
Vectors = NDArray[np.float32]
_KNOWN_UTTERANCES = 10_000
"""Vectors of utterances that are kept at most (1.5 KiB each)."""


class SentenceVectors:
    """The vectors of sentences, each embedded once, and of utterances: the mean of their sentences' vectors, of length 1.

    One of these lives as long as a group of posts, so that its vectors do not fill the memory. `learn` embeds the sentences of
    all of them together: many small calls cost more, since short batches are padded more and keep the processor less busy.
    """

    def __init__(self, embed: Embed) -> None:
        """Use `embed` (texts to n_texts × n_dimensions)."""
        self._embed = embed
        self._sentences: dict[str, Vectors] = {}
        self._utterances: dict[Sentences, Vectors] = {}

    def learn(self, sentences: Iterable[str]) -> None:
        """Embed the sentences that are new, together."""
        new = list(dict.fromkeys(sentence for sentence in sentences if sentence not in self._sentences))
        if new:
            self._sentences.update(zip(new, np.asarray(self._embed(new), np.float32), strict=True))

    def learn_utterances(self, utterances: Iterable[Sentences]) -> None:
        """Embed what is new in utterances, together."""
        self.learn(sentence for utterance in utterances if utterance not in self._utterances for sentence in utterance)

    def stack_sentences(self, sentences: Iterable[str]) -> Vectors:
        """Return the vectors of known sentences (n_sentences × n_dimensions)."""
        return np.array([self._sentences[sentence] for sentence in sentences])

    def stack_utterances(self, utterances: Sequence[Sentences]) -> Vectors:
        """Return the vectors of utterances of known sentences (n_utterances × n_dimensions)."""
        if len(self._utterances) >= _KNOWN_UTTERANCES:
            self._utterances.clear()
        new = list(dict.fromkeys(utterance for utterance in utterances if utterance not in self._utterances))
        if new:
            vectors = self.stack_sentences(sentence for utterance in new for sentence in utterance)
            self._utterances.update(zip(new, average_runs(vectors, [len(utterance) for utterance in new]), strict=True))
        return np.array([self._utterances[utterance] for utterance in utterances])


def find_starts(lengths: Sequence[int]) -> NDArray[np.int64]:
    """Return where each run begins, of runs of these lengths (each at least 1) that stand one behind the other."""
    return np.concatenate([[0], np.cumsum(lengths[:-1])]).astype(np.int64)


def average_runs(vectors: Vectors, lengths: Sequence[int]) -> Vectors:
    """Return the mean of each run of vectors, of length 1 (n_runs × n_dimensions); `lengths` are those of the runs."""
    return normalise_rows(np.add.reduceat(vectors, find_starts(lengths), axis=0))


def normalise_rows(vectors: NDArray[np.floating[Any]]) -> Vectors:
    """Return vectors (n × n_dimensions) of length 1."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    normal: Vectors = (vectors / np.maximum(lengths, 1e-12)[:, None]).astype(np.float32)
    return normal


def compare_rows(ones: Vectors, others: Vectors) -> NDArray[np.float64]:
    """Return the product of each row with the row of the other matrix (n)."""
    products: NDArray[np.float64] = np.einsum("ij,ij->i", ones, others).astype(np.float64)
    return products


class ScoreRequest(NamedTuple):
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
    """A scorer that remembers: each distinct request is put to the scorer once."""

    def __init__(self, scorer: ReplyScorer) -> None:
        self._scorer = scorer
        self._known: dict[ScoreRequest, float] = {}

    def __call__(self, requests: Sequence[ScoreRequest], /) -> list[float]:
        """Return the score of each request; those that are new go to the scorer together."""
        new = list(dict.fromkeys(request for request in requests if request not in self._known))
        if new:
            self._known.update(zip(new, self._scorer(new).tolist(), strict=True))
        return [self._known[request] for request in requests]


def rate_turns(utterances: Sequence[Sentences], scores: KnownScores, longest_context: int) -> tuple[float, ...]:
    """Return the score of each utterance after the first, in the context of those before it."""
    said = tuple(utterances)
    return tuple(scores([ScoreRequest(said[max(0, at - longest_context) : at], said[at]) for at in range(1, len(said))]))


class WordsScorer:
    """Compares content words: with the last utterance, half as much with those before it. It needs no model.

    score = 18 · cosine(reply, last) + 9 · cosine(reply, before) − 1.2, over sets of lower-cased words without stop words.
    """

    def __init__(self) -> None:
        self._tokenize = make_tokenizer("tweet")
        self._words: dict[str, frozenset[str]] = {}

    def __call__(self, requests: Sequence[ScoreRequest], /) -> NDArray[np.float64]:
        """Return the scores."""
        divided = {
            context: (self._list_words(context[-1]), self._list_words(s for utterance in context[:-1] for s in utterance))
            for context in dict.fromkeys(request.context for request in requests)
        }
        cosines = []
        for request in requests:
            reply, (last, before) = self._list_words(request.reply), divided[request.context]
            cosines.append(_cosine(reply, last) + 0.5 * _cosine(reply, before))
        return _WORDS_SLOPE * np.array(cosines) + _WORDS_OFFSET

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
