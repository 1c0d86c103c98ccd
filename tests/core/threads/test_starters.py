"""The features, labels and weak labels of posts that only invite discussion."""

from dataclasses import replace

import numpy as np
import pytest

from core.text.sentences import split_by_rules
from core.threads.posts import Post
from core.threads.sentence_vectors import SentenceVectors
from core.threads.starters import (
    PLAIN,
    StarterClassifier,
    StarterLayer,
    StarterMeasures,
    label_weakly,
    measure_plainly,
    name_features,
    read_labels,
    simplify_title,
)


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


def test_posts_without_title_or_text_have_features_too() -> None:
    measure = StarterMeasures(SentenceVectors(lambda texts: np.ones((len(texts), 4), np.float32)), split_by_rules)
    rows = measure([post("t3_a", "A lamp", "It is old. It flickers."), post("t3_b", "", "Only text."), post("t3_c", "")])
    assert rows.shape == (3, len(name_features(4)))
    assert np.isfinite(rows).all()


def test_a_layer_gives_probabilities() -> None:
    width = len(name_features(4))
    weights = np.zeros(width)
    weights[0] = 4.0
    layer = StarterLayer(np.zeros(width), np.ones(width), weights, -2.0)
    measure = StarterMeasures(SentenceVectors(lambda texts: np.ones((len(texts), 4), np.float32)), split_by_rules)
    rate = StarterClassifier(layer, measure)
    assert rate(post("t3_a", "Weekly questions thread", "Ask.")) == pytest.approx(1 / (1 + np.exp(-2.0)))
    assert rate(post("t3_b", "My lamp", "It is broken.")) == pytest.approx(1 / (1 + np.exp(2.0)))


def test_weak_labels_are_moderators_and_titles_that_recur_under_one_author() -> None:
    recurring = [post(f"t3_{day}", f"Lamps of the week, {day} May 2022", author="keeper") for day in (1, 8, 15)]
    others = [
        replace(post("t3_m", "Rules"), moderated=True),
        post("t3_o", "Lamps of the week, 22 May 2022"),
        post("t3_n", "A", author=None),
    ]
    unknown = [post(f"t3_u{place}", "My lamp", author=None) for place in range(4)]
    labels = label_weakly([*recurring, *others, *unknown])
    assert {name for name, label in labels.items() if label} == {"t3_1", "t3_8", "t3_15", "t3_m"}
    assert len(labels) == 10
    assert simplify_title("Simple Questions: February 22, 2022") == "simple questions"


def test_labels_are_read_and_odd_lines_are_told() -> None:
    assert read_labels(["t3_a\t1", "", "0123456789abcdef\t0\n"]) == {"t3_a": True, "0123456789abcdef": False}
    with pytest.raises(ValueError, match="line 2 is 't3_b yes'; expected a post's id, a tab, and 0 or 1"):
        read_labels(["t3_a\t1", "t3_b yes"])
    with pytest.raises(ValueError, match="t3_a has another label in a line before it"):
        read_labels(["t3_a\t1", "t3_a\t0"])
