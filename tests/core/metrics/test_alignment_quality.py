import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics.alignment_quality import Link, SpanMatch, count_indicators, judge_links, match_span, rate_links, rate_spans

N_SCENES = 5
SCENE_SETS = st.sets(st.integers(-1, N_SCENES - 1))
ROWS = st.lists(st.tuples(SCENE_SETS, SCENE_SETS), max_size=6)


def indicators(rows):
    return np.array([[scene in row for row in rows] for scene in range(N_SCENES)], bool).reshape(N_SCENES, len(rows))


@given(ROWS)
def test_measures_equal_the_equations(rows):
    ours, gold = indicators([row[0] for row in rows]), indicators([row[1] for row in rows])
    found = count_indicators([row[0] for row in rows], [row[1] for row in rows], N_SCENES).report()
    both, union = (ours & gold).sum(), (ours | gold).sum()
    assert found["accuracy"] == (pytest.approx((ours == gold).mean()) if rows else None)
    assert found["iou"] == (pytest.approx(both / union) if union else None)
    assert found["recall"] == (pytest.approx(both / gold.sum()) if gold.sum() else None)
    assert found["precision"] == (pytest.approx(both / ours.sum()) if ours.sum() else None)
    if both:
        assert found["f1"] == pytest.approx(2 * found["precision"] * found["recall"] / (found["precision"] + found["recall"]))


def test_links_have_rates_over_those_with_a_gold_scene_and_scenes_outside_the_script_are_refused():
    links = judge_links([0, 7, 3, 4, -1], [[], [-1], [2, 3], [6, 9], [0]], 10)
    assert links == [Link(True, 0.0), Link(False, 0.2), Link(False, 0.1)]
    rates = rate_links(judge_links([0, 1, 4, 9], [[0], [1], [2], [9]], 10))
    assert (rates.links, rates.hit_rate.value) == (4, 0.75)
    assert rates.distance_percent.value == pytest.approx(5.0)
    assert rates.hit_rate.low <= 0.75 <= rates.hit_rate.high
    assert rate_links([]) is None
    with pytest.raises(ValueError, match="−1 to 4"):
        count_indicators([[5]], [[1]], 5)
    with pytest.raises(ValueError, match="zip"):
        judge_links([1], [[1], [2]], 5)


SPANS = st.tuples(st.integers(0, 12), st.integers(0, 6)).map(lambda pair: (pair[0], sum(pair)))


@given(st.one_of(st.none(), SPANS), SPANS)
def test_a_match_counts_the_turns_of_both(span: tuple[int, int] | None, gold: tuple[int, int]) -> None:
    ours = set(range(span[0], span[1] + 1)) if span else set()
    theirs = set(range(gold[0], gold[1] + 1))
    match = match_span(*(span or (None, None)), *gold)
    assert match == SpanMatch(len(ours & theirs), len(ours), len(theirs))
    assert match.recall == pytest.approx(len(ours & theirs) / len(theirs))
    assert match.precision == pytest.approx(len(ours & theirs) / len(ours) if ours else 0)
    if ours & theirs:
        assert match.f1 == pytest.approx(2 * match.precision * match.recall / (match.precision + match.recall))


def test_pooled_turns_and_macro_spans() -> None:
    rates = rate_spans([SpanMatch(9, 10, 20), SpanMatch(0, 0, 5), SpanMatch(2, 2, 2)], ["a", "b", "c"])
    pooled, macro = rates.pooled, rates.macro
    assert (pooled.precision.value, pooled.recall.value) == pytest.approx((11 / 12, 11 / 27))
    assert pooled.f1.value == pytest.approx(22 / 39)
    assert (macro.precision.value, macro.recall.value) == pytest.approx(((0.9 + 0 + 1) / 3, (0.45 + 0 + 1) / 3))
    assert macro.f1.value == pytest.approx((18 / 30 + 0 + 1) / 3)
    assert rate_spans([], []) is None


def test_intervals_agree_with_the_binomial_and_widen_where_spans_depend_on_each_other() -> None:
    matches = [SpanMatch(place % 4 > 0, 1, 1) for place in range(400)]
    rates = rate_spans(matches, list(range(400)), seed=3)
    assert rates == rate_spans(matches, list(range(400)), seed=3)
    half = 1.96 * (0.75 * 0.25 / 400) ** 0.5
    for measure in (rates.pooled.f1, rates.macro.recall):
        assert (measure.low, measure.value, measure.high) == pytest.approx((0.75 - half, 0.75, 0.75 + half), abs=0.006)
    matches = [SpanMatch(place % 40 > 9, 1, 1) for place in range(400)]
    alone = rate_spans(matches, list(range(400)))
    together = rate_spans(matches, [place // 10 for place in range(400)])
    wide, narrow = (rates.macro.f1.high - rates.macro.f1.low for rates in (together, alone))
    assert 2.5 < wide / narrow < 4  # √10: blocks of ten equal spans
