import pytest

from core.scripts.screenplays.lines import part_columns, read_lines
from core.scripts.screenplays.reader import read_screenplay


def test_lines_lose_their_marks_and_keep_their_places() -> None:
    (line,) = read_lines("  <b>INT. BARN &amp; YARD</b>&nbsp;")
    assert (line.body, line.indent, line.raw) == ("INT. BARN & YARD", 2, "  <b>INT. BARN &amp; YARD</b>&nbsp;")
    assert [line.indent for line in read_lines("\tA\n\t\tB\n\f    C\n  \tD")] == [8, 16, 4, 8]
    assert [(line.number, line.gap) for line in read_lines("A\n\n  \n*\nB\nC")] == [(0, 0), (4, 3), (5, 0)]
    marked = "5 < 6 and <ANNA> says\nWords here.          *\n*   More words\n**\nI am *not* well*\n"
    marked += "**ANNA**\n_Softly._\n*(softly)*\n* * *\n*"
    bodies = ["5 < 6 and <ANNA> says", "Words here.", "More words", "I am *not* well*", "ANNA", "Softly.", "(softly)", "* *"]
    assert [line.body for line in read_lines(marked)] == bodies


PAIR = """
          ANNA                         BEN (V.O.)
     Get out of here now,         No, you get out of
     you fool.                    here.
                                  Please.

"""


@pytest.mark.parametrize(
    "text",
    [
        "ANNA          BEN\n\nThey     leave.\n",
        "ANNA          BEN\nThey leave.\n",
        "12A   BACK TO SCENE          12A\nThey     leave.\n",
        "The cow          looks up\nand     down.\n",
        "ANNA          BEN\nGo.     Now." + "." * 200 + "\n",
    ],
)
def test_other_lines_are_unchanged(text: str) -> None:
    assert part_columns(read_lines(text)) == read_lines(text)


def test_both_speeches_are_turns_of_the_scene() -> None:
    room = "INT. ROOM - DAY\n\nThey talk.\n\n               ANNA\n          Well.\n\n               BEN\n          So.\n\n"
    turns = read_screenplay("x", room * 5 + PAIR + "They leave.\n")[-1].turns
    found = [(turn.speakers, turn.text) for turn in turns[2:]]
    assert found == [(("ANNA",), "Get out of here now, you fool."), (("BEN",), "No, you get out of here. Please.")]
