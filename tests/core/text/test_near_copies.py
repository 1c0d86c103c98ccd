from core.text.near_copies import ReleasedText, count_leaks

TALE = "The crew rows past the lighthouse, finds the old bell under the sand, and carries it home before the tide comes in."
OTHER = "A merchant sells three lamps to the widow, who asks for nothing but oil and the name of the man who made them."


def count(*rows: tuple[str, str, str]) -> tuple[dict[str, int], dict[str, int]]:
    found = count_leaks(ReleasedText(*row) for row in rows)
    assert found["compared"] == len(rows)
    return found["exact_copies"], found["near_copies"]


def test_copies_in_another_split_count_on_both_sides_and_near_ones_are_not_exact() -> None:
    exact, near = count(("train", "plot", TALE), ("test", "recap", TALE), ("test", "plot", OTHER))
    assert exact == near == {"plot": 1, "recap": 1, "all": 2}
    assert count(("train", "plot", TALE), ("train", "plot", TALE)) == ({"plot": 0, "all": 0},) * 2
    exact, near = count(("train", "plot", TALE), ("validation", "plot", TALE.replace("home", "away")))
    assert (exact["all"], near["all"]) == (0, 2)
