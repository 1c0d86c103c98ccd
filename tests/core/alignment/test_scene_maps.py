from collections.abc import Callable
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from core.alignment.scene_maps import assign_scenes, link_posteriors, sum_maps

# Quarters add up exactly, so that equal totals are equal and ties can be compared.
QUARTERS = st.integers(-8, 8).map(lambda quarters: quarters / 4)


def matrices(max_sentences: int, max_scenes: int) -> st.SearchStrategy[NDArray[np.float64]]:
    shapes = st.tuples(st.integers(1, max_sentences), st.integers(1, max_scenes))
    return shapes.flatmap(lambda shape: arrays(np.float64, shape, elements=QUARTERS))


def assign_by_table(similarity: NDArray[np.float64]) -> list[int]:
    """Run algorithm 2 as it is meant: a padding row around every sentence, and traceback from the table's last cell."""
    m, n = similarity.shape
    padded = np.zeros((2 * m + 1, n))
    padded[1::2] = similarity
    best = np.full((2 * m + 2, n + 1), -np.inf)
    best[0, 0] = 0
    parent = np.full((2 * m + 2, n + 1), -1)
    for i in range(1, 2 * m + 2):
        for j in range(1, n + 1):
            moves = [best[i - 1, j], best[i - 1, j - 1]]
            if i % 2 == 1:
                moves.append(best[i, j - 1])
            parent[i, j] = int(np.argmax(moves))
            best[i, j] = padded[i - 1, j - 1] + max(moves)
    steps = [(-1, 0), (-1, -1), (0, -1)]
    row, column = 2 * m + 1, n
    scenes = [0] * (2 * m + 1)
    while row > 0:
        scenes[row - 1] = column - 1
        down, left = steps[parent[row, column]]
        row, column = row + down, column + left
    return scenes[1::2]


@given(matrices(5, 6))
@settings(deadline=None)
def test_equals_the_padded_table_ties_included(similarity: NDArray[np.float64]) -> None:
    assert assign_scenes(similarity).tolist() == assign_by_table(similarity)


@pytest.mark.parametrize("find", [assign_scenes, link_posteriors])
@pytest.mark.parametrize("matrix", [np.zeros((2, 0)), np.zeros(3), np.array([[np.nan]]), np.array([[-np.inf, 0]])])
def test_refuses_what_is_no_finite_matrix(find: Callable[..., object], matrix: NDArray[np.float64]) -> None:
    with pytest.raises(ValueError, match=r"matrix|finite"):
        find(matrix)
    assert assign_scenes(np.zeros((0, 3))).tolist() == []


SHAPES = st.tuples(st.integers(1, 4), st.integers(1, 5))


@given(SHAPES.flatmap(lambda shape: arrays(np.float64, shape, elements=st.floats(-20, 20))))
@settings(deadline=None)  # the first call compiles
def test_equals_the_sum_over_all_monotone_maps(evidence: NDArray[np.float64]) -> None:
    m, n = evidence.shape
    maps = {scenes: evidence[range(m), scenes].sum() for scenes in combinations_with_replacement(range(n), m)}
    expected = np.zeros((m, n))
    for scenes, total in maps.items():
        expected[range(m), scenes] += np.exp(total)
    expected /= expected.sum(axis=1, keepdims=True)
    assert link_posteriors(evidence) == pytest.approx(expected, abs=1e-9)
    assert sum_maps(evidence) == pytest.approx(np.logaddexp.reduce([*maps.values()]), abs=1e-9)


def test_evidence_far_apart_does_not_underflow() -> None:
    evidence = np.array([[-900.0, 0, -900], [0, -900, -900], [-900, -900, 0]])
    posteriors = link_posteriors(evidence)
    assert np.isfinite(posteriors).all()
    assert posteriors.sum(axis=1) == pytest.approx(1)
    assert posteriors[2].argmax() == 2
