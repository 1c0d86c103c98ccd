"""Precision, recall and F1 of spans compared with sets of turns, and intervals compared with the binomial."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics.span_agreement import SpanMatch, match_span, rate_spans

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


def test_an_empty_gold_span_is_refused() -> None:
    with pytest.raises(ValueError, match="turns 5 to 4"):
        match_span(1, 2, 5, 4)


def test_pooled_turns_and_macro_spans() -> None:
    rates = rate_spans([SpanMatch(9, 10, 20), SpanMatch(0, 0, 5), SpanMatch(2, 2, 2)], ["a", "b", "c"])
    assert rates is not None
    pooled, macro = rates.pooled, rates.macro
    assert (pooled.precision.value, pooled.recall.value) == pytest.approx((11 / 12, 11 / 27))
    assert pooled.f1.value == pytest.approx(22 / 39)
    assert (macro.precision.value, macro.recall.value) == pytest.approx(((0.9 + 0 + 1) / 3, (0.45 + 0 + 1) / 3))
    assert macro.f1.value == pytest.approx((18 / 30 + 0 + 1) / 3)
    assert rate_spans([], []) is None


def test_intervals_agree_with_the_binomial_over_blocks_and_are_repeatable() -> None:
    matches = [SpanMatch(place % 4 > 0, 1, 1) for place in range(400)]
    rates = rate_spans(matches, list(range(400)), seed=3)
    assert rates is not None
    assert rates == rate_spans(matches, list(range(400)), seed=3)
    half = 1.96 * (0.75 * 0.25 / 400) ** 0.5
    for measure in (rates.pooled.f1, rates.macro.recall):
        assert (measure.low, measure.value, measure.high) == pytest.approx((0.75 - half, 0.75, 0.75 + half), abs=0.006)


def test_spans_that_depend_on_each_other_widen_the_interval() -> None:
    matches = [SpanMatch(place % 40 > 9, 1, 1) for place in range(400)]
    alone = rate_spans(matches, list(range(400)))
    together = rate_spans(matches, [place // 10 for place in range(400)])
    assert alone is not None
    assert together is not None
    wide, narrow = (rates.macro.f1.high - rates.macro.f1.low for rates in (together, alone))
    assert 2.5 < wide / narrow < 4  # √10: blocks of ten equal spans


def test_lengths_must_agree() -> None:
    with pytest.raises(ValueError, match="zip"):
        rate_spans([SpanMatch(1, 1, 1)], [])
