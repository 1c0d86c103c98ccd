"""The bootstrap: intervals that hold what they promise, and paired differences."""

import numpy as np
import pytest

from lab.summarisation.board.bootstrap import resample

UNITS = [f"u{place // 10}" for place in range(200)]


def test_the_interval_covers_the_true_mean_about_as_often_as_it_says() -> None:
    generator = np.random.default_rng(1)
    hits = 0
    for trial in range(100):
        of_unit = generator.normal(size=20)  # rows of a unit share most of their value
        values = np.repeat(of_unit, 10) + 0.1 * generator.normal(size=200)
        found = resample(UNITS, 400, seed=trial).estimate(values)
        hits += found.low <= 0.0 <= found.high
    assert 0.87 <= hits / 100 <= 0.99


def test_rows_of_a_unit_are_drawn_together() -> None:
    values = np.repeat(np.arange(20.0), 10)
    by_unit, by_row = resample(UNITS), resample([str(place) for place in range(200)])
    first, second = by_unit.estimate(values), by_row.estimate(values)
    assert by_unit.drawn == by_row.drawn == "units"
    assert first.value == second.value == values.mean()
    assert first.high - first.low > 2.5 * (second.high - second.low)


def test_with_few_units_rows_are_drawn() -> None:
    draws = resample(["a"] * 30)
    assert draws.drawn == "rows"
    found = draws.estimate(np.arange(30.0))
    assert found.low < found.value < found.high


def test_a_difference_is_paired() -> None:
    generator = np.random.default_rng(2)
    base = generator.normal(size=200)
    better = base + 0.1 + 0.05 * generator.normal(size=200)
    found = resample(UNITS).compare(better, base)
    assert found.low > 0
    assert found.p < 0.01
    assert resample(UNITS).compare(base + 0.01 * generator.normal(size=200), base).p > 0.05
    assert resample(UNITS).compare(base, better).value == -found.value


@pytest.mark.parametrize(("rows", "least"), [(1, 1.0), (3, 0.25), (5, 0.0625), (6, 0.03125), (30, 0.001)])
def test_few_rows_cannot_show_a_difference(rows: int, least: float) -> None:
    values = np.linspace(0.1, 0.2, rows)
    assert resample(["a"] * rows).compare(values + 1, values).p == pytest.approx(least)


def test_rows_without_a_value_do_not_count() -> None:
    values = np.array([1.0, np.nan, 3.0] * 50)
    found = resample([str(place) for place in range(150)]).estimate(values)
    assert (found.value, found.rows) == (2.0, 100)
    assert resample(["a", "b"]).estimate(np.array([np.nan, np.nan])) is None
    assert resample(["a", "b"]).compare(np.array([np.nan, 1.0]), np.array([1.0, np.nan])) is None
