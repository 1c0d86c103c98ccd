import pytest

from core.review.agreement import (
    compare_items,
    differ_as_numbers,
    differ_nominally,
    measure_agreement,
    measure_alpha,
    measure_position_bias,
    rate_items,
    score_answer,
)
from core.review.judgements import Answer, Judgement


def judge(
    item: str, answer: Answer, question: str = "interactions", annotator: str = "a", position: int | None = None
) -> Judgement:
    other = "b" if question == "naturalness" else None
    stated = {"dataset": "threads", "version": "1", "at": "2026-11-22T18:40:00+00:00"}
    return Judgement(item=item, question=question, answer=answer, annotator=annotator, position=position, other=other, **stated)


@pytest.mark.parametrize(
    ("good", "score"), [([False], 1), ([True, False, False, False], 2), ([True] * 7 + [False], 4.5), ([True], 5)]
)
def test_the_continuous_score_of_table_4_2(good: list[bool], score: float) -> None:
    assert score_answer(tuple(good)) == score


def test_items_count_alike_and_comparisons_are_turned_to_the_side_of_the_item() -> None:
    rated = rate_items([judge("a", (True,)), judge("a", (False,), annotator="c"), judge("b", (True,))])
    assert (rated.items, rated.score.value) == (2, 4.0)
    assert (rated.score.low, rated.score.high) == (3.0, 5.0)
    assert rate_items([]) is None
    assert rate_items([judge("a", 2, "sense")]).score.value == 2  # type: ignore[union-attr]
    with pytest.raises(ValueError, match="interactions or a level"):
        rate_items([judge("a", True, "is_room")])
    answers = [judge(str(place), level, "naturalness", position=place) for place, level in ((1, 5), (2, 1), (1, 3), (2, 4))]
    found = compare_items(answers)
    assert found.levels == (0, 1, 1, 0, 2)
    assert (found.worse, found.same, found.better) == (0.25, 0.25, 0.5)
    assert compare_items([]) is None


def test_exact_and_rough_agreement() -> None:
    pairs = [(4, 4), (4, 5), (2, 4), (3, 3)]
    answers = [
        judge(str(place), level, "naturalness", annotator, 1)
        for place, levels in enumerate(pairs)
        for annotator, level in zip("ac", levels, strict=True)
    ]
    found = measure_agreement(answers)
    assert (found.pairs, found.exact, found.rough) == (4, 0.5, 0.75)
    shown_otherwise = [judge("x", 5, "naturalness", "a", 1), judge("x", 1, "naturalness", "c", 2)]
    assert measure_agreement(shown_otherwise).exact == 1  # type: ignore[union-attr]
    lists = [judge("y", (True, True, False)), judge("y", (True, False, False), annotator="c")]
    assert (measure_agreement(lists).exact, measure_agreement(lists).rough) == (0, 1)  # type: ignore[union-attr]
    assert measure_agreement([judge("y", (True,)), judge("y", (True,))]) is None  # one annotator twice


def test_annotators_who_always_prefer_the_first_are_found_out_and_a_better_item_is_no_bias() -> None:
    """The thesis's crowd: whatever was shown first was preferred."""
    biased = [judge(str(place), 5, "naturalness", position=1 + place % 2) for place in range(40)]
    found = measure_position_bias(biased)
    assert (found.first, found.second, found.preferred_first, found.preferred_second) == (20, 20, 1.0, 0.0)
    assert found.p_value < 1e-6
    better = [judge(str(place), 5 if place % 2 == 0 else 1, "naturalness", position=1 + place % 2) for place in range(40)]
    assert measure_position_bias(better).p_value == pytest.approx(1)  # type: ignore[union-attr]
    one_place = measure_position_bias([judge(str(place), 5, "naturalness", position=1) for place in range(4)])
    assert (one_place.preferred_second, one_place.p_value) == (None, pytest.approx(0.125))
    assert measure_position_bias([judge("a", 3, "naturalness", position=1)]) is None


def read_units(*annotators: str) -> list[list[int]]:
    """Return the answers by unit; a point is a missing one."""
    rows = [told.split() for told in annotators]
    return [[int(row[place]) for row in rows if row[place] != "."] for place in range(len(rows[0]))]


BINARY = read_units("0 1 0 0 0 0 0 0 1 0", "1 1 1 0 0 1 0 0 0 0")
LETTERS = [list(pair) for pair in zip("aabbdcccedda", "babbbccceddd", strict=True)]
FOUR = read_units("1 2 3 3 2 1 4 1 2 . . .", "1 2 3 3 2 2 4 1 2 5 . 3", ". 3 3 3 2 3 4 2 2 5 1 .", "1 2 3 3 2 4 4 1 2 5 1 .")


def test_alpha_of_two_and_four_annotators_as_in_sections_a_to_d() -> None:
    assert measure_alpha(BINARY, differ_nominally) == pytest.approx(0.095, abs=0.0005)
    assert measure_alpha(LETTERS, differ_nominally) == pytest.approx(0.692, abs=0.0005)
    assert measure_alpha(FOUR, differ_nominally) == pytest.approx(0.743, abs=0.0005)
    assert measure_alpha(FOUR, differ_as_numbers) == pytest.approx(0.849, abs=0.0005)
    assert measure_alpha([[1, 1], [2, 2]], differ_nominally) == 1
    for alike in ([[1, 1], [1, 1]], [[1, 2], [3]]):
        assert measure_alpha(alike, differ_nominally) is None
