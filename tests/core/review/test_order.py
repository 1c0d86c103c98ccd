"""Orders and sides: random, equal for equal seeds, and even."""

from core.review.order import choose_side, order_items, pair_items, shuffle_items

ITEMS = [f"row-{number}" for number in range(1000)]


def test_the_random_order_depends_on_the_seed_alone() -> None:
    assert shuffle_items(ITEMS, "anna") == shuffle_items(ITEMS[::-1], "anna") != shuffle_items(ITEMS, "ben")
    assert sorted(shuffle_items(ITEMS, "anna")) == sorted(ITEMS)
    fewer = [item for item in shuffle_items(ITEMS, "anna") if item != "row-3"]
    assert shuffle_items([item for item in ITEMS if item != "row-3"], "anna") == fewer


def test_sides_are_even_and_do_not_follow_the_order() -> None:
    first = sum(choose_side(item, "other", "anna") == 1 for item in ITEMS)
    assert 440 < first < 560
    halves = shuffle_items(ITEMS, "anna")[:500]
    assert 200 < sum(choose_side(item, "other", "anna") == 1 for item in halves) < 300


def test_pairs_stay_when_rows_are_added() -> None:
    others = [f"other-{number}" for number in range(500)]
    pairs = pair_items(ITEMS, others, "s")
    assert pairs != pair_items(ITEMS, others, "t")
    assert len(set(pairs.values())) > 250
    assert pair_items(ITEMS[::2], others[::-1], "s") == {item: pairs[item] for item in ITEMS[::2]}
    more = pair_items(ITEMS, [*others, "another"], "s")
    assert sum(more[item] != pairs[item] for item in ITEMS) < 30


def test_a_queue_is_by_worth_or_by_confidence_and_disputes_come_first() -> None:
    worth, confidence = {"a": 1.0, "b": 3.0, "c": 2.0}, {"a": 0.1, "b": 0.9, "c": None}
    assert order_items(["a", "b", "c"], "worth", "s", worth, confidence) == ["b", "c", "a"]
    assert order_items(["a", "b", "c"], "confidence", "s", worth, confidence) == ["c", "a", "b"]
    assert order_items(["a", "b", "c"], "worth", "s", worth, confidence, frozenset("a"))[0] == "a"
