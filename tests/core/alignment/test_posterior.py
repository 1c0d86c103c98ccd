from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from core.alignment.scene_maps import link_posteriors, sum_maps

SHAPES = st.tuples(st.integers(1, 4), st.integers(1, 5))


@given(SHAPES.flatmap(lambda shape: arrays(np.float64, shape, elements=st.floats(-20, 20))))
@settings(deadline=None)  # the first call compiles
def test_equals_the_sum_over_all_monotone_maps(evidence: NDArray[np.float64]) -> None:
    m, n = evidence.shape
    expected = np.zeros((m, n))
    for scenes in combinations_with_replacement(range(n), m):
        expected[range(m), scenes] += np.exp(evidence[range(m), scenes].sum())
    expected /= expected.sum(axis=1, keepdims=True)
    assert link_posteriors(evidence) == pytest.approx(expected, abs=1e-9)


def test_adding_a_constant_to_a_row_changes_nothing() -> None:
    evidence = np.array([[1.0, 2, 0], [0, 3, 1]])
    assert link_posteriors(evidence + np.array([[50.0], [-7]])) == pytest.approx(link_posteriors(evidence))


def test_evidence_far_apart_does_not_underflow() -> None:
    evidence = np.array([[-900.0, 0, -900], [0, -900, -900], [-900, -900, 0]])
    posteriors = link_posteriors(evidence)
    assert np.isfinite(posteriors).all()
    assert posteriors.sum(axis=1) == pytest.approx(1)
    assert posteriors[2].argmax() == 2


@pytest.mark.parametrize("evidence", [np.zeros((2, 0)), np.zeros(3), np.array([[np.nan]]), np.array([[-np.inf, 0]])])
def test_refuses_invalid_evidence(evidence: NDArray[np.float64]) -> None:
    with pytest.raises(ValueError, match=r"matrix|finite"):
        link_posteriors(evidence)


@given(SHAPES.flatmap(lambda shape: arrays(np.float64, shape, elements=st.floats(-20, 20))))
@settings(deadline=None)  # the first call compiles
def test_the_sum_over_maps_equals_the_literal_one(evidence: NDArray[np.float64]) -> None:
    m, n = evidence.shape
    maps = [evidence[range(m), scenes].sum() for scenes in combinations_with_replacement(range(n), m)]
    assert sum_maps(evidence) == pytest.approx(np.logaddexp.reduce(maps), abs=1e-9)
