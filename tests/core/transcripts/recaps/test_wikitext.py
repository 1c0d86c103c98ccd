"""What stays of wikitext."""

import pytest

from core.transcripts.recaps.plain_text import strip_wikitext


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
        ("He {{b|x {{c|y}}}} rows.", "He x y rows."),
        ("He {{b|x {{c|y {{d|oars}}}}}} rows.", "He x y oars rows."),
        ("He {{{1|{{c|rows}}}}}.", "He rows."),
        ("He {{{{verb}}|rows}}.", "He rows."),
        ("He {{b|[[Row|{{c|rows}}]]}} {a}}}.", "He rows {a}}}."),
        ("{{Infobox\n| oars = {{n|{{m|2}}}}}}\nHe rows.", "\nHe rows."),
        ("He rows.<ref>See <i>Oars</i>, <br/>p. 3.</ref> Well<ref name=x><a>p</ref>.", "He rows. Well."),
        ("He rows.<ref>One <ref name=y/>two.", "He rows.<ref>One two."),
        ("He rows.\n<references/>\n<references group='x'><ref name=a>b</ref></references>", "He rows.\n\n"),
        ("An open {{brace and [[bracket stay }} here.", "An open {{brace and [[bracket stay }} here."),
        ("a < b, 3 > 2 and [8]35", "a < b, 3 > 2 and [8]35"),
    ],
)
def test_marks_go_and_words_stay(text: str, expected: str) -> None:
    assert strip_wikitext(text) == expected


def test_cells_of_a_table_are_paragraphs() -> None:
    table = '{| class="wikitable"\n! Who !! What\n|-\n| style="x" | Anna || rows\n|}\nThey land.'
    assert strip_wikitext(table).split() == ["Who", "What", "Anna", "rows", "They", "land."]
    assert "\n\n" in strip_wikitext(table)


def test_marks_nested_too_deeply_do_not_eat_the_words_around_them() -> None:
    text = strip_wikitext("He " + "{{a|" * 60 + "oar" + "}}" * 60 + " rows.")
    assert text.startswith("He ")
    assert text.endswith(" rows.")


def test_an_opening_mark_beyond_the_deepest_level_closes_none() -> None:
    assert strip_wikitext("He {{a|" * 40 + "has {{ oars" + "}}" * 40) == "He " * 40 + "has {{ oars"
