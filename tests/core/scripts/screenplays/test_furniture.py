import pytest

from core.scripts.screenplays.kinds import (
    find_repeated_heads,
    find_running_heads,
    is_furniture,
    is_page_mark,
    is_sum,
    is_transition,
)
from core.scripts.screenplays.lines import read_lines


@pytest.mark.parametrize(
    "body",
    ["12.", "12", "(12)", "- 12 -", "Page 12", "12A.", "671.09", "33   33", "(CONTINUED)", "CONTINUED:", "CONTINUED: (2)",
     "38   CONTINUED:    (3)                38", "(MORE)", "MORE",
     "(more)", "--more--", "(continues)", "OMITTED", "14 OMITTED 14", "12-15 OMITTED",
     "-----", "* * *", "(03.18.14)  37."],
)  # fmt: skip
def test_furniture(body):
    assert is_furniture(body)


@pytest.mark.parametrize(
    "body",
    [
        "ANNA",
        "Continued rain.",
        "12 men.",
        "I have 12.",
        "MORE WINE",
        "A",
        "Three.",
        "12 ANGLE ON ANNA",
        "More?",
        "more.",
        "continues.",
        "Deleted.",
    ],
)
def test_not_furniture(body):
    assert not is_furniture(body)


@pytest.mark.parametrize(
    "body",
    ["CUT TO:", "DISSOLVE TO:", "SMASH CUT TO:", "FADE IN:", "FADE OUT.", "FADE TO BLACK.", "SLOW FADE",
     "CUT TO BLACK", "THE END",
     "BACK TO:", "MATCH CUT", "ABRUPT CUT TO:", "GO TO:"],
)  # fmt: skip
def test_transitions(body):
    assert is_transition(body)


@pytest.mark.parametrize(
    "body", ["ANNA", "CUT IT OUT!", "GO HOME", "BACK OFF", "Cut to: a cow", "ENDER", "CUT TO: INT. BAR", "FINN"]
)
def test_not_transitions(body):
    assert not is_transition(body)


def test_running_heads_are_lines_in_which_only_the_number_changes():
    pages = "\n".join(
        f"THE LAMP - Rev. 4/{page}/88     {page}.\nWords.\n{page} ANGLE ON ANNA {page}\nGUARD {page}" for page in range(1, 12)
    )
    heads = find_running_heads(read_lines(pages))
    assert len(heads) == 11
    assert all("LAMP" in head for head in heads)


def test_a_line_on_few_pages_is_not_a_running_head():
    assert find_running_heads(read_lines("Flight 12 to Rome, gate 3.\n" * 20)) == set()


def test_a_scene_number_with_a_letter():
    assert is_page_mark("16-A")
    assert is_page_mark("(16-A)")
    assert not is_page_mark("16-A RAIN")
    assert not is_page_mark("A-16")


@pytest.mark.parametrize(
    "body",
    ["REVISION  3/4/91", "REVISION 3/491", "5/4/91   JB", "5/491 JB", "11aA.", "37A-37D OMITTED 37A-37D", "59-60    59-60",
     "OMITTED 41-56", "42A-50 OMITTE 42A-50", "97. through 102. OMITTED", "OMIT - 161E - 161I", "93A/93B OMITTED 93A/93B",
     "15A-17 CONTINUED: (2)      15A-17", "131 CONTINUED (DAY)", "SCENE 96 - CONTINUED", "12 CONTIUNED", "THRU OMITTED", "TO:",
     "-" * 120],
)  # fmt: skip
def test_page_marks(body):
    assert is_page_mark(body)
    assert not is_furniture(body)


@pytest.mark.parametrize(
    "body",
    ["1ST", "5pM", "TO ANNA:", "CONTINUED RAIN", "DELETED SCENES", "9/11 NYC", "SCENE 12", "Omitted", "911 DISPATCH", "10 TO 12",
     "10.15.30 AM", "10.15.30 PM."],
)  # fmt: skip
def test_no_page_marks(body):
    assert not is_page_mark(body)


def test_a_head_that_is_the_same_on_every_page_names_the_draft():
    lines = read_lines("THE FOX - Numbered Script - 3/4/1991\nANNA\nHello.\nINT. HALL - 3/4/1991\n" * 8 + "Draft of 3/4/1991.\n")
    assert find_repeated_heads(lines) == {"THE FOX - Numbered Script - 3/4/1991"}


@pytest.mark.parametrize("body", ["REV. GREEN", "DRAFTEE", "REVISIONIST", "MRS. DRAFTER"])
def test_a_speaker_is_no_running_head(body):
    assert find_repeated_heads(read_lines(f"{body}\nHello.\n" * 9)) == set()


@pytest.mark.parametrize("body", ["The Fox - Second Draft", "FOX - Revised", "The Fox Rev. 3", "Fox REVISION (pink)"])
def test_words_for_a_draft_make_a_running_head(body):
    assert find_repeated_heads(read_lines(f"{body}\nHello.\n" * 9)) == {body}


def test_a_sum_is_no_page_number():
    assert is_sum("£340.")
    assert is_sum("$5")
    assert not is_sum("340.")
    assert not is_sum("$")
