"""How well an utterance follows a conversation: one interface for every scorer, and the scorers that need no vendor.

Scores are logits: the log-odds that the utterance is the reply to what was said, as far as the scorer can tell.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.text.terms import STOP_WORDS
from core.text.tokens import make_tokenizer
from core.threads.segments import Sentences

Embed = Callable[[Sequence[str]], NDArray[np.float32]]


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

    score = 8 · cosine(reply, last) + 4 · cosine(reply, before) − 2, over sets of lower-cased words without stop words.
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
        return 8 * _cosine(reply, last) + 4 * _cosine(reply, before) - 2

    def _list_words(self, sentences: Iterable[str]) -> frozenset[str]:
        found: set[str] = set()
        for sentence in sentences:
            if sentence not in self._words:
                tokens = self._tokenize(sentence)
                self._words[sentence] = frozenset(token for token in tokens if token.isalpha() and token not in STOP_WORDS)
            found |= self._words[sentence]
        return frozenset(found)


@dataclass(frozen=True, slots=True)
class ReplyWeights:
    """A linear layer over frozen sentence vectors (4 · n_dimensions weights), and how its features are made.

    The features of a request are r ∘ p, |r − p|, r ∘ c and |r − c|: r is the reply, p the utterance that it replies to, c the
    whole context. An utterance's vector is the mean of its sentences' vectors, the context's the mean of its utterances',
    each of length 1.
    """

    weights: NDArray[np.float64]
    bias: float


_KNOWN_UTTERANCES = 10_000
"""Vectors of utterances that a scorer keeps at most (3 KiB each)."""


class EmbeddingScorer:
    """Scores by sentence vectors; each distinct sentence is embedded once, those of one call together.

    One of these lives as long as a group of posts, so that its vectors do not fill the memory. `learn` embeds the sentences of
    all of them together: many small calls cost more, since short batches are padded more and keep the processor less busy.
    """

    def __init__(self, embed: Embed, weights: ReplyWeights | None = None) -> None:
        """Use `embed` (texts to n_texts × n_dimensions) and trained weights; the plain cosine without."""
        self._embed = embed
        self._weights = weights
        self._vectors: dict[str, NDArray[np.float64]] = {}
        self._utterances: dict[Sentences, NDArray[np.float64]] = {}

    def __call__(self, requests: Sequence[ScoreRequest], /) -> NDArray[np.float64]:
        """Return the scores."""
        if not requests:
            return np.zeros(0)
        if self._weights is None:
            self._learn_all(requests)
            replies, parents = (self._stack(requests, part) for part in (_take_reply, _take_last))
            return np.einsum("ij,ij->i", replies, parents)
        return self.measure(requests) @ self._weights.weights + self._weights.bias

    def with_weights(self, weights: ReplyWeights) -> "EmbeddingScorer":
        """Return a scorer with other weights that shares the vectors of this one."""
        other = EmbeddingScorer(self._embed, weights)
        other._vectors = self._vectors
        return other

    def measure(self, requests: Sequence[ScoreRequest]) -> NDArray[np.float64]:
        """Return the features of each request (n_requests × 4 · n_dimensions)."""
        self._learn_all(requests)
        replies, parents, contexts = (self._stack(requests, part) for part in (_take_reply, _take_last, _take_context))
        parts = (replies * parents, np.abs(replies - parents), replies * contexts, np.abs(replies - contexts))
        return np.concatenate(parts, axis=1)

    def learn(self, sentences: Iterable[str]) -> None:
        """Embed the sentences that are new, together."""
        new = list(dict.fromkeys(sentence for sentence in sentences if sentence not in self._vectors))
        if new:
            self._vectors.update(zip(new, np.asarray(self._embed(new), np.float64), strict=True))

    def _learn_all(self, requests: Sequence[ScoreRequest]) -> None:
        self.learn(sentence for request in requests for utterance in (*request.context, request.reply) for sentence in utterance)

    def _stack(
        self, requests: Sequence[ScoreRequest], part: Callable[[ScoreRequest], tuple[Sentences, ...]]
    ) -> NDArray[np.float64]:
        """Return the vector of a part of each request; each distinct part is averaged once."""
        parts = [part(request) for request in requests]
        places = {utterances: place for place, utterances in enumerate(dict.fromkeys(parts))}
        rows = [_average([self._find_vector(utterance) for utterance in utterances]) for utterances in places]
        return np.stack(rows)[[places[utterances] for utterances in parts]]

    def _find_vector(self, utterance: Sentences) -> NDArray[np.float64]:
        """Return the vector of an utterance: the mean of its sentences' vectors."""
        if utterance not in self._utterances:
            if len(self._utterances) >= _KNOWN_UTTERANCES:
                self._utterances.clear()
            self._utterances[utterance] = _average([self._vectors[sentence] for sentence in utterance])
        return self._utterances[utterance]


def _take_reply(request: ScoreRequest) -> tuple[Sentences, ...]:
    return (request.reply,)


def _take_last(request: ScoreRequest) -> tuple[Sentences, ...]:
    return request.context[-1:]


def _take_context(request: ScoreRequest) -> tuple[Sentences, ...]:
    return request.context


def _average(vectors: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    mean: NDArray[np.float64] = np.mean(vectors, axis=0) if len(vectors) > 1 else vectors[0]
    return mean / max(float(np.linalg.norm(mean)), 1e-12)


def _cosine(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / math.sqrt(len(one) * len(other)) if one and other else 0.0
