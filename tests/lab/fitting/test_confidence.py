"""The constants of the transcripts' confidence are those that the repository fits."""

import numpy as np
import pytest

from core.alignment.windows import OFFSET, SLOPE
from core.metrics.alignment_quality import SpanMatch
from lab.fitting.confidence import TABLE, JudgedSpan, fit_by_folds, fit_curve, read_table


@pytest.mark.skipif(not TABLE.is_file(), reason="its table is derived: `make tables` makes it from FABULA_CORPORA")
def test_the_constants_in_use_are_those_fitted_on_the_table() -> None:
    judged = read_table()
    slope, offset = fit_curve(judged)
    assert (round(slope, 2), round(offset, 2)) == (SLOPE, OFFSET)
    assert len({each.episode for each in judged}) == 33


def test_a_known_curve_is_found_again() -> None:
    numbers = np.random.default_rng(0)
    expected = numbers.uniform(0.05, 0.95, 20_000)
    right = numbers.random(expected.size) < 1 / (1 + np.exp(-(1.5 * np.log(expected / (1 - expected)) - 0.5)))
    judged = [
        JudgedSpan(f"episode {place % 5}", value, SpanMatch(9 if hit else 1, 10, 10))
        for place, (value, hit) in enumerate(zip(expected, right, strict=True))
    ]
    assert fit_curve(judged) == pytest.approx((1.5, -0.5), abs=0.1)


def test_each_episode_is_judged_by_the_others() -> None:
    hit, miss = SpanMatch(10, 10, 10), SpanMatch(0, 10, 10)
    usual = [JudgedSpan(name, value, hit if value > 0.5 else miss) for name in "abc" for value in (0.2, 0.45, 0.55, 0.9) * 3]
    odd = [JudgedSpan("odd", value, miss) for value in (0.8, 0.9) * 6]
    stated = fit_by_folds([*usual, *odd])
    assert stated[-1] > 0.9  # its own chunks, all wrong, took no part
