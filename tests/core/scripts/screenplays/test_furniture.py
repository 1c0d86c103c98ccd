import pytest

from core.scripts.screenplays.furniture import find_running_heads, is_furniture, is_scene_number, is_transition
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
    assert is_scene_number("16-A")
    assert is_scene_number("(16-A)")
    assert not is_scene_number("16-A RAIN")
    assert not is_scene_number("A-16")
