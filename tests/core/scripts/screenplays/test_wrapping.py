import pytest

from core.scripts.screenplays.reader import read_screenplay
from core.scripts.screenplays.wrapping import goes_on
from tests.core.scripts.letter import TALK


def read(text):
    return read_screenplay("x", TALK + text)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("INT. THE OLD LIGHTHOUSE ON THE POINT - LATE AFTERNOON - MEDIUM CLOSE", "SHOT"),
        ("EXT. HARBOUR (BEHIND THE", "FISH MARKET) - NIGHT"),
        ("EXT. WALL -", "BROKEN LAMP"),
    ],
)
def test_a_wrapped_heading_is_one_heading(first, second):
    scenes = read(f"{first}\n{second}\n\nRain.\n\n")
    assert (scenes[-1].heading, scenes[-1].narration) == (f"{first} {second}", ("Rain.",))


def test_an_unclosed_remark_does_not_swallow_the_next_speaker():
    flat = "INT. BARN - DAY\n\nA cow looks up.\n\n" + "ANNA\nHello.\n\nBEN\nHello yourself.\n\n" * 4
    scene = read_screenplay("x", f"{flat}ANNA\n(pulling at\nStarboard, quick!\n\nBen turns the boat.\n\nBEN\n(calm)\nDone.\n\n")[
        0
    ]
    assert [(turn.speakers, turn.text) for turn in scene.turns[-2:]] == [(("ANNA",), "Starboard, quick!"), (("BEN",), "Done.")]
    assert scene.narration[-1] == "Ben turns the boat."


def test_a_paragraph_goes_on_in_mid_sentence():
    assert goes_on("Anna looks at the cow, and Ben looks at Anna, with", "Bella behind him.") is True
    assert goes_on("Anna looks at the cow, and Ben looks at Anna, slowly", "walking up to her.") is True
    assert goes_on("Anna looks at the cow, and Ben looks at Anna, slowly", "Bella walks up.") is False
    assert goes_on("Anna looks at the cow, and Ben looks at Anna, with", "CLOSE ON BELLA") is False
    assert goes_on("Anna looks at the cow, and Ben looks at Anna, too.", "he said.") is False
    assert goes_on("Anna looks at", "the cow.") is False
