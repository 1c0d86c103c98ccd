"""What a look is worth: the expected gain is the gain that looking brings, to first order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.alignment.span_choice import choose_span
from core.review.worth import SpanErrors, expect_errors, expect_f1, expect_gain, guess_errors

Probabilities = st.lists(st.floats(0.01, 1), min_size=1, max_size=30)


@given(Probabilities)
def test_the_expected_f1_of_one_span_is_its_score(values: list[float]) -> None:
    membership = np.array(values)
    start, end, score = choose_span(membership)
    errors = expect_errors(membership, start, end)
    assert expect_f1([errors]) == pytest.approx(score)


def test_the_gain_is_the_derivative_of_the_pooled_f1() -> None:
    rows = [SpanErrors(3.0, 2.0, 10)] * 500 + [SpanErrors(1.0, 6.0, 12)] * 500
    f1 = expect_f1(rows)
    size = sum(2 * row.right + row.missed + row.false for row in rows)
    for place in (0, 999):
        row = rows[place]
        right = row.right + row.missed
        corrected = [*rows[:place], SpanErrors(0.0, 0.0, round(right)), *rows[place + 1 :]]
        assert (expect_f1(corrected) - f1) * size == pytest.approx(expect_gain(row, f1), rel=0.02)


def test_a_sure_span_is_worth_nothing_and_a_doubtful_long_one_most() -> None:
    assert expect_gain(expect_errors(np.array([0.0, 1.0, 1.0]), 1, 2), 0.8) == 0
    assert expect_gain(guess_errors(0.5, 0, 99), 0.8) > expect_gain(guess_errors(0.4, 0, 3), 0.8)


def test_rows_with_the_same_sentences_are_corrected_by_one_look() -> None:
    errors = guess_errors(0.5, 0, 9)
    assert expect_gain(errors, 0.8, rows=3) == 3 * expect_gain(errors, 0.8)
