"""Headings and cues of two lines, and parentheticals that nobody closed."""

import pytest

from core.scripts.screenplays.layout import ScreenplayConfig
from core.scripts.screenplays.reader import read_screenplay
from core.scripts.screenplays.wrapping import goes_on

TALK = (
    "INT. BARN - DAY\n\nA cow looks up.\n\n" + "               ANNA\n     Hello there.\n\n               BEN\n     Hello.\n\n" * 5
)


def read(text, **settings):
    return read_screenplay("x", TALK + text, ScreenplayConfig(**settings))


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
    published = read(f"{first}\n{second}\n\nRain.\n\n", as_published=True)
    assert (published[-1].heading, published[-1].narration) == (first, (second, "Rain."))


@pytest.mark.parametrize("second", ["RAIN", "Rain falls.", "ANNA\n     Who is there?"])
def test_what_stands_below_a_short_heading_is_no_part_of_it(second):
    assert read(f"EXT. WALL - NIGHT\n{second}\n\nMore.\n\n")[-1].heading == "EXT. WALL - NIGHT"


def test_a_wrapped_cue_is_one_speaker():
    turn = read("               MRS. LUCY\n               WILLIAMS\n     Who is there?\n\n")[0].turns[-1]
    assert (turn.speakers, turn.text, turn.raw_label) == (("MRS. LUCY WILLIAMS",), "Who is there?", "MRS. LUCY WILLIAMS")
    turn = read("               VARIOUS PASSERS-\n               BY\n     Hey!\n\n")[0].turns[-1]
    assert turn.speakers == ("VARIOUS PASSERS-BY",)


def test_two_known_speakers_above_one_speech_speak_together():
    turn = read("               ANNA\n               BEN\n     Who is there?\n\n")[0].turns[-1]
    assert turn.speakers == ("ANNA", "BEN")


def test_an_unclosed_remark_ends_with_its_column():
    turn = read("               ANNA\n           (softly; as\n           Ben opens\n     I know you.\n\n")[0].turns[-1]
    assert (turn.text, read("")[0].turns[-1].text) == ("I know you.", "Hello.")


def test_an_unclosed_remark_does_not_swallow_the_next_speaker():
    flat = "INT. BARN - DAY\n\nA cow looks up.\n\n" + "ANNA\nHello.\n\nBEN\nHello yourself.\n\n" * 4
    scene = read_screenplay("x", f"{flat}ANNA\n(pulling at\nStarboard, quick!\n\nBen turns the boat.\n\nBEN\n(calm)\nDone.\n\n")[
        0
    ]
    assert [(turn.speakers, turn.text) for turn in scene.turns[-2:]] == [(("ANNA",), "Starboard, quick!"), (("BEN",), "Done.")]
    assert scene.narration[-1] == "Ben turns the boat."


def test_a_remark_of_two_lines_that_stand_apart_is_a_remark():
    double = TALK + "               ANNA\n\n          (hearing it for the\n\n          first time)\n\n     What?\n\n"
    assert read_screenplay("x", double)[0].turns[-1].text == "What?"


def test_a_long_remark_in_a_column_of_its_own_is_a_remark():
    remark = "".join(f"          {part}\n" for part in ["(slowly; it comes", *["to her"] * 7, "at last)"])
    turn = read(f"               ANNA\n{remark}     I know you.\n\n")[0].turns[-1]
    assert turn.text == "I know you."


def test_a_paragraph_that_a_page_breaks_goes_on():
    above = "Anna looks at the cow, and Ben looks at Anna, with the"
    scene = read(
        f"{above}\n\n                    12.\n\nlantern in his hand.\n\nThe cow is asleep in the straw by now, and snores\n\n"
    )[0]
    assert scene.narration[-2:] == (f"{above} lantern in his hand.", "The cow is asleep in the straw by now, and snores")


@pytest.mark.parametrize(
    ("above", "below", "goes"),
    [
        ("Anna looks at the cow, and Ben looks at Anna, with", "Bella behind him.", True),
        ("Anna looks at the cow, and Ben looks at Anna, slowly", "walking up to her.", True),
        ("Anna looks at the cow, and Ben looks at Anna, slowly", "Bella walks up.", False),
        ("Anna looks at the cow, and Ben looks at Anna, with", "CLOSE ON BELLA", False),
        ("Anna looks at the cow, and Ben looks at Anna, too.", "he said.", False),
        ("Anna looks at", "the cow.", False),
    ],
)
def test_a_paragraph_goes_on_in_mid_sentence(above, below, goes):
    assert goes_on(above, below) is goes
