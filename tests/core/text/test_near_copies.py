"""Copies between splits: exact ones, near ones, and what is none."""

from core.text.near_copies import ReleasedText, count_leaks

TALE = "The crew rows past the lighthouse, finds the old bell under the sand, and carries it home before the tide comes in."
OTHER = "A merchant sells three lamps to the widow, who asks for nothing but oil and the name of the man who made them."


def count(*rows: tuple[str, str, str]) -> tuple[dict[str, int], dict[str, int]]:
    found = count_leaks(ReleasedText(*row) for row in rows)
    assert found["compared"] == len(rows)
    return found["exact_copies"], found["near_copies"]


def test_a_copy_in_another_split_counts_on_both_sides() -> None:
    exact, near = count(("train", "plot", TALE), ("test", "recap", TALE), ("test", "plot", OTHER))
    assert exact == near == {"plot": 1, "recap": 1, "all": 2}


def test_a_copy_in_the_same_split_is_no_leak() -> None:
    assert count(("train", "plot", TALE), ("train", "plot", TALE)) == ({"plot": 0, "all": 0},) * 2


def test_a_summary_with_a_few_other_words_is_a_near_copy_and_no_exact_one() -> None:
    exact, near = count(("train", "plot", TALE), ("validation", "plot", TALE.replace("home", "away")))
    assert (exact["all"], near["all"]) == (0, 2)
