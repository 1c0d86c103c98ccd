"""What stays of wikitext."""

import pytest

from core.transcripts.recaps.wikitext import strip_wikitext


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
