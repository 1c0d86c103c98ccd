"""The trained reply scorer: a linear layer over measures of a reply and its conversation, which sentence vectors and words give.

Sentence vectors of one forum are all alike in a few directions, which say what the forum is about. Whitening shrinks these
directions, so that cosines tell one post from another.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.threads.dialogues import Sentences
from core.threads.scoring import ScoreRequest, SentenceVectors, Vectors, average_runs, compare_rows, find_starts, normalise_rows

Context = tuple[Sentences, ...]
Groups = list[tuple[NDArray[np.int64], bool]]

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
    "similarity to the nearest themes",
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
_NEAREST = 3
"""Themes that a reply is compared with."""
_STEM = 6
_WORDS = re.compile(r"[a-z']+")
_LEAST_VARIANCE = 1e-5


@dataclass(frozen=True, slots=True)
class ReplySpace:
    """What the training posts say about vectors and words.

    `centre` is the mean of the vectors (n_dimensions), `whitening` the map applied to a vector less the centre (n_dimensions ×
    n_dimensions). `rarity` is the log of all texts over those with a word (idf), by the word's first letters; words that are not
    in it have `unknown`. `themes` are whitened vectors of length 1 of what posts are about (n_themes × n_dimensions): a reply
    that is near to some of them follows many posts.
    """

    centre: NDArray[np.float64]
    whitening: NDArray[np.float64]
    rarity: Mapping[str, float]
    unknown: float
    themes: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ReplyLayer:
    """A trained scorer: the score is `weights` (one a feature) times the features, plus `bias`."""

    space: ReplySpace
    weights: NDArray[np.float64]
    bias: float


@dataclass(frozen=True, slots=True)
class _Words:
    """The stems of a text as numbers, their rarities, and the sums of these and of their squares.

    The number 0, of rarity 0, stands first, so that a text without words is no empty run.
    """

    stems: NDArray[np.int64]
    rarities: NDArray[np.float64]
    total: float
    squares: float


class TrainedScorer:
    """Scores replies by a trained layer."""

    def __init__(self, vectors: SentenceVectors, layer: ReplyLayer) -> None:
        self.vectors = vectors
        self._layer = layer
        self._measures = ReplyMeasures(vectors, layer.space)

    def __call__(self, requests: Sequence[ScoreRequest], /) -> NDArray[np.float64]:
        """Return the scores: the log-odds that a reply is the true one, against one of another post."""
        if not requests:
            return np.zeros(0)
        return self._measures(requests) @ self._layer.weights + self._layer.bias


class ReplyMeasures:
    """Measures the features of requests.

    A step of the search asks of a few contexts how many replies follow, and of many segments how one sentence follows. Either
    is measured together: all replies to one context, or all contexts of one reply.
    """

    def __init__(self, vectors: SentenceVectors, space: ReplySpace) -> None:
        self._vectors = vectors
        self._space = space
        self._white = SentenceVectors(self._whiten)
        self._words: dict[Sentences, _Words] = {}
        self._stems: dict[str, int] = {}

    def __call__(self, requests: Sequence[ScoreRequest], /) -> NDArray[np.float64]:
        """Return the features (n_requests × n_features). Time in proportion to the requests and the distinct sentences."""
        contexts = list(dict.fromkeys(request.context for request in requests))
        said = dict.fromkeys([*(utterance for context in contexts for utterance in context), *(r.reply for r in requests)])
        places = {context: place for place, context in enumerate(contexts)}
        asked = np.array([places[request.context] for request in requests])
        replies = [request.reply for request in requests]
        groups = _group_requests(asked, replies)
        columns: list[NDArray[np.float64]] = []
        for vectors in (self._vectors, self._white):
            vectors.learn_utterances(said)
            columns += _compare(vectors, contexts, asked, replies)
            columns += list(_match_sentences(vectors, contexts, asked, replies, groups).T)
        columns.append((self._vectors.stack_utterances(replies) @ self._space.centre).astype(np.float64))
        columns.append(self._match_themes(replies))
        columns.append(np.log1p([sum(map(len, reply)) for reply in replies]))
        return np.column_stack([*columns, self._share_words(contexts, asked, replies, groups)])

    def whiten_utterances(self, utterances: Sequence[Sentences]) -> Vectors:
        """Return the whitened vectors of utterances (n_utterances × n_dimensions)."""
        self._vectors.learn_utterances(utterances)
        self._white.learn_utterances(utterances)
        return self._white.stack_utterances(utterances)

    def _match_themes(self, replies: Sequence[Sentences]) -> NDArray[np.float64]:
        """Return the mean similarity of each reply to the themes nearest to it."""
        themes = self._space.themes
        if not len(themes):
            return np.zeros(len(replies))
        near = np.sort(self._white.stack_utterances(replies) @ themes.T, axis=1)[:, -_NEAREST:]
        similarities: NDArray[np.float64] = near.mean(axis=1).astype(np.float64)
        return similarities

    def _whiten(self, sentences: Sequence[str]) -> Vectors:
        return normalise_rows((self._vectors.stack_sentences(sentences) - self._space.centre) @ self._space.whitening)

    def _share_words(
        self, contexts: Sequence[Context], asked: NDArray[np.int64], replies: Sequence[Sentences], groups: Groups
    ) -> NDArray[np.float64]:
        """Return the five features of words (n_requests × 5)."""
        found = np.empty((len(replies), 5))
        words = [self._find_words(reply) for reply in replies]
        texts = [
            [self._find_words(part) for part in (context[-1], context[0][:1], tuple(s for each in context for s in each))]
            for context in contexts
        ]
        for group, one_context in groups:
            last, first, whole = ([texts[asked[place]][part] for place in group] for part in range(3))
            said = [words[place] for place in group]
            if one_context:
                near, opening, anywhere = (_share(text[0], said) for text in (last, first, whole))
            else:
                near, opening, anywhere = (_share(said[0], text) for text in (last, first, whole))
            total = np.maximum([each.total for each in said], 1e-6)
            both = np.sqrt([reply.squares * text.squares for reply, text in zip(said, last, strict=True)])
            found[group, 0] = near[1] / np.maximum(both, 1e-6)
            found[group, 1:4] = np.column_stack([near[0], opening[0], anywhere[0]]) / total[:, None]
            found[group, 4] = near[2]
        return found

    def _find_words(self, utterance: Sentences) -> _Words:
        if utterance not in self._words:
            stems = sorted(list_stems(utterance))
            numbers = [self._stems.setdefault(stem, len(self._stems) + 1) for stem in stems]
            rarities = np.array([0.0, *(self._space.rarity.get(stem, self._space.unknown) for stem in stems)])
            self._words[utterance] = _Words(np.array([0, *numbers]), rarities, float(rarities.sum()), float(rarities @ rarities))
        return self._words[utterance]


def learn_space(vectors: NDArray[np.float64], texts: Sequence[Sentences]) -> ReplySpace:
    """Return the statistics of sentence vectors (n_sentences × n_dimensions) and of the words of texts, without themes.

    Words that stand in one text only are left out: they count as unknown ones.
    """
    centre = vectors.mean(axis=0)
    variances, directions = np.linalg.eigh(np.atleast_2d(np.cov((vectors - centre).T)))
    whitening = directions * np.maximum(variances, _LEAST_VARIANCE) ** -WHITENING
    counts = Counter(stem for text in texts for stem in list_stems(text))
    rarity = {stem: math.log((len(texts) + 1) / (count + 1)) for stem, count in sorted(counts.items()) if count > 1}
    return ReplySpace(centre, whitening, rarity, math.log((len(texts) + 1) / 2), np.empty((0, len(centre))))


def list_stems(sentences: Iterable[str]) -> frozenset[str]:
    """Return the beginnings of a text's words, in lower case: the first six letters."""
    return frozenset(word[:_STEM] for sentence in sentences for word in _WORDS.findall(sentence.lower()))


def _group_requests(asked: NDArray[np.int64], replies: Sequence[Sentences]) -> Groups:
    """Return groups of requests: those of one context (True), and of the contexts asked once those of one reply (False)."""
    by_context: dict[int, list[int]] = defaultdict(list)
    for place, context in enumerate(asked.tolist()):
        by_context[context].append(place)
    by_reply: dict[Sentences, list[int]] = defaultdict(list)
    for group in by_context.values():
        if len(group) == 1:
            by_reply[replies[group[0]]].append(group[0])
    return [
        *((np.array(group), True) for group in by_context.values() if len(group) > 1),
        *((np.array(group), False) for group in by_reply.values()),
    ]


def _compare(
    vectors: SentenceVectors, contexts: Sequence[Context], asked: NDArray[np.int64], replies: Sequence[Sentences]
) -> list[NDArray[np.float64]]:
    """Return the cosines of the replies with the last utterance, the whole context and its first sentence."""
    said = vectors.stack_utterances(replies)
    utterances = vectors.stack_utterances([utterance for context in contexts for utterance in context])
    lengths = [len(context) for context in contexts]
    last, whole = utterances[np.cumsum(lengths) - 1], average_runs(utterances, lengths)
    first = vectors.stack_sentences(context[0][0] for context in contexts)
    return [compare_rows(said, other[asked]) for other in (last, whole, first)]


def _match_sentences(
    vectors: SentenceVectors,
    contexts: Sequence[Context],
    asked: NDArray[np.int64],
    replies: Sequence[Sentences],
    groups: Groups,
) -> NDArray[np.float64]:
    """Return the best pair of sentences of the last utterance and the reply, and the two means of best pairs (n_requests × 3)."""
    found = np.empty((len(replies), 3))
    for group, one_context in groups:
        last, said = [contexts[asked[place]][-1] for place in group], [replies[place] for place in group]
        one, many = (last[0], said) if one_context else (said[0], last)
        lengths = [len(sentences) for sentences in many]
        starts = find_starts(lengths)
        table = vectors.stack_sentences(one) @ vectors.stack_sentences(s for sentences in many for s in sentences).T
        best = table.max(axis=0)
        found[group, 0] = np.maximum.reduceat(best, starts)
        means = np.add.reduceat(best, starts) / lengths, np.maximum.reduceat(table, starts, axis=1).mean(axis=0)
        found[group, 1], found[group, 2] = means if one_context else means[::-1]
    return found


def _share(text: _Words, others: Sequence[_Words]) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return for each of the others the rarities of the stems shared with a text: their sum, that of squares, the greatest."""
    starts = find_starts([len(other.stems) for other in others])
    stems = np.concatenate([other.stems for other in others])
    shared = np.concatenate([other.rarities for other in others]) * np.isin(stems, text.stems)
    return np.add.reduceat(shared, starts), np.add.reduceat(shared * shared, starts), np.maximum.reduceat(shared, starts)
