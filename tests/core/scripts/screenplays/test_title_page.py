import pytest

from core.scripts.screenplays.reader import read_screenplay
from core.scripts.screenplays.title_page import is_credit


@pytest.mark.parametrize(
    "body",
    ["Written by", "by", "Screenplay by Ada Example", "Based on the novel by", "SECOND DRAFT", "October 11, 1996",
     "Revised by B. C.", "Shooting script", "Story and screenplay by", "May 1992"],
)  # fmt: skip
def test_credits(body):
    assert is_credit(body)


@pytest.mark.parametrize(
    "body", ["by you", "Draft horses, he said.", "Once upon a time.", "I have written by hand for years and years"]
)
def test_no_credits(body):
    assert not is_credit(body)


def test_a_title_that_is_also_a_speaker_does_not_say_the_credits():
    talk = (
        "INT. BARN - DAY\n\nA cow.\n\n" + "               MARTA\n     Hello there.\n\n               OSKAR\n     Hello.\n\n" * 5
    )
    title = "               MARTA\n\n             Written by\n             Ada Example\n\n            October 11, 1996\n\n"
    assert read_screenplay("x", title + talk) == read_screenplay("x", talk)
    spoken = read_screenplay("x", "               MARTA\n     Once upon a time.\n\n" + talk)
    assert spoken[0].turns[0].text == "Once upon a time."
