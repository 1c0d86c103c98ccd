"""Side-by-side speeches are separated; text that only looks like them is not."""

import pytest

from core.scripts.screenplays.lines import part_columns, read_lines
from core.scripts.screenplays.reader import read_screenplay

PAIR = """
          ANNA                         BEN (V.O.)
     Get out of here now,         No, you get out of
     you fool.                    here.
                                  Please.

"""


def bodies(text: str) -> list[str]:
    return [line.body for line in part_columns(read_lines(text))]


def test_a_pair_becomes_two_speeches() -> None:
    left = ["ANNA", "Get out of here now,", "you fool."]
    assert bodies(PAIR) == [*left, "BEN (V.O.)", "No, you get out of", "here.", "Please."]


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
    assert [(turn.speakers, turn.text) for turn in turns[2:]] == [
        (("ANNA",), "Get out of here now, you fool."),
        (("BEN",), "No, you get out of here. Please."),
    ]
