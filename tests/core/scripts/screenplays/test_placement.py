import pytest

from core.scripts.screenplays import placement
from core.scripts.screenplays.layout import ScreenplayConfig
from core.scripts.screenplays.reader import read_screenplay
from tests.core.scripts.letter import INDENTED

UNPARTED = "INT. BARN - DAY\n\nA cow looks up at the door, and at the two people who stand there.\n\n" + (
    "ANNA\nI have been here before, and you\nnever told me about the cow.\n"
    "She goes to the cow and looks at it from all sides, as if she wanted to buy it.\n\n"
    "BEN\nNobody asked me about the cow.\n\n" * 6
)


def last(text):
    """Return the last two turns of the last scene, and its last paragraph."""
    scene = read_screenplay("x", text)[-1]
    return [(turn.speakers, turn.text) for turn in scene.turns[-2:]], scene.narration[-1]


@pytest.mark.parametrize("block", ["ANNA\nWill you please\nget in the boat.\n\n", "ANNA\n\nWho?\n\n"])
def test_words_tell_speech_in_an_unusual_place(block):
    turns, paragraph = last(f"{INDENTED}{block}The rain stops.\n\n")
    assert turns[1][0] == ("ANNA",)
    assert turns[1][1] in {"Will you please get in the boat.", "Who?"}
    assert paragraph == "The rain stops."


@pytest.mark.parametrize(
    "block", ["ANNA\nleans over to you.\n\n", "ANNA\n\nWalks to the door.\n\n", "ANNA\nHer face. A long pause.\n\n"]
)
def test_a_name_above_action_is_no_cue(block):
    assert last(INDENTED + block)[0] == [(("ANNA",), "Hello there."), (("BEN",), "Hello.")]


def test_words_tell_action_right_below_speech_and_speech_that_goes_on():
    text = f"{UNPARTED}BEN\nNobody ever told me the name of it.\nAnna laughs.\nBEN (CONT'D)\nNot one of them.\n\n"
    turns, paragraph = last(text)
    assert turns == [(("BEN",), "Nobody ever told me the name of it."), (("BEN",), "Not one of them.")]
    assert paragraph == "Anna laughs."
    text = f"{UNPARTED}BEN\nIt was her birthday.\nBut you were right before, I\nneed to stay.\n\n"
    assert last(text)[0][1] == (("BEN",), "It was her birthday. But you were right before, I need to stay.")


@pytest.mark.parametrize("more", ["\n(then)\nNobody else did.", "\nand nobody else did."])
def test_speech_goes_on_below_a_blank_line(more):
    first = "BEN\nNobody told me" + ("." if "then" in more else "")
    turns, _ = last(f"{UNPARTED}{first}\n{more}\n\n")
    assert turns[1][1].lower().replace(".", "") in {"nobody told me nobody else did", "nobody told me and nobody else did"}


def test_a_long_block_without_blank_lines_is_read_with_linear_work(monkeypatch):
    looked_at: list[int] = []

    def count(text, *_):
        looked_at.append(len(text))
        return False

    monkeypatch.setattr(placement, "sounds_told", count)
    monkeypatch.setattr(placement, "sounds_spoken", count)
    block = "".join(f"INT. BARN {number} - DAY\nANNA\nHello.\nBEN\nNo.\n" for number in range(200)) + "INT. MILL - DAY\nANNA\n"
    line = "The cow is at the door.\n"
    read_screenplay("x", block + line * 4_000, ScreenplayConfig(max_mean_scene_words=10**6, max_scene_share=1.0))
    assert len(looked_at) > 3_000
    assert max(looked_at) <= 5 * len(line)
