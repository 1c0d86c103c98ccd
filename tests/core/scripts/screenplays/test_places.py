"""Headings without INT and EXT in scripts whose other headings have them."""

import pytest

from core.scripts.screenplays.headings import ends_in_time, is_place
from core.scripts.screenplays.reader import read_screenplay
from tests.core.scripts.letter import TALK


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
    assert read(f"{line}\n\nFlour falls.\n\n") == ["INT. BARN - DAY", line]


@pytest.mark.parametrize("line", ["238F     MILL  -  DAY", "59A.  MILL  -  DAY", "116     MILL  -  DAY"])
def test_a_numbered_place_loses_its_number(line):
    assert read(f"{line}\n\nFlour falls.\n\n") == ["INT. BARN - DAY", "MILL  -  DAY"]


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
