import pytest

from core.text.sentences import split_by_rules
from core.transcripts.recaps.formats import read_recap
from core.transcripts.recaps.markdown import read_recap_markdown

MARKDOWN = """---
layout: recap
---
# The *Salt* Road

A blurb about **salt**.[^1]

## Announcements
* Buy [lanterns](https://shop.example/x "now").
- Sleep
  well.

Previously on Lanterns
----------------------

> They fled `Vesk`.

## Part I

### The Ford

Ila reads ![rune](r.png) the snake_case_name
aloud. <!-- check --> She waits.

***

## Part II ##
The road ends.

[^1]: A note.
"""


def test_markdown_sections() -> None:
    recap = read_recap("C9E002.md", MARKDOWN.replace("\n", "\r\n"), split_by_rules)
    assert (recap.title, recap.blurb) == ("The Salt Road", "A blurb about salt.")
    assert [(section.kind, section.heading, section.subheading, section.paragraphs) for section in recap.sections] == [
        ("announcements", "Announcements", "", ("Buy lanterns.", "Sleep well.")),
        ("recap", "Previously on Lanterns", "", ("They fled Vesk.",)),
        ("plot", "Part I", "The Ford", ("Ila reads the snake_case_name aloud. She waits.",)),
        ("plot", "Part II", "", ("The road ends.",)),
    ]
    assert recap.sections[2].sentences == ("Ila reads the snake_case_name aloud.", "She waits.")
    assert (recap.infobox, recap.links, recap.categories) == ({}, (), ())


def read_blocks(text: str) -> list[tuple[int, str]]:
    return [(block.level, block.text) for block in read_recap_markdown("x.md", text).blocks]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A \\*star\\* and \\[it\\], R&amp;D, 5 * 4 \\\\ 3.", "A *star* and [it], R&D, 5 * 4 \\ 3."),
        ("***Salt***, **_road_**, `a*b*` and ``a`b``: snake_case_name.", "Salt, road, a*b* and a`b: snake_case_name."),
        (
            "[The **ford**](<a b> 'x'), [Vesk][v], [v] and <https://a.example>.\n\n[v]: b",
            "The ford, Vesk, v and https://a.example.",
        ),
        ("[Emon (city)](https://a.example/Emon_(city)) burns.", "Emon (city) burns."),
        ("They fled  \nto the\\\nford\nby night.", "They fled to the ford by night."),
        ("<center>The *road* ends.</center> <a href='x'>Ila</a><br/>", "The road ends. Ila"),
        ("    Indented *prose*.", "Indented prose."),
        ("```text\na *rune*\n```", "a *rune*"),
        ("![rune](r.png)Ila [![map](m.png)](m) reads.", "Ila reads."),
        ("> " * 40 + "deep", "deep"),
        ("Ila.[^1]\n\n[^1]: A note\n    of two lines.\n", "Ila."),
    ],
)
def test_marks_are_removed_and_words_stay(text: str, words: str) -> None:
    assert read_blocks(text) == [(0, words)]


def test_entries_of_lists_and_quotations_are_paragraphs_and_underlined_lines_headings() -> None:
    text = "- Buy\n  lanterns\n- Sleep\n\n  well\n  1. now\n  2. soon\n\n> They fled.\n>\n> They slept\nlong.\n"
    words = ["Buy lanterns", "Sleep", "well", "now", "soon", "They fled.", "They slept long."]
    assert read_blocks(text) == [(0, entry) for entry in words]
    text = "Part I\n======\nShe ran.\n\nThe ford\n========\nIla ran.\nShe fell.\n---\nRain fell.\n\n===\n\n* * *\n"
    assert read_blocks(text) == [(1, "Part I"), (0, "She ran."), (1, "The ford"), (0, "Ila ran. She fell."), (0, "Rain fell.")]
