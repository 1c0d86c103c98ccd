import numpy as np
import pytest

from core.text.sentences import split_by_rules
from core.threads.posts import Post
from core.threads.scoring import SentenceVectors
from core.threads.starters import PLAIN, StarterClassifier, StarterLayer, StarterMeasures, measure_plainly, name_features


def post(name: str, title: str, text: str = "", author: str | None = "wick") -> Post:
    return Post(name, "odd", title, text, author, False, True, ())


def test_the_plain_features_see_title_questions_and_who_is_spoken_to() -> None:
    found = measure_plainly(
        post("t3_a", "Weekly thread: 3 May 2022"), ("Weekly thread: 3 May 2022",), ("Share your lamps!", "And you?")
    )
    features = dict(zip(PLAIN, found, strict=True))
    assert features["title of a thread"] == 1
    assert features["date in the title"] == 1
    assert features["share of questions"] == pytest.approx(1 / 3)
    assert features["share of exclamations"] == pytest.approx(1 / 3)
    assert features["words that ask for answers"] == 1
    assert features["share of second person"] == pytest.approx(2 / 8)
    assert features["share of first person"] == 0


def test_a_layer_gives_probabilities() -> None:
    width = len(name_features(4))
    weights = np.zeros(width)
    weights[0] = 4.0
    layer = StarterLayer(np.zeros(width), np.ones(width), weights, -2.0)
    measure = StarterMeasures(SentenceVectors(lambda texts: np.ones((len(texts), 4), np.float32)), split_by_rules)
    rate = StarterClassifier(layer, measure)
    assert rate(post("t3_a", "Weekly questions thread", "Ask.")) == pytest.approx(1 / (1 + np.exp(-2.0)))
    assert rate(post("t3_b", "My lamp", "It is broken.")) == pytest.approx(1 / (1 + np.exp(2.0)))
