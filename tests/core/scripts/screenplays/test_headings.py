import re

import pytest

from core.scripts.screenplays import headings


@pytest.mark.parametrize(
    ("body", "shot"),
    [("23THE OUTER OFFICE23", "THE OUTER OFFICE"), ("5   CLOSE - ANNA   5", "CLOSE - ANNA"), ("12A BOAT #2 12A", "BOAT #2")],
)
def test_shots_with_their_numbers_on_both_sides(body, shot):
    assert headings.is_numbered_shot(body)
    assert headings.strip_shot_numbers(body) == shot


def test_a_heading_loses_its_numbers_and_keeps_those_that_are_told():
    numbered = """INT. BARN - DAY | 35a INT. BARN - DAY 35a | 107-A   INT. BARN - DAY       107-A | lO7     INT. BARN - DAY
        12INT. BARN - DAY12 | 19.34   INT. BARN - DAY | INT. BARN - DAY    12 *"""
    assert {headings.strip_scene_numbers(heading.strip()) for heading in re.split(r"[|\n]", numbered)} == {"INT. BARN - DAY"}
    assert headings.strip_scene_numbers("36     FLASHBACK - INT. BARN") == "FLASHBACK - INT. BARN"
    for told in ("INT. ROOM 301", "1945 - INT. BARN", "EXT. BARN - APRIL   3RD", "INT. BARN, 5"):
        assert headings.strip_scene_numbers(told) == told


def test_numbers_one_space_behind_the_headings_are_the_scenes_if_they_go_up():
    numbered = [f"INT. BARN - DAY {number}" for number in range(1, 20)]
    assert headings.are_numbered_behind(numbered)
    assert headings.strip_scene_numbers(numbered[4], numbered=True) == "INT. BARN - DAY"
    assert headings.strip_scene_numbers("INT. BARN - DAY", numbered=True) == "INT. BARN - DAY"
    assert not headings.are_numbered_behind(["INT. ROOM 301"] * 20)
    assert not headings.are_numbered_behind([*numbered[:9], *["INT. BARN"] * 20])
    assert not headings.are_numbered_behind(numbered[:5])
