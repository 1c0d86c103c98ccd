"""Cues whose form hides them, and that the script's own speakers make known."""

import pytest

from core.scripts.screenplays.layout import ScreenplayConfig
from core.scripts.screenplays.reader import read_screenplay
from tests.core.scripts.letter import INDENTED

FLAT = "INT. BARN - DAY\n\nA cow looks up.\n\n" + "ANNA\nHello.\n\nDR. FREEZE\nNo cow of mine.\n\nMCCOY\nSo?\n\n" * 5
# Columns as a converter leaves them: speech stands where action stands, names stand apart.
CONVERTED = (
    "INT. BARN - DAY\n\n           A cow looks up.\n\n"
    "                          ANNA\n           Hello there.\n\n"
    "                          BEN\n           Hello.\n\n           They look at the cow.\n\n"
) * 6


def said(text, **settings):
    """Return the last two turns of the last scene."""
    scene = read_screenplay("x", text, ScreenplayConfig(**settings))[-1]
    return [(turn.speakers[0], turn.text) for turn in scene.turns[-2:]]


@pytest.mark.parametrize(
    ("script", "cue", "name"),
    [
        (FLAT, "Anna", "ANNA"),
        (FLAT, "ANNA.", "ANNA"),
        (FLAT, "Anna (softly)", "ANNA"),
        (FLAT, "AN\\NA", "ANNA"),
        (FLAT, "ANNA {V.O.)", "ANNA"),
        (FLAT, "FREEZE", "FREEZE"),
        (FLAT, "McCOY", "MCCOY"),
        (FLAT, "GUARD #1's VOICE", "GUARD #1"),
        (INDENTED, '               "ANNA"', '"ANNA"'),
        (INDENTED, '               "ANNA" (CONT\'D)', '"ANNA"'),
        (CONVERTED, "           MAN'S VOICE ON THE PHONE", "MAN'S VOICE ON THE PHONE"),
        (CONVERTED, "           TALL WOMAN (ANNA)", "TALL WOMAN"),
        (CONVERTED, "           OWNER OF THE COW", "OWNER OF THE COW"),
        (CONVERTED, "           OWNER OF THE COW O/S", "OWNER OF THE COW"),
    ],
)
def test_a_hidden_cue_is_found(script, cue, name):
    indent = {FLAT: "", INDENTED: "     ", CONVERTED: "           "}[script]
    text = f"{script}{cue}\n{indent}I told you so.\n\n"
    assert said(text)[1] == (name, "I told you so.")


@pytest.mark.parametrize(
    "block",
    [
        "Anna\nputs a hand on the cow.\n\n", "Anna\n\nThe cow looks away.\n\n", "Nobody\nThe cow looks away.\n\n",
        '"KEEP OUT"\nThe cow looks away.\n\n', "Anna.\nShe stands in the doorway.\n\n",
        "ANNA.\nShe stands in the doorway.\n\n", "ANNA.\nMcCoy stands in the doorway.\n\n", "Anna\nMcCoy\n\n",
        "ANNA.\nMCCOY.\n\n", "Anna\n(laughing)\n\n", "FREEZE\nThe picture stops on the cow.\n\n",
        "INT. BYRE - NIGHT\n\nA cow.\n\nFREEZE\nTotal silence.\n\n",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_name_stays_action(block):
    text = FLAT + block
    scenes = read_screenplay("x", text)
    assert sum(len(scene.turns) for scene in scenes) == 15
    assert "".join(block.split()) in "".join("".join([scene.heading, *scene.narration]) for scene in scenes).replace(" ", "")


@pytest.mark.parametrize(
    ("cue", "speech"), [("ANNA.", "Thirty."), ("FREEZE", "Went south, Ben."), ("FREEZE", "(to the cow)\nWent south, Ben.")]
)
def test_a_hidden_cue_in_capitals_needs_no_words_that_sound_spoken(cue, speech):
    assert said(f"{FLAT}{cue}\n{speech}\n\n")[1] == (cue.rstrip("."), speech.rpartition("\n")[2])


def test_a_surname_that_two_speakers_share_names_neither():
    script = FLAT + "MRS. FREEZE\nNor mine.\n\n" * 3
    assert said(f"{script}FREEZE\nI told you so.\n\n") == said(script)


@pytest.mark.parametrize("page", ["Anna\nA young woman of twenty.\n\n", "ANNA.\nYou know her.\n\n"])
def test_a_cast_page_has_no_hidden_cues(page):
    scenes = read_screenplay("x", f"The Cow\n\n{page}{FLAT}")
    assert [len(scene.turns) for scene in scenes if scene.heading] == [15]
    assert sum(len(scene.turns) for scene in scenes) == 15


def test_a_name_in_the_column_of_speech_right_below_action_is_a_cue():
    text = f"{INDENTED}The cow looks away.\n     ANNA\n     Look at that.\n\n"
    assert said(text)[1] == ("ANNA", "Look at that.")
    assert said(text, as_published=True)[1] == ("BEN", "Hello.")


def test_a_remark_stands_for_the_colon_that_other_cues_have():
    talk = "INT. BARN - DAY\n\nA cow looks up.\n\n" + "ANNA: Hello.\n\nBEN: Hello.\n\nThey look at the cow.\n\n" * 6
    assert said(f"{talk}ANNA (cont'd) It is mine.\n\n")[1] == ("ANNA", "It is mine.")
    assert said(f"{talk}OWNER (cont'd) It is mine.\n\n") == said(talk)
