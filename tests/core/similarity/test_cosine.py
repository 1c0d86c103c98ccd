from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from core.similarity.cosine import bind_cosines, cosine_matrix, pool_cosines


def test_cosine_of_known_vectors_and_none_of_different_lengths() -> None:
    left = np.array([[3.0, 4.0], [0.0, 0.0]])
    right = np.array([[6.0, 8.0], [-3.0, -4.0], [4.0, -3.0]])
    assert cosine_matrix(left, right) == pytest.approx(np.array([[1.0, -1.0, 0.0], [0.0, 0.0, 0.0]]))
    with pytest.raises(ValueError, match="same length"):
        cosine_matrix(np.ones((2, 3)), np.ones((2, 4)))


def test_scorer_embeds_the_turns_once_and_returns_no_negative_scores() -> None:
    calls: list[list[str]] = []

    def embed(texts: list[str]) -> np.ndarray:
        calls.append(list(texts))
        return np.array([[1.0, 0.0] if "yes" in text else [-1.0, 0.0] for text in texts], np.float32)

    score = bind_cosines(["yes", "no"], embed)
    assert score(["yes yes"]).tolist() == [[1.0], [0.0]]
    assert score(["no"]).tolist() == [[0.0], [1.0]]
    assert calls == [["yes", "no"], ["yes yes"], ["no"]]


def test_equals_algorithm_7_scene_by_scene() -> None:
    numbers = np.random.default_rng(1)
    sentences, lines = numbers.normal(size=(3, 8)), numbers.normal(size=(7, 8))
    bounds = np.array([0, 0, 2, 2, 6, 7, 7])
    highest, mean = pool_cosines(sentences, lines, bounds)
    for scene, (start, stop) in enumerate(pairwise(bounds)):
        for sentence in range(3):
            cosines = cosine_matrix(sentences[sentence : sentence + 1], lines[start:stop])
            assert highest[sentence, scene] == pytest.approx(cosines.max(initial=-1) if stop > start else 0)
            assert mean[sentence, scene] == pytest.approx(cosines.mean() if stop > start else 0)


@pytest.mark.parametrize("bounds", [[0, 2], [1, 3], [0, 2, 1, 3], []])
def test_refuses_bounds_that_do_not_fit(bounds: list[int]) -> None:
    lines: NDArray[np.float64] = np.ones((3, 2))
    with pytest.raises(ValueError, match="bounds"):
        pool_cosines(np.ones((1, 2)), lines, np.array(bounds, np.int64))
