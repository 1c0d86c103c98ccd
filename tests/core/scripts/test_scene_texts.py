from core.dialogue import Turn
from core.scripts.scene_texts import clauses, gather, spoken_lines, story_lines, without_asides
from core.scripts.scenes import Scene
from core.text.sentences import split_by_rules

SCENES = (
    Scene(0, 0, "", (Turn(0, ("ADA",), ("Row! Row home.",), "ADA", "Row! Row home."),), ("Rain falls. She waits.",)),
    Scene(1, 1, "EXT. SEA", (), ()),
)


def test_lines_of_each_scene() -> None:
    assert spoken_lines(SCENES, split_by_rules).texts == ("Row!", "Row home.")
    story = story_lines(SCENES, split_by_rules)
    assert story.texts == ("Row!", "Row home.", "Rain falls.", "She waits.")
    assert story.bounds.tolist() == [0, 4, 4]
    assert gather([]).bounds.tolist() == [0]


def test_every_sentence_has_a_clause() -> None:
    parts = clauses(["Ada (An Actor) rows to the island, and Tobias burns the letter.", "Tobias leaves.", "And so; but"])
    assert parts.texts == ("Ada rows to the island", "Tobias burns the letter.", "Tobias leaves.", "And so; but")
    assert parts.bounds.tolist() == [0, 2, 3, 4]


def test_asides_are_removed() -> None:
    assert without_asides("Ada (An Actor) rows [home].") == "Ada rows."
    assert without_asides("(All of it)") == "(All of it)"
