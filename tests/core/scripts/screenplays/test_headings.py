import re

import pytest

from core.scripts.screenplays import headings
from core.scripts.screenplays.headings import ends_in_time, is_place, mend_heading, strip_scene_numbers
from core.scripts.screenplays.reader import read_screenplay
from tests.core.scripts.letter import TALK


def test_a_heading_loses_its_numbers_and_keeps_those_that_are_told():
    numbered = """INT. BARN - DAY | 35a INT. BARN - DAY 35a | 107-A   INT. BARN - DAY       107-A | lO7     INT. BARN - DAY
        12INT. BARN - DAY12 | 19.34   INT. BARN - DAY | INT. BARN - DAY    12 *"""
    assert {headings.strip_scene_numbers(heading.strip()) for heading in re.split(r"[|\n]", numbered)} == {"INT. BARN - DAY"}
    assert headings.strip_scene_numbers("36     FLASHBACK - INT. BARN") == "FLASHBACK - INT. BARN"
    for told in ("INT. ROOM 301", "1945 - INT. BARN", "EXT. BARN - APRIL   3RD", "INT. BARN, 5"):
        assert headings.strip_scene_numbers(told) == told
    numbered = [f"INT. BARN - DAY {number}" for number in range(1, 20)]
    assert headings.are_numbered_behind(numbered)
    assert headings.strip_scene_numbers(numbered[4], numbered=True) == "INT. BARN - DAY"
    assert headings.strip_scene_numbers("INT. BARN - DAY", numbered=True) == "INT. BARN - DAY"
    assert not headings.are_numbered_behind(["INT. ROOM 301"] * 20)
    assert not headings.are_numbered_behind([*numbered[:9], *["INT. BARN"] * 20])
    assert not headings.are_numbered_behind(numbered[:5])


MISREAD = {
    "INT. MILL": "lNT. MILL | 1NT. MILL | !NT. MILL | TNT. MILL | 15A-17 OMITTEDINT. MILL",
    "INT. MILL- SAME": "iNT. MILL- SAME",
    "INT. MILL - NIGHT": "IINT. MILL - NIGHT",
    "25 INT. MILL - DUSK. 25": "25 TNT. MILL - DUSK. 25",
    "78 INT/EXT. CARRIAGE - DAY. 78": "78 TNT/EXT. CARRIAGE - DAY. 78",
    "EXT. MILL": "EX7. MILL",
    "87     EXT. SAME MILL - LATER": "87     EXT'. SAME MILL - LATER",
    "B.     EXT. MILL - NIGHT": "B.     EXT'. MILL - NIGHT",
}


@pytest.mark.parametrize("heading", MISREAD)
def test_a_misread_heading_is_mended(heading):
    for line in MISREAD[heading].split(" | "):
        assert mend_heading(line) == heading
        text = f"{TALK}{line}\n\nFlour falls.\n\n"
        opened = read_screenplay("x", text)[-1]
        assert (opened.heading, opened.narration, opened.strict_index) == (strip_scene_numbers(heading), ("Flour falls.",), 0)


@pytest.mark.parametrize(
    "line",
    ["INT. MILL", "EXT. MILL - DAY", "EST. MILL - DAWN", "IT. IS. HERE.", "GO IN. NOW - NIGHT", "TNT. LOTS OF IT!",
     "TNT. lots of it", "ET. CALL HOME", "IN. MILL", "EXTRA. DAY", "POINT. BLANK - DAY", "OMITTED", "12 OMITTED INT. MILL"],
)  # fmt: skip
def test_other_lines_and_speech_stay(line):
    assert mend_heading(line) == line
    turns = read_screenplay("x", f"{TALK}               ANNA\n     TNT. IN THE MILL.\n\n")[0].turns
    assert turns[-1].text == "TNT. IN THE MILL."


def read(text):
    return [scene.heading for scene in read_screenplay("x", TALK + text)]


@pytest.mark.parametrize(
    "line",
    ["MILL - DAY", "THE HARBOUR - FISH MARKET - LATE AFTERNOON", "A MILL - A WET, FALL DAY", "MILL -EVENING", "MILL --NIGHT",
     "MILL - SEVERAL DAYS LATER", "MILL - DAY FOR NIGHT", "HALLWAY - DAY- CONTINUOUS", "TRAIN - (STOCK) - NIGHT",
     "OUTSIDE THE MILL - DAWN", "THE MILL - NIGHT (RAIN)", "MILL - MOMENTS LATER.", "THE MILL - LATER THAT DAY",
     "ANNA'S ROOM - SAME TIME"],
)  # fmt: skip
def test_a_place_with_a_time_of_day_is_a_heading(line):
    assert is_place(line)
    for number in ("", "238F     ", "59A.  "):
        assert read(f"{number}{line}\n\nFlour falls.\n\n") == ["INT. BARN - DAY", line]


@pytest.mark.parametrize(
    "line",
    ["THE MILL", "CLOSE SHOT - ANNA", "ANNA'S POV - NIGHT", "AERIAL SHOT - DAY", "TIME CUT - LATER", "SAME - HOURS LATER",
     "FADE IN - WEEKS LATER", "ALL-NIGHT MILL", "TEN MINUTES LATER --", "IT IS NIGHT.", "THREE YEARS LATER", "FORGET.   ONE DAY",
     "SEAPLANE LANDING) - TWILIGHT", "NOT ONE MORE - TONIGHT", "The mill - DAY", "SUPERIMPOSE:   THREE MONTHS LATER", "- NIGHT"],
)  # fmt: skip
def test_shots_titles_and_other_places_are_no_headings(line):
    assert not is_place(line)
    assert read(f"{line}\n\nFlour falls.\n\n") == ["INT. BARN - DAY"]


@pytest.mark.parametrize(
    "text",
    ["Ben nods.\nMILL - DAY\n\n", "     MILL - DAY\n\n",
     "EXT. THE OLD MILL, MEDIUM SHOT -\n\nANNA - NIGHT\n\n", "               BEN\n     MILL - DAY\n\n"],
    ids=["below-a-line", "in-another-column", "rest-of-a-heading", "said"],
)  # fmt: skip
def test_a_place_elsewhere_than_headings_stand_is_none(text):
    assert not any(heading.endswith(("MILL - DAY", "ANNA - NIGHT")) for heading in read(f"{text}Flour falls.\n\n"))


@pytest.mark.parametrize("line", ["A - " * 30, "A   " * 30, "A- B " * 23 + "DAYS", "A " + "B, " * 35 + "DAYS"])
def test_lines_that_repeat_are_judged_quickly(line):
    assert not ends_in_time(line)
