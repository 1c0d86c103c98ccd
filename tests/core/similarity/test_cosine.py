import numpy as np
import pytest

from core.similarity.cosine import CosineScorer, cosine_matrix


def test_cosine_of_known_vectors() -> None:
    left = np.array([[3.0, 4.0], [0.0, 0.0]])
    right = np.array([[6.0, 8.0], [-3.0, -4.0], [4.0, -3.0]])
    assert cosine_matrix(left, right) == pytest.approx(np.array([[1.0, -1.0, 0.0], [0.0, 0.0, 0.0]]))


def test_vectors_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="same length"):
        cosine_matrix(np.ones((2, 3)), np.ones((2, 4)))


def test_scorer_embeds_the_turns_once_and_returns_no_negative_scores() -> None:
    calls: list[list[str]] = []

    def embed(texts: list[str]) -> np.ndarray:
        calls.append(list(texts))
        return np.array([[1.0, 0.0] if "yes" in text else [-1.0, 0.0] for text in texts], np.float32)

    score = CosineScorer(["yes", "no"], embed)
    assert score(["yes yes"]).tolist() == [[1.0], [0.0]]
    assert score(["no"]).tolist() == [[0.0], [1.0]]
    assert calls == [["yes", "no"], ["yes yes"], ["no"]]
