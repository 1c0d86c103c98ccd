import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics.alignment_quality import IndicatorCounts, Link, count_indicators, judge_links, rate_links

N_SCENES = 5
SCENE_SETS = st.sets(st.integers(-1, N_SCENES - 1))
ROWS = st.lists(st.tuples(SCENE_SETS, SCENE_SETS), max_size=6)


def indicators(rows):
    return np.array([[scene in row for row in rows] for scene in range(N_SCENES)], bool).reshape(N_SCENES, len(rows))


@given(ROWS)
def test_measures_equal_the_equations(rows):
    ours, gold = indicators([row[0] for row in rows]), indicators([row[1] for row in rows])
    counts = count_indicators([row[0] for row in rows], [row[1] for row in rows], N_SCENES)
    both, union = (ours & gold).sum(), (ours | gold).sum()
    assert counts.accuracy == (pytest.approx((ours == gold).mean()) if rows else None)
    assert counts.iou == (pytest.approx(both / union) if union else None)
    assert counts.recall == (pytest.approx(both / gold.sum()) if gold.sum() else None)
    assert counts.precision == (pytest.approx(both / ours.sum()) if ours.sum() else None)
    if both:
        assert counts.f1 == pytest.approx(2 * counts.precision * counts.recall / (counts.precision + counts.recall))


@given(ROWS, ROWS)
def test_movies_add_up(left, right):
    def count(rows):
        return count_indicators([row[0] for row in rows], [row[1] for row in rows], N_SCENES)

    assert count(left) + count(right) == count(left + right)


def test_the_report_names_the_papers_precision_twice():
    report = IndicatorCounts(both=1, ours=2, gold=2, cells=10).report()
    assert report == pytest.approx(
        {"accuracy": 0.8, "iou": 1 / 3, "paper_precision": 1 / 3, "recall": 0.5, "precision": 0.5, "f1": 0.5}
    )


def test_links_without_a_gold_scene_are_left_out():
    links = judge_links([0, 7, 3, 4, -1], [[], [-1], [2, 3], [6, 9], [0]], 10)
    assert links == [Link(True, 0.0), Link(False, 0.2), Link(False, 0.1)]


def test_rates_over_links():
    rates = rate_links(judge_links([0, 1, 4, 9], [[0], [1], [2], [9]], 10))
    assert (rates.links, rates.hit_rate.value) == (4, 0.75)
    assert rates.distance_percent.value == pytest.approx(5.0)
    assert rates.hit_rate.low <= 0.75 <= rates.hit_rate.high
    assert rate_links([]) is None


def test_intervals_agree_with_the_binomial_and_are_repeatable():
    links = [Link(place % 4 > 0, 0.0) for place in range(400)]
    rates = rate_links(links, seed=3)
    assert rates == rate_links(links, seed=3)
    half = 1.96 * (0.75 * 0.25 / 400) ** 0.5
    assert (rates.hit_rate.low, rates.hit_rate.high) == pytest.approx((0.75 - half, 0.75 + half), abs=0.006)
    assert (rates.distance_percent.low, rates.distance_percent.high) == (0, 0)


def test_scenes_outside_the_script_are_refused():
    with pytest.raises(ValueError, match="−1 to 4"):
        count_indicators([[5]], [[1]], 5)
    with pytest.raises(ValueError, match="zip"):
        judge_links([1], [[1], [2]], 5)
