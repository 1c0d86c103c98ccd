"""The features of the trained scorer equal those that are measured one request at a time, as their names say."""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest
from numpy.typing import NDArray

from core.threads.scoring import ScoreRequest, SentenceVectors
from core.threads.trained_scoring import FEATURES, ReplyLayer, ReplyMeasures, TrainedScorer, learn_space, list_stems

POST = ("The old lamp in the hall flickers.", "It rains in.", "What should I do?")
REPLIES = (("Dry the lamp.",), ("Lamps flicker when it rains.", "Mine does."), ("Sell the house.", "Buy a boat.", "Leave."))
REQUESTS = [
    *(ScoreRequest((POST,), reply) for reply in REPLIES),
    *(ScoreRequest((POST, REPLIES[0], POST[1:2]), reply) for reply in REPLIES[1:]),
]
TEXTS = [POST, *REPLIES, ("The lamp rains.",)]


def embed(texts: Sequence[str]) -> NDArray[np.float32]:
    found = np.array([np.frombuffer(sha256(text.encode()).digest(), np.uint8)[:4] for text in texts], np.float32) - 128
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def unit(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    return vector / np.linalg.norm(vector)


SENTENCES = sorted({sentence for text in TEXTS for sentence in text})
THEMES = np.array([unit(row) for row in np.random.default_rng(1).normal(size=(5, 4))])
SPACE = replace(learn_space(embed(SENTENCES).astype(np.float64), TEXTS), themes=THEMES)


def measure_literally(request: ScoreRequest) -> list[float]:
    found: list[float] = []
    plain = {sentence: embed([sentence])[0].astype(np.float64) for sentence in SENTENCES}
    white = {sentence: unit((vector - SPACE.centre) @ SPACE.whitening) for sentence, vector in plain.items()}
    for vectors in (plain, white):
        said = [unit(np.mean([vectors[sentence] for sentence in utterance], axis=0)) for utterance in request.context]
        reply = unit(np.mean([vectors[sentence] for sentence in request.reply], axis=0))
        found += [reply @ said[-1], reply @ unit(np.mean(said, axis=0)), reply @ vectors[request.context[0][0]]]
        table = np.array([[vectors[one] @ vectors[other] for other in request.reply] for one in request.context[-1]])
        found += [table.max(), table.max(axis=0).mean(), table.max(axis=1).mean()]
    found.append(unit(np.mean([plain[sentence] for sentence in request.reply], axis=0)) @ SPACE.centre)
    white_reply = unit(np.mean([white[sentence] for sentence in request.reply], axis=0))
    found.append(np.mean(sorted(white_reply @ theme for theme in THEMES)[-3:]))
    found.append(np.log(1 + sum(map(len, request.reply))))
    reply_words, last = list_stems(request.reply), list_stems(request.context[-1])

    def add(words: frozenset[str], power: int = 1) -> float:
        return sum(SPACE.rarity.get(word, SPACE.unknown) ** power for word in words)

    whole = list_stems(sentence for utterance in request.context for sentence in utterance)
    found.append(add(reply_words & last, 2) / (add(reply_words, 2) * add(last, 2)) ** 0.5)
    others = (last, list_stems(request.context[0][:1]), whole)
    found += [add(reply_words & other) / add(reply_words) for other in others]
    return [*found, max((SPACE.rarity.get(word, SPACE.unknown) for word in reply_words & last), default=0.0)]


def test_features_measured_together_equal_those_measured_alone() -> None:
    measured = ReplyMeasures(SentenceVectors(embed), SPACE)(REQUESTS)
    assert measured.shape == (len(REQUESTS), len(FEATURES))
    for row, request in zip(measured, REQUESTS, strict=True):
        assert row == pytest.approx(measure_literally(request), abs=1e-5)
    layer = ReplyLayer(SPACE, np.arange(1.0, len(FEATURES) + 1), 0.5)
    scores = TrainedScorer(SentenceVectors(embed), layer)(REQUESTS)
    assert scores == pytest.approx(measured @ layer.weights + 0.5)
    assert TrainedScorer(SentenceVectors(embed), layer)([]).shape == (0,)


def test_rare_words_weigh_more_and_words_of_one_text_count_as_unknown() -> None:
    assert SPACE.rarity["lamp"] < SPACE.rarity["flicke"] < SPACE.unknown
    assert "house" not in SPACE.rarity
    assert list_stems(["Flickering FLICKERS, isn't it?"]) == {"flicke", "isn't", "it"}
