"""The trained reply scorer: a linear layer over measures of a reply and its conversation, which sentence vectors and words give.

Sentence vectors of one forum are all alike in a few directions, which say what the forum is about. Whitening shrinks these
directions, so that cosines tell one post from another.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.threads.scoring import ScoreRequest, SentenceVectors, average_vectors
from core.threads.segments import Sentences

FEATURES = (
    *(f"{space} {name}" for space in ("plain", "white") for name in (
        "cosine with the last utterance",
        "cosine with the context",
        "cosine with the first sentence",
        "best pair of sentences",
        "mean best pair of the reply's sentences",
        "mean best pair of the last utterance's sentences",
    )),
    "similarity to the centre",
    "log of characters",
    "shared words with the last utterance",
    "share of the reply's words in the last utterance",
    "share of the reply's words in the first sentence",
    "share of the reply's words in the context",
    "rarest shared word",
)  # fmt: skip
"""What is measured of a request, in order. Shares are weighted by how rare the words are."""
WHITENING = 0.25
"""Power of the variances that vectors are divided by; 0.5 would make all directions alike. Chosen by folds (docs/threads.md)."""
_STEM = 6
_WORDS = re.compile(r"[a-z']+")
_LEAST_VARIANCE = 1e-5


@dataclass(frozen=True, slots=True)
class ReplySpace:
    """What the training posts say about vectors and words.

    `centre` is the mean of the vectors (n_dimensions), `whitening` the map applied to a vector less the centre (n_dimensions ×
    n_dimensions). `rarity` is the log of all texts over those with a word (idf), by the word's first letters; words that are not
    in it have `unknown`.
    """

    centre: NDArray[np.float64]
    whitening: NDArray[np.float64]
    rarity: Mapping[str, float]
    unknown: float


@dataclass(frozen=True, slots=True)
class ReplyLayer:
    """A trained scorer: the score is `weights` (one a feature) times the features, plus `bias`."""

    space: ReplySpace
    weights: NDArray[np.float64]
    bias: float


@dataclass(frozen=True, slots=True)
class _Words:
    """The stems of a text, the sum of their rarities and that of the squares."""

    stems: frozenset[str]
    total: float
    squares: float


class TrainedScorer:
    """Scores replies by a trained layer."""

    def __init__(self, vectors: SentenceVectors, layer: ReplyLayer) -> None:
        self.vectors = vectors
        self._layer = layer
        self._measures = ReplyMeasures(vectors, layer.space)

    def __call__(self, requests: Sequence[ScoreRequest], /) -> NDArray[np.float64]:
        """Return the scores: log-odds that a reply is the true one among as many others as the layer was trained with."""
        if not requests:
            return np.zeros(0)
        return self._measures(requests) @ self._layer.weights + self._layer.bias


class ReplyMeasures:
    """Measures the features of requests."""

    def __init__(self, vectors: SentenceVectors, space: ReplySpace) -> None:
        self._vectors = vectors
        self._space = space
        self._white = SentenceVectors(self._whiten)
        self._words: dict[Sentences, _Words] = {}

    def __call__(self, requests: Sequence[ScoreRequest], /) -> NDArray[np.float64]:
        """Return the features (n_requests × n_features). Time in proportion to the requests and the distinct sentences."""
        self._vectors.learn_requests(requests)
        self._white.learn_requests(requests)
        columns = [*self._compare(self._vectors, requests), *self._compare(self._white, requests)]
        columns.append(self._each(requests, lambda reply: float(self._vectors.find_utterance(reply) @ self._space.centre)))
        columns.append(self._each(requests, lambda reply: math.log1p(sum(map(len, reply)))))
        shared = np.array([self._share_words(request) for request in requests], np.float64)
        return np.column_stack([*columns, shared])

    def _whiten(self, sentences: Sequence[str]) -> NDArray[np.float32]:
        found = (self._vectors.stack_sentences(sentences) - self._space.centre) @ self._space.whitening
        lengths = np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12)
        white: NDArray[np.float32] = (found / lengths).astype(np.float32)
        return white

    def _compare(self, vectors: SentenceVectors, requests: Sequence[ScoreRequest]) -> list[NDArray[np.float64]]:
        """Return the six comparisons of one space, a column each."""
        contexts = {context: _average_context(vectors, context) for context in {request.context for request in requests}}
        find = vectors.find_utterance
        replies = np.stack([find(request.reply) for request in requests])
        last = np.stack([find(request.context[-1]) for request in requests])
        whole = np.stack([contexts[request.context] for request in requests])
        first = np.stack([find(request.context[0][:1]) for request in requests])
        columns = [np.einsum("ij,ij->i", replies, other) for other in (last, whole, first)]
        return [*columns, *_match_sentences(vectors, requests).T]

    def _each(self, requests: Sequence[ScoreRequest], measure: Callable[[Sentences], float]) -> NDArray[np.float64]:
        """Return a measure of the reply of each request; equal replies are measured once."""
        known = {reply: measure(reply) for reply in {request.reply for request in requests}}
        return np.array([known[request.reply] for request in requests], np.float64)

    def _share_words(self, request: ScoreRequest) -> tuple[float, float, float, float, float]:
        rarity = self._rate
        reply, last = self._find_words(request.reply), self._find_words(request.context[-1])
        first = self._find_words(request.context[0][:1])
        shared = [rarity(stem) for stem in reply.stems & last.stems]
        context = frozenset[str]().union(*(self._find_words(utterance).stems for utterance in request.context))
        total = max(reply.total, 1e-6)
        return (
            sum(value * value for value in shared) / max(math.sqrt(reply.squares * last.squares), 1e-6),
            sum(shared) / total,
            sum(rarity(stem) for stem in reply.stems & first.stems) / total,
            sum(rarity(stem) for stem in reply.stems & context) / total,
            max(shared, default=0.0),
        )

    def _find_words(self, utterance: Sentences) -> _Words:
        if utterance not in self._words:
            stems = list_stems(utterance)
            rarities = [self._rate(stem) for stem in stems]
            self._words[utterance] = _Words(stems, sum(rarities), sum(value * value for value in rarities))
        return self._words[utterance]

    def _rate(self, stem: str) -> float:
        return self._space.rarity.get(stem, self._space.unknown)


def learn_space(vectors: NDArray[np.float64], texts: Sequence[Sentences]) -> ReplySpace:
    """Return the statistics of sentence vectors (n_sentences × n_dimensions) and of the words of texts.

    Words that stand in one text only are left out: they count as unknown ones.
    """
    centre = vectors.mean(axis=0)
    variances, directions = np.linalg.eigh(np.atleast_2d(np.cov((vectors - centre).T)))
    whitening = directions * np.maximum(variances, _LEAST_VARIANCE) ** -WHITENING
    counts = Counter(stem for text in texts for stem in list_stems(text))
    rarity = {stem: math.log((len(texts) + 1) / (count + 1)) for stem, count in sorted(counts.items()) if count > 1}
    return ReplySpace(centre, whitening, rarity, math.log((len(texts) + 1) / 2))


def list_stems(sentences: Iterable[str]) -> frozenset[str]:
    """Return the beginnings of a text's words, in lower case: the first six letters."""
    return frozenset(word[:_STEM] for sentence in sentences for word in _WORDS.findall(sentence.lower()))


def _average_context(vectors: SentenceVectors, context: tuple[Sentences, ...]) -> NDArray[np.float64]:
    return average_vectors([vectors.find_utterance(utterance) for utterance in context])


def _match_sentences(vectors: SentenceVectors, requests: Sequence[ScoreRequest]) -> NDArray[np.float64]:
    """Return for each request the best pair of sentences of the last utterance and the reply, and the two means (n × 3)."""
    asked = {sentence: place for place, sentence in enumerate(dict.fromkeys(s for r in requests for s in r.context[-1]))}
    said = {sentence: place for place, sentence in enumerate(dict.fromkeys(s for r in requests for s in r.reply))}
    table = vectors.stack_sentences(list(asked)) @ vectors.stack_sentences(list(said)).T
    rows = {last: [asked[sentence] for sentence in last] for last in {request.context[-1] for request in requests}}
    found = np.empty((len(requests), 3))
    for place, request in enumerate(requests):
        pairs = table[rows[request.context[-1]]][:, [said[sentence] for sentence in request.reply]]
        best = pairs.max(axis=0)
        found[place] = best.max(), best.mean(), pairs.max(axis=1).mean()
    return found
