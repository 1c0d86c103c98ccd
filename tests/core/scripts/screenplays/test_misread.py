"""Headings whose INT. or EXT. was misread."""

import pytest

from core.scripts.screenplays.headings import mend_heading, strip_scene_numbers
from core.scripts.screenplays.reader import read_screenplay
from tests.core.scripts.letter import TALK

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
def test_other_lines_stay(line):
    assert mend_heading(line) == line


def test_speech_right_below_a_name_is_not_mended():
    turns = read_screenplay("x", f"{TALK}               ANNA\n     TNT. IN THE MILL.\n\n")[0].turns
    assert turns[-1].text == "TNT. IN THE MILL."
