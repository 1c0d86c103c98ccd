import pytest

from core.errors import SourceError
from core.text.sentences import split_by_rules, split_lines
from core.transcripts.recaps.formats import read_recap
from core.transcripts.recaps.plain_text import read_recap_text
from core.transcripts.recaps.recap import Recap

TYPED = """The Salt Road
=============

A blurb.

Announcements:

- Buy lanterns.
- Sleep
  well.

Previously on Lanterns

They fled Vesk
in the night.

Part I
------
The Ford was deep. Ila swam.

Break

Part II

The road ends.

Trivia was never a heading in this long sentence of prose
"""

WIKI_TEXT = """A '''blurb'''.
== Synopsis ==
=== Part I ===
==== The Ford ====
[[Ila (ranger)|Ila]] reads the rune.<ref name="a">Reed 2031.</ref> She ''waits''.
* Rain falls.<ref name="a"/>
=== Part II ===
The road ends.
== Trivia ==
* Salt is white.
"""


def outline(recap: Recap) -> list[tuple[str, str, str, tuple[str, ...]]]:
    return [(section.kind, section.heading, section.subheading, section.paragraphs) for section in recap.sections]


def test_typed_text() -> None:
    recap = read_recap("C9E002.txt", TYPED, split_by_rules)
    assert (recap.title, recap.blurb) == ("The Salt Road", "A blurb.")
    assert outline(recap) == [
        ("announcements", "Announcements", "", ("Buy lanterns.", "Sleep well.")),
        ("recap", "Previously on Lanterns", "", ("They fled Vesk in the night.",)),
        ("plot", "Part I", "", ("The Ford was deep. Ila swam.",)),
        ("break", "Break", "", ()),
        ("plot", "Part II", "", ("The road ends.", "Trivia was never a heading in this long sentence of prose")),
    ]


def test_wiki_text() -> None:
    recap = read_recap("C9E002.wiki", WIKI_TEXT, split_by_rules)
    assert (recap.title, recap.blurb) == ("C9E002", "A blurb.")
    assert outline(recap) == [
        ("plot", "Part I", "The Ford", ("Ila reads the rune. She waits.", "Rain falls.")),
        ("plot", "Part II", "", ("The road ends.",)),
    ]


def test_a_text_without_headings_or_blank_lines_has_one_plot_paragraph_per_line() -> None:
    recap = read_recap("C9E002.txt", "Ila ran. She fell.\nTobin laughed.\n", split_lines)
    assert outline(recap) == [("plot", "", "", ("Ila ran. She fell.", "Tobin laughed."))]
    assert recap.sentences == ("Ila ran. She fell.", "Tobin laughed.")
    assert recap.blurb == ""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("S01E01.md", "# The Salt Road\n\nIla ran.\n\nShe fell.\n"),
        ("S01E01.txt", "The Salt Road\n=============\n\nIla ran.\n\nShe fell.\n"),
        ("S01E01.txt", "= The Salt Road =\n\nIla ran.\n\nShe fell.\n"),
    ],
)
def test_a_title_above_text_without_headings_gives_one_plot_section(name: str, text: str) -> None:
    recap = read_recap(name, text, split_by_rules)
    assert (recap.title, recap.blurb) == ("The Salt Road", "")
    assert outline(recap) == [("plot", "", "", ("Ila ran.", "She fell."))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Plot\n\nIla ran.\n", ("plot", "Plot")),
        ("# Part I\n\nIla ran.\n", ("plot", "Part I")),
        ("# Announcements\n\nIla ran.\n", ("announcements", "Announcements")),
        ("## The Rise\n\nIla ran.\n", ("other", "The Rise")),
        ("A blurb.\n\n# The Rise\n\nIla ran.\n", ("other", "The Rise")),
    ],
)
def test_a_single_heading_that_is_not_a_title_is_kept(text: str, expected: tuple[str, str]) -> None:
    (section,) = read_recap("S01E01.md", text, split_by_rules).sections
    assert section.heading == expected[1]
    assert section.kind == expected[0]


@pytest.mark.parametrize("shout", ['"RUN!"', "“RUN!”", "'GO, GO, GO.'", '"THE ROAD ENDS"', "(EVERYBODY SCREAMS)", "...OR SO"])
def test_a_shouted_quotation_is_no_heading(shout: str) -> None:
    page = read_recap_text("C9E002.txt", f"Ila ran.\n\n{shout}\n\nNO WAY OUT\n\nShe fell.\n")
    assert [(block.level, block.text) for block in page.blocks] == [
        (0, "Ila ran."),
        (0, shout),
        (2, "NO WAY OUT"),
        (0, "She fell."),
    ]


def test_an_empty_text_is_refused() -> None:
    with pytest.raises(SourceError, match=r"C9E002\.txt: no synopsis with text: found no heading and 0 paragraphs"):
        read_recap("C9E002.txt", " \n\n", split_by_rules)
