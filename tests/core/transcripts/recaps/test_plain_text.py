import pytest

from core.text.sentences import split_by_rules
from core.transcripts.recaps.formats import read_recap
from core.transcripts.recaps.plain_text import read_recap_text, strip_wikitext
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


def test_typed_text_and_wiki_text_have_their_sections() -> None:
    recap = read_recap("C9E002.txt", TYPED, split_by_rules)
    assert (recap.title, recap.blurb) == ("The Salt Road", "A blurb.")
    assert outline(recap) == [
        ("announcements", "Announcements", "", ("Buy lanterns.", "Sleep well.")),
        ("recap", "Previously on Lanterns", "", ("They fled Vesk in the night.",)),
        ("plot", "Part I", "", ("The Ford was deep. Ila swam.",)),
        ("break", "Break", "", ()),
        ("plot", "Part II", "", ("The road ends.", "Trivia was never a heading in this long sentence of prose")),
    ]
    recap = read_recap("C9E002.wiki", WIKI_TEXT, split_by_rules)
    assert (recap.title, recap.blurb) == ("C9E002", "A blurb.")
    assert outline(recap) == [
        ("plot", "Part I", "The Ford", ("Ila reads the rune. She waits.", "Rain falls.")),
        ("plot", "Part II", "", ("The road ends.",)),
    ]


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
    found = [(block.level, block.text) for block in page.blocks]
    assert found == [(0, "Ila ran."), (0, shout), (2, "NO WAY OUT"), (0, "She fell.")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The {{Link|Ferries|ferryman}} rows.", "The ferryman rows."),
        ("He rows.{{Ref|12}}{{cite web|url=x|title=Oars}}", "He rows."),
        ("{{Infobox\n| name = [[A|B]]\n| oars = {{n|2}}\n}}\nHe rows.", "\nHe rows."),
        ("[[File:Oar.png|thumb|the [[oar]]]]He [[row]]s with [[Oar (tool)|oars]].", "He rows with oars."),
        ("He rows.<!-- really\n? --> Well<ref name=x>p. 3</ref>.", "He rows. Well."),
        ("<gallery>\nOar.png|An oar\n</gallery>He <span class='x'>rows</span>.<br>Well. __NOTOC__", "He rows.\nWell. "),
        ("See [https://example.org/a the oars] there.", "See the oars there."),
        ("He {{b|x {{c|y {{d|oars}}}}}} rows.", "He x y oars rows."),
        ("He {{{1|{{c|rows}}}}}.", "He rows."),
        ("He {{{{verb}}|rows}}.", "He rows."),
        ("He {{b|[[Row|{{c|rows}}]]}} {a}}}.", "He rows {a}}}."),
        ("He rows.<ref>See <i>Oars</i>, <br/>p. 3.</ref> Well<ref name=x><a>p</ref>.", "He rows. Well."),
        ("He rows.<ref>One <ref name=y/>two.", "He rows.<ref>One two."),
        ("He rows.\n<references/>\n<references group='x'><ref name=a>b</ref></references>", "He rows.\n\n"),
        ("An open {{brace and [[bracket stay }} here.", "An open {{brace and [[bracket stay }} here."),
        ("a < b, 3 > 2 and [8]35", "a < b, 3 > 2 and [8]35"),
    ],
)
def test_marks_go_and_words_stay(text: str, expected: str) -> None:
    assert strip_wikitext(text) == expected
    table = strip_wikitext('{| class="wikitable"\n! Who !! What\n|-\n| style="x" | Anna || rows\n|}\nThey land.')
    assert (table.split(), "\n\n" in table) == (["Who", "What", "Anna", "rows", "They", "land."], True)
