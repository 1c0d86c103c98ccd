import pytest

from core.scripts.screenplays.assembly import clean_speech, join_paragraph


@pytest.mark.parametrize(
    ("lines", "utterances"),
    [
        (["Good", "day."], ("Good day.",)),
        (["(softly)", "Good day."], ("Good day.",)),
        (["Good day. (waves) Bye."], ("Good day. Bye.",)),
        (["Good day.", "(waves)", "Bye."], ("Good day.", "Bye.")),
        (["I was", "(coughs)", "going."], ("I was going.",)),
        (["(a long", "remark)", "Bye."], ("Bye.",)),
        (["son-of-a-", "gun --", "well"], ("son-of-a-gun -- well",)),
        (["(nods)"], ()),
        (["...", "--"], ()),
        (["Well (never closed"], ("Well",)),
        (["never opened) Well"], ("Well",)),
        (["[sings]", "La la."], ("La la.",)),
    ],
)
def test_speech(lines, utterances):
    assert clean_speech(lines) == utterances


def test_action_keeps_its_parentheses():
    assert join_paragraph(["ANNA (30) walks", "in."]) == "ANNA (30) walks in."
