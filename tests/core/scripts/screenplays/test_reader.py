"""Reads one invented story in every layout found on the web, and hostile and unusable scripts."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SourceError
from core.scripts.screenplays.headings import STRICT_TOKENS
from core.scripts.screenplays.layout import ScreenplayConfig
from core.scripts.screenplays.reader import read_screenplay

GOLDEN = Path(__file__).parent / "golden"
LAYOUTS = sorted(path.stem for path in GOLDEN.glob("*.txt"))
SCRIPT = "INT. BARN - DAY\n\nA cow looks up.\n\n" + "ANNA\nHello.\n\nBEN\nHello yourself.\n\n" * 4


def told(scenes):
    """Return the scenes in the golden file's form, without numbers around headings."""
    return [
        {
            "heading": re.sub(r"^\d+\s+|\s+\d+$|</?b>", "", scene.heading).strip(),
            "turns": [[list(turn.speakers), turn.text] for turn in scene.turns],
            "narration": list(scene.narration),
        }
        for scene in scenes
    ]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_gives_the_same_story(layout):
    expected = json.loads((GOLDEN / "expected.json").read_text(encoding="utf-8"))
    scenes = read_screenplay(layout, (GOLDEN / f"{layout}.txt").read_text(encoding="utf-8"))
    found = told(scenes)
    if layout == "colons":  # this layout has action in capitals
        for scene in expected:
            scene["narration"] = [paragraph.upper() for paragraph in scene["narration"]]
    assert found == expected
    assert [scene.index for scene in scenes] == list(range(4))
    assert [turn.number for scene in scenes for turn in scene.turns] == list(range(14))


def test_a_spoken_number_is_not_a_page_number_and_speech_goes_on_over_a_page_break():
    scene = "INT. BARN - DAY\n\nA cow.\n\n          ANNA\n     In what year?\n\n          BEN\n     1945.\n\n"
    assert [turn.text for scene in read_screenplay("x", scene * 5) for turn in scene.turns] == ["In what year?", "1945."] * 5
    text = SCRIPT + "ANNA\nI was going to\n(MORE)\n\n12.\n\nANNA (CONT'D)\nsay something.\n\n"
    assert read_screenplay("x", text)[0].turns[-1].text == "I was going to say something."


def test_a_transcript_of_a_show():
    text = "[Scene: The barn, a cow looks up.]\n\nAnna: Hello.\n\nBen: (to her) Hello yourself.\n\n(They stare.)\n\n"
    scenes = read_screenplay("x", "The One with the Cow\n\n" + text * 3 + "Anna and Ben: Moo!\nNote: the cow.\n")
    assert [scene.heading for scene in scenes] == ["[Scene: The barn, a cow looks up.]"] * 3
    assert [turn.speakers for turn in scenes[2].turns] == [("ANNA",), ("BEN",), ("ANNA", "BEN")]
    assert scenes[0].turns[1].text == "Hello yourself."
    assert scenes[0].turns[1].raw_label == "Ben:"
    assert {scene.strict_index for scene in scenes} == {-1}


@pytest.mark.parametrize(
    ("heading", "beside_others"),
    [("SCENE {}", 0), ("Scene {} - The barn", 0), ("BARN {}, NIGHT", 0), ("{}. BARN - NIGHT", 4), ("BARN {} - LATER", 4)],
)
def test_headings_without_int_or_ext_count_if_there_are_no_others_or_with_a_time_of_day(heading, beside_others):
    text = "".join(f"{heading.format(number)}\n\nA cow looks up.\n\nANNA\nHello.\n\n" for number in range(1, 5))
    assert [len(scene.turns) for scene in read_screenplay("x", text)] == [1] * 4
    others = read_screenplay("x", text + "INT. BARN\n\nANNA\nHello.\n")
    assert sum(scene.heading not in ("", "INT. BARN") for scene in others) == beside_others


def test_headings_of_the_wider_rule_share_the_strict_index_and_lose_numbers_on_both_sides():
    text = "1 EXT FIELD\n\n" + SCRIPT + "INTERIOR - HALL\n\nEmpty.\n\n" + SCRIPT
    scenes = read_screenplay("x", text)
    assert [scene.strict_index for scene in scenes] == [-1, 0, 0, 1]
    assert scenes[0].heading == "EXT FIELD"
    talk = "ANNA\nHello there.\n\nBEN\nHello.\n\n" * 4
    text = f"4EXT. BARN - NIGHT4\n\n{talk}5AINTERIOR - HALL 3 - DAY5A\n\n{talk}6 INT. ROOM 7    6\n\n{talk}"
    scenes = read_screenplay("x", text)
    assert [scene.heading for scene in scenes] == ["EXT. BARN - NIGHT", "INTERIOR - HALL 3 - DAY", "INT. ROOM 7"]
    assert [len(scene.turns) for scene in scenes] == [8, 8, 8]


def test_speech_before_the_first_heading_is_a_scene_and_action_and_remarks_keep_their_places():
    spoken = read_screenplay("x", "ANNA (V.O.)\nOnce upon a time.\n\n" + SCRIPT)
    assert (spoken[0].strict_index, spoken[0].heading, len(spoken[0].turns)) == (-1, "", 1)
    titled = read_screenplay("x", "THE COW\nwritten by\nNobody\n\n" + SCRIPT)
    assert titled[0].heading == "INT. BARN - DAY"
    text = SCRIPT + "The cow leaves.\n\nANNA\n(softly)\nGood\nbye. (waves)\n\nBEN\n(nods)\n\nBEN\nNo.\n\nRain.\n\n"
    scene = read_screenplay("x", text)[0]
    assert scene.narration == ("A cow looks up.", "The cow leaves.", "BEN (nods)", "Rain.")
    assert scene.narration_places == (0, 8, 9, 10)
    assert scene.spoken[8:] == ("(softly) Good bye. (waves)", "")
    assert scene.turns[8].text == "Good bye."


def test_one_giant_scene_is_refused():
    talk = "ANNA\nHello there, how are you?\n\nBEN\nNot so bad.\n\n" * 400
    few = "INT. BARN - DAY\n\n" + talk
    with pytest.raises(SourceError, match=r"1 in 3,.* words"):
        read_screenplay("x", few)
    lopsided = SCRIPT * 5 + "EXT. FIELD\n\n" + talk * 2
    with pytest.raises(SourceError, match="the largest scene has"):
        read_screenplay("x", lopsided)
    assert len(read_screenplay("x", lopsided, ScreenplayConfig(max_scene_share=1.0))) == 6


LINES = st.sampled_from(
    ["INT. BARN - DAY", "EXT FIELD", "ANNA", "  ANNA (V.O.)", "\tBEN:", "Hello there.", "(softly)", "(", ")", "",
     "   ", "12.", "*", "\f",
     "CUT TO:", "<b>", "&nbsp;", "ANNA: Hi.", "(CONTINUED)", "A & B", "INT.", "33.      JOHN", "<pre>INT. X", "-",
     "…", "\x85", "\u2028"]
)  # fmt: skip


@given(st.lists(st.one_of(LINES, st.text(max_size=40)), max_size=60))
def test_any_text_gives_scenes_or_a_source_error(lines):
    text = "\n".join(lines)
    try:
        scenes = read_screenplay("x", text)
    except SourceError:
        return
    strict = sum(not STRICT_TOKENS.isdisjoint(line.split()) for line in text.split("\n"))
    assert max(scene.strict_index for scene in scenes) == strict - 1
    opening = [scene.strict_index for scene in scenes]
    assert opening == sorted(opening)
    assert {index for index in opening if index >= 0} == set(range(strict))
    assert [turn.number for scene in scenes for turn in scene.turns] == list(range(sum(len(scene.turns) for scene in scenes)))
    assert all(turn.text and turn.speakers for scene in scenes for turn in scene.turns)
