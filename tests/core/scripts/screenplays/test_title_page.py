import pytest

from core.scripts.screenplays.reader import read_screenplay


def test_a_title_that_is_also_a_speaker_does_not_say_the_credits():
    talk = (
        "INT. BARN - DAY\n\nA cow.\n\n" + "               MARTA\n     Hello there.\n\n               OSKAR\n     Hello.\n\n" * 5
    )
    title = "               MARTA\n\n             Written by\n             Ada Example\n\n            October 11, 1996\n\n"
    assert read_screenplay("x", title + talk) == read_screenplay("x", talk)
    spoken = read_screenplay("x", "               MARTA\n     Once upon a time.\n\n" + talk)
    assert spoken[0].turns[0].text == "Once upon a time."


TALK = "INT. BARN - DAY\n\nA cow.\n\n               MARTA\n     Hello there.\n\n               OSKAR\n     Hello.\n\n" * 6


@pytest.mark.parametrize(
    ("name", "speech"),
    [("MARTA (V.O.)", "Based on the book of my life, I rowed."), ("MARTA", "By"), ("MARTA (O.S.)", "May 10, 1992.")],
)
def test_speech_before_the_first_heading_is_no_credit(name, speech):
    first = read_screenplay("x", f"               {name}\n     {speech}\n\n{TALK}")[0]
    assert [(turn.speakers, turn.text) for turn in first.turns] == [(("MARTA",), speech)]
