import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics.estimates import Moments, confidence_interval, measure_moments

VALUES = st.lists(st.floats(0, 1000), min_size=2, max_size=50)


@given(VALUES)
def test_equals_the_textbook(values):
    moments = measure_moments(values)
    assert moments.mean == pytest.approx(statistics.mean(values), abs=1e-9)
    assert moments.deviation == pytest.approx(statistics.stdev(values), rel=1e-5, abs=1e-3)


@given(VALUES, VALUES)
def test_parts_add_up(left, right):
    whole, parts = measure_moments(left + right), measure_moments(left) + measure_moments(right)
    assert parts.count == whole.count
    assert (parts.total, parts.squares) == pytest.approx((whole.total, whole.squares))


def test_too_few_observations_have_no_deviation_and_intervals_are_students():
    assert measure_moments([]).mean is None
    assert confidence_interval(Moments()) is None
    assert measure_moments([3]).mean == 3
    assert measure_moments([3]).deviation is None
    assert confidence_interval(measure_moments([3])) is None
    assert confidence_interval(measure_moments([1, 2, 3])) == pytest.approx(4.302653 / math.sqrt(3), rel=1e-6)
    assert confidence_interval(Moments(10**6, 0.0, 10**6 - 1)) == pytest.approx(1.96 / 1000, rel=1e-3)
