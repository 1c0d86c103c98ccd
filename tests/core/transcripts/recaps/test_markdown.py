from core.text.sentences import split_by_rules
from core.transcripts.recaps.formats import read_recap

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
