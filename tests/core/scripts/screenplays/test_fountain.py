import pytest

from core.scripts.screenplays.fountain import read_fountain
from core.scripts.screenplays.reader import read_screenplay

TALK = "ANNA\nHello there.\n\nBEN\nHello.\n\n"
SCRIPT = f"""Title: The Cow
Author: Ada Example

INT. BARN - DAY

A cow looks up. [[cut this?]]

{TALK}@McAvoy
Hello yourself.

BEN ^
Yes.

/*
INT. ATTIC - DAY

ANNA
This was cut.
*/

.THE OLD MILL

Rain. [[a note
of two lines]] More rain.

> INTERMISSION <

~la la la

# Act two

= They go home.

===

EXT. FIELD - DAY

!SCREAMING wind.

{TALK}> CUT TO:

"""


def test_a_script_in_fountain():
    scenes = read_screenplay("x", SCRIPT)
    assert [(scene.heading, scene.strict_index) for scene in scenes] == [
        ("INT. BARN - DAY", 0), ("THE OLD MILL", 0), ("EXT. FIELD - DAY", 1)
    ]  # fmt: skip
    assert [turn.speakers for turn in scenes[0].turns] == [("ANNA",), ("BEN",), ("MCAVOY",), ("BEN",)]
    assert [scene.narration for scene in scenes] == [
        ("A cow looks up.",), ("Rain. More rain.", "INTERMISSION", "la la la"), ("SCREAMING wind.",)
    ]  # fmt: skip


@pytest.mark.parametrize("line", [".45 in hand", "@ home", "> nothing", "/* a remark */", "# 5", "Title: The Cow"])
def test_other_scripts_keep_what_looks_like_a_mark(line):
    text = f"INT. BARN - DAY\n\n{line}\n\n{TALK}"
    assert read_fountain(text) == []


def test_a_file_that_is_called_fountain_is_fountain_where_it_has_its_blank_lines():
    text = f".THE BARN\n\n{TALK}.THE FIELD\n\n{TALK}"
    assert [scene.heading for scene in read_screenplay("cow.fountain", text)] == ["THE BARN", "THE FIELD"]
    text = "INT. BARN - DAY\n\n" + "".join(f"  {name}\n\n Hello.\n\n" for name in ("ANNA", "BEN") * 4)
    assert len(read_screenplay("cow.fountain", text)[0].turns) == 8


def test_a_title_page_may_have_blank_lines_above_and_none_below():
    page = "Title: The Cow\nAuthor: Ada Example\nContact:\n    BARN ROW 5\n    Tel. 5\n"
    for titled in (page, f"{page}\n", f"\n \n{page}"):
        scenes = read_screenplay("x", f"{titled}INT. BARN - DAY\n\n{TALK}EXT. FIELD - DAY\n\n{TALK}")
        assert [(scene.heading, len(scene.turns)) for scene in scenes] == [("INT. BARN - DAY", 2), ("EXT. FIELD - DAY", 2)]


def test_scene_numbers_and_marks_of_emphasis_go():
    text = "Title: The Cow\nAuthor: Ada Example\n\nINT. BARN - DAY #0#\n\n"
    text += "ANNA\n***Yes***, **you** _are_ *so*: snake_case_x, 5 * 3 * 2.\n\n"
    scene, other = read_screenplay("x", f"{text}.THE MILL #110-A#\n\n{TALK}")
    assert (scene.heading, other.heading) == ("INT. BARN - DAY", "THE MILL")
    assert scene.turns[0].text == "Yes, you are so: snake_case_x, 5 * 3 * 2."


def test_blank_lines_tell_speech_from_action_whatever_the_lengths_of_lines():
    long = "It is late, and the lamp is gone, and I do not think that it will come back before the morning."
    speech = f"ANNA\n(to Ben)\nNo.\n[[She lies.]]\n{long}\n  \nNever \\*ever\\*.\n\nBEN (V.O.) ^\nYes.\n\n"
    head = "Title: The Cow\nCredit: by\n\nFADE IN:\n\nINT. BARN - DAY #1#\n\n"
    scenes = read_screenplay("x", f"{head}{speech * 3}> DARK <\n\nEXT. MILL - DAY #2A#\n\n{speech}")
    turn = f"No. {long} Never *ever*."
    assert [scene.heading for scene in scenes] == ["INT. BARN - DAY", "EXT. MILL - DAY"]
    assert [turn.text for scene in scenes for turn in scene.turns] == [turn, "Yes."] * 4
    assert [scene.narration for scene in scenes] == [("DARK",), ()]
