import pytest

from core.errors import SourceError
from core.scripts.long_texts import LongTextConfig, read_long_text

BOOK = """The Lamp

By Nobody

CHAPTER I
CHAPTER II

CHAPTER I.
The Stairs

It rained. “You took your time,” said Marta, “and the master called.”

"Open it," said Oskar. The so-called "lamp" was dark.

CHAPTER II. In the Morning

The sun came up
over the sea.

“We know!”
"""


def test_chapters_become_scenes_and_quotations_become_turns():
    opening, first, second = read_long_text("book", BOOK)
    assert (opening.heading, opening.narration[:2]) == ("", ("The Lamp", "By Nobody"))
    assert (first.heading, first.index, first.strict_index) == ("CHAPTER I. The Stairs", 1, 1)
    found = [(turn.speakers, turn.utterances) for turn in first.turns]
    assert found == [((), ("You took your time,", "and the master called.")), ((), ("Open it,",))]
    assert first.turns[0].raw_text.startswith("It rained.")
    assert first.narration == ("It rained. said Marta,", 'said Oskar. The so-called "lamp" was dark.')
    assert (second.narration, second.turns[0].text, second.turns[0].number) == (("The sun came up over the sea.",), "We know!", 2)


@pytest.mark.parametrize("quotes", ["‘’", "''"])
def test_single_quotes_are_speech_if_there_are_no_double_quotes(quotes):
    left, right = quotes
    text = f"{left}Don’t go,{right} said Marta, {left}It’s the dogs’ lamp.{right} The {left}so-called{right} lamp was Oskar’s.\n"
    (scene,) = read_long_text("book", text)
    assert scene.turns[0].utterances == ("Don’t go,", "It’s the dogs’ lamp.")
    (scene,) = read_long_text("book", f"“He said {left}Go!{right} and went,” said Marta.\n")
    assert scene.turns[0].utterances == (f"He said {left}Go!{right} and went,",)


@pytest.mark.parametrize(
    "headings",
    [("Chapter 1", "Chapter 2"), ("I", "II."), ("# One", "## Two"), ("Chapter One: Rain", "Chapter Two: Sun"), ("PROLOGUE", "1."),
     ("BOOK THE FIRST", "BOOK THE SECOND"), ("Part Twenty-One", "LETTER 4")],
)  # fmt: skip
def test_chapter_headings_of_every_form(headings):
    text = "".join(f"{heading}\n\nIt rained all day.\n\n" for heading in headings)
    assert len(read_long_text("book", text)) == 2


def test_chapters_can_be_required_or_ignored_and_without_them_paragraphs_are_grouped():
    text = "\n\n".join("one two three four five" for _ in range(9))
    assert len(read_long_text("book", text, LongTextConfig(paragraph_words=10))) == 5
    assert len(read_long_text("book", text, LongTextConfig(paragraph_words=1))) == 9
    lines = "\n".join("one two three four five" for _ in range(9))
    assert len(read_long_text("book", lines, LongTextConfig(paragraph_words=1))) == 9
    assert [scene.heading for scene in read_long_text("book", BOOK, LongTextConfig(scenes="paragraphs"))] == [""]
    with pytest.raises(SourceError, match="0 chapter heading"):
        read_long_text("book", "It rained.", LongTextConfig(scenes="chapters"))


def test_gutenberg_boilerplate_is_removed():
    start, end = (f"*** {mark} OF THE PROJECT GUTENBERG EBOOK X ***" for mark in ("START", "END"))
    text = f"Legal.\n\n{start}\n\nIt rained.\n\n{end}\n\nMore."
    (scene,) = read_long_text("book", text)
    assert scene.narration == ("It rained.",)
