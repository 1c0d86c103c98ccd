import pytest

from core.review.priority import SpanErrors, expect_f1, expect_gain, guess_errors, order_items, pair_items, shuffle_items


def test_the_gain_is_the_derivative_of_the_pooled_f1_and_nothing_for_a_sure_span() -> None:
    rows = [SpanErrors(3.0, 2.0, 10)] * 500 + [SpanErrors(1.0, 6.0, 12)] * 500
    f1 = expect_f1(rows)
    size = sum(2 * row.right + row.missed + row.false for row in rows)
    for place in (0, 999):
        row = rows[place]
        right = row.right + row.missed
        corrected = [*rows[:place], SpanErrors(0.0, 0.0, round(right)), *rows[place + 1 :]]
        assert (expect_f1(corrected) - f1) * size == pytest.approx(expect_gain(row, f1), rel=0.02)
    assert expect_gain(guess_errors(1.0, 1, 2), 0.8) == 0
    assert expect_gain(guess_errors(0.5, 0, 99), 0.8) > expect_gain(guess_errors(0.4, 0, 3), 0.8)


ITEMS = [f"row-{number}" for number in range(1000)]


def test_the_random_order_depends_on_the_seed_alone_and_pairs_stay_when_rows_are_added() -> None:
    assert shuffle_items(ITEMS, "anna") == shuffle_items(ITEMS[::-1], "anna") != shuffle_items(ITEMS, "ben")
    assert sorted(shuffle_items(ITEMS, "anna")) == sorted(ITEMS)
    fewer = [item for item in shuffle_items(ITEMS, "anna") if item != "row-3"]
    assert shuffle_items([item for item in ITEMS if item != "row-3"], "anna") == fewer
    others = [f"other-{number}" for number in range(500)]
    pairs = pair_items(ITEMS, others, "s")
    assert pairs != pair_items(ITEMS, others, "t")
    assert len(set(pairs.values())) > 250
    assert pair_items(ITEMS[::2], others[::-1], "s") == {item: pairs[item] for item in ITEMS[::2]}
    more = pair_items(ITEMS, [*others, "another"], "s")
    assert sum(more[item] != pairs[item] for item in ITEMS) < 30


def test_a_queue_is_by_worth_or_by_confidence_and_disputes_come_first() -> None:
    priority, confidence = {"a": 1.0, "b": 3.0, "c": 2.0}, {"a": 0.1, "b": 0.9, "c": None}
    assert order_items(["a", "b", "c"], "priority", "s", priority, confidence) == ["b", "c", "a"]
    assert order_items(["a", "b", "c"], "confidence", "s", priority, confidence) == ["c", "a", "b"]
    assert order_items(["a", "b", "c"], "priority", "s", priority, confidence, frozenset("a"))[0] == "a"
