import pytest

from core.rooms.config import CopyConfig
from core.rooms.writing import find_near_copies, measure_writing

TRAINING = ["You enter a low hall with seven pillars and a floor of cracked green tiles.", "The room is empty but for a chair."]


def test_a_copy_a_near_copy_and_a_shared_run_are_found_and_new_text_is_not() -> None:
    texts = [
        "THE ROOM IS EMPTY, but for a chair!",
        "You enter a low hall with seven pillars and a floor of cracked blue tiles.",
        "Behind the curtain a low hall with seven pillars and a floor begins, and nobody has swept it for years or dared to.",
        "The door is made of glass.",
    ]
    found = find_near_copies(texts, TRAINING, CopyConfig(near=0.7))
    assert [None if copy is None else copy.original for copy in found] == [TRAINING[1], TRAINING[0], TRAINING[0], None]
    assert found[0].share == 1.0


def test_novelty_repetition_and_variety() -> None:
    copied = measure_writing([TRAINING[1]], TRAINING)
    assert (copied["novelty"], copied["repetition"]) == (0.0, 0.0)
    looped = measure_writing(["the door and the door and the door and the door"], TRAINING)
    assert looped["novelty"] == 1.0
    assert looped["repetition"] == pytest.approx(5 / 8)
    assert looped["distinct"] == pytest.approx([3 / 11, 3 / 10, 3 / 9])
    assert measure_writing([], TRAINING) is None
