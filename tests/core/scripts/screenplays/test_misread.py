"""Headings whose INT. or EXT. was misread or mistyped."""

import pytest

from core.scripts.screenplays.headings import mend_heading, strip_scene_numbers
from core.scripts.screenplays.layout import ScreenplayConfig
from core.scripts.screenplays.reader import read_screenplay

TALK = (
    "INT. BARN - DAY\n\nA cow looks up.\n\n" + "               ANNA\n     Hello there.\n\n               BEN\n     Hello.\n\n" * 5
)


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("lNT. MILL", "INT. MILL"),
        ("1NT. MILL", "INT. MILL"),
        ("!NT. MILL", "INT. MILL"),
        ("iNT. MILL- SAME", "INT. MILL- SAME"),
        ("IINT. MILL - NIGHT", "INT. MILL - NIGHT"),
        ("TNT. MILL", "INT. MILL"),
        ("25 TNT. MILL - DUSK. 25", "25 INT. MILL - DUSK. 25"),
        ("78 TNT/EXT. CARRIAGE - DAY. 78", "78 INT/EXT. CARRIAGE - DAY. 78"),
        ("EX7. MILL", "EXT. MILL"),
        ("87     EXT'. SAME MILL - LATER", "87     EXT. SAME MILL - LATER"),
        ("B.     EXT'. MILL - NIGHT", "B.     EXT. MILL - NIGHT"),
        ("NT. ANNA'S MILL - DAY 76", "INT. ANNA'S MILL - DAY 76"),
        ("IT. MILL - DAY", "INT. MILL - DAY"),
        ("ET.  MILL - DAY", "EXT.  MILL - DAY"),
        ("EDT. MILL - DAY", "EXT. MILL - DAY"),
        ("IN.ANNA'S MILL - LATE NIGHT", "INT. ANNA'S MILL - LATE NIGHT"),
        ("15A-17 OMITTEDINT. MILL", "INT. MILL"),
    ],
)
def test_a_misread_heading_is_mended(line, heading):
    assert mend_heading(line) == heading
    text = f"{TALK}{line}\n\nFlour falls.\n\n"
    opened = read_screenplay("x", text)[-1]
    assert opened.heading == strip_scene_numbers(heading)
    assert (opened.narration, opened.strict_index) == (("Flour falls.",), 0)
    assert len(read_screenplay("x", text, ScreenplayConfig(as_published=True))) == 1


@pytest.mark.parametrize(
    "line",
    ["INT. MILL", "EXT. MILL - DAY", "EST. MILL - DAWN", "IT. IS. HERE.", "GO IN. NOW - NIGHT", "TNT. LOTS OF IT!",
     "TNT. lots of it", "ET. CALL HOME", "IN. MILL", "EXTRA. DAY", "POINT. BLANK - DAY", "OMITTED", "12 OMITTED INT. MILL"],
)  # fmt: skip
def test_other_lines_stay(line):
    assert mend_heading(line) == line


def test_a_misread_heading_on_the_first_line_is_mended():
    assert [scene.heading for scene in read_screenplay("x", f"lNT. MILL - DAY\n\nFlour falls.\n\n{TALK}")] == [
        "INT. MILL - DAY",
        "INT. BARN - DAY",
    ]


def test_speech_right_below_a_name_is_not_mended():
    turns = read_screenplay("x", f"{TALK}               ANNA\n     TNT. IN THE MILL.\n\n")[0].turns
    assert turns[-1].text == "TNT. IN THE MILL."
