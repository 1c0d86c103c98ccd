from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from core.similarity.cosine import cosine_matrix, pool_cosines


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


def test_scenes_without_lines_only() -> None:
    highest, mean = pool_cosines(np.ones((2, 4)), np.zeros((0, 4)), np.array([0, 0, 0]))
    assert highest.tolist() == mean.tolist() == [[0, 0], [0, 0]]


@pytest.mark.parametrize("bounds", [[0, 2], [1, 3], [0, 2, 1, 3], []])
def test_refuses_bounds_that_do_not_fit(bounds: list[int]) -> None:
    lines: NDArray[np.float64] = np.ones((3, 2))
    with pytest.raises(ValueError, match="bounds"):
        pool_cosines(np.ones((1, 2)), lines, np.array(bounds, np.int64))
