"""The agreement of two readers, and the figures over films with their intervals."""

import numpy as np
import pytest

from lab.quality.read_films import compare_readings, compare_second_readings, draw_over_films
from lab.readings.films import read_readings


def test_readers_who_say_the_same_agree_wholly() -> None:
    read = [(0,), (1, 2), ()]
    same = compare_readings(read, read, 4)
    assert (same.equal, same.overlapping, same.f1, same.alpha) == (1.0, 1.0, 1.0, 1.0)


def test_a_scene_more_or_less_is_half_an_agreement() -> None:
    found = compare_readings([(0,), (1, 2), (3,), ()], [(0,), (1,), (2,), (0,)], 4)
    assert (found.sentences, found.equal, found.overlapping) == (4, 0.25, 0.5)
    assert found.f1 == pytest.approx(2 * 2 / 8)
    # By hand: 4 of 16 cells differ, and 8 of 32 values are marked: 1 − (8 / 32) / (2 · 8 · 24 / (32 · 31)).
    assert found.alpha == pytest.approx(1 - 0.25 / (2 * 8 * 24 / (32 * 31)))


def test_two_films_were_read_twice() -> None:
    agreements = compare_second_readings()
    once = read_readings()
    assert {film: found.sentences for film, found in agreements.items()} == {
        film: len(once[film][1]) for film in ("jaws-film", "the-truman-show")
    }
    assert all(found.f1 > 0.8 for found in agreements.values())


def test_the_interval_of_films_that_are_alike_is_narrow() -> None:
    rates = np.array([0.5, 0.5, 0.5])
    assert draw_over_films(3, lambda places: float(rates[places].mean())) == (0.5, 0.5, 0.5)
    value, low, high = draw_over_films(3, lambda places: float(np.array([0.0, 0.5, 1.0])[places].mean()))
    assert (value, low, high) == (0.5, 0.0, 1.0)
