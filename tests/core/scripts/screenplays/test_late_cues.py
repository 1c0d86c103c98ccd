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
        (FLAT, "FREEZE", "FREEZE"),
        (FLAT, "McCOY", "MCCOY"),
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
        '"KEEP OUT"\nThe cow looks away.\n\n', "Anna\n(laughing)\n\n",
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
