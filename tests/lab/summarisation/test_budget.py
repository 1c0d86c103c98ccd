"""Which units a budget has room for."""

from hypothesis import given
from hypothesis import strategies as st

from lab.summarisation.dialogue import Budget, fit_budget


def test_units_are_taken_in_the_order_of_the_ranking_and_returned_in_that_of_the_dialogue() -> None:
    assert Budget(unit="sentence", tokens=10).choose([3, 0, 1, 2], [4, 9, 9, 5]) == (0, 3)


def test_the_last_unit_is_taken_if_half_of_it_has_room_and_units_without_words_never() -> None:
    assert Budget(unit="sentence", tokens=10).choose([0, 1], [5, 10]) == (0, 1)
    assert Budget(unit="sentence", tokens=10).choose([0, 1], [5, 11]) == (0,)
    assert Budget(unit="turn", tokens=3).choose([0, 1, 2], [0, 50, 1]) == (1,)
    assert Budget(unit="turn", tokens=3).choose([0], [0]) == ()


def test_a_count_holds_whatever_the_length() -> None:
    assert Budget(unit="sentence", tokens=0, count=2).choose([2, 1, 0], [100, 100, 100]) == (1, 2)


@given(st.lists(st.integers(1, 20), min_size=1, max_size=40), st.integers(1, 60))
def test_a_selection_is_never_longer_than_the_budget_and_half_a_unit(lengths: list[int], tokens: int) -> None:
    chosen = Budget(unit="sentence", tokens=tokens).choose(range(len(lengths)), lengths)
    assert sum(lengths[place] for place in chosen) <= max(tokens + max(lengths) / 2, lengths[0])


def test_the_length_is_the_mean_of_the_train_split_unless_it_is_stated() -> None:
    assert fit_budget(Budget(), ["one two three.", "one."]) == Budget(unit="sentence", tokens=2)
    assert fit_budget(Budget(), [], otherwise=7).tokens == 7
    assert fit_budget(Budget(tokens=12, unit="turn"), ["one"]) == Budget(unit="turn", tokens=12)
    assert fit_budget(Budget(count=6), ["one"]).count == 6
