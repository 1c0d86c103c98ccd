"""Mark-up goes, people are masked, and the words stay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.people.pseudonyms import pseudonymise
from core.threads.cleaning import clean_text


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("**Bold** and _it is_ ~~gone~~", "Bold and it is gone"),
        ("&amp;#x200B;\n\nText &amp; more&nbsp;of it", "Text & more of it"),
        ("> quoted\n\nanswer", "answer"),
        (">!the butler!< did it", "the butler did it"),
        ("[SPOILER] He dies", "He dies"),
        ("[Spoilers: book two] He dies (nsfw)", "He dies"),
        ("[the wiki](https://w.example/a_(b)) says so", "the wiki says so"),
        ("# Head\n1. one\n* two\n---\n| a | b |", "Head\none\ntwo"),
        ("snake_case and 2*3 stay", "snake_case and 23 stay"),
        ("zero\u200bwidth soft\u00adhyphen", "zerowidth softhyphen"),
        ("a  \t b", "a b"),
        ("e\u0301", "é"),
        ("", ""),
    ],
)
def test_cleaning(raw: str, clean: str) -> None:
    assert clean_text(raw) == clean


@given(st.text(max_size=200))
def test_cleaned_text_has_no_empty_line_and_no_formatting_character(text: str) -> None:
    cleaned = clean_text(text)
    assert all(line == line.strip() and line for line in cleaned.split("\n")) or not cleaned
    assert not {"\u200b", "\u00ad", "\u00a0"} & set(cleaned)


def test_pseudonyms_need_the_key() -> None:
    one = pseudonymise("Some_One", b"key")
    assert one == pseudonymise("some_one", b"key") == "author-" + one[7:]
    assert len(one) == 23
    assert one != pseudonymise("some_one", b"other")
    assert one != pseudonymise("some_two", b"key")
    assert pseudonymise(None, b"key") == "author-unknown"


@pytest.mark.parametrize(
    "table",
    [
        "name | price\n---|---\nlamp | 5\nwick | 2",
        "name | price\n:--|:-:\nlamp | 5",
        "| name | price |\n|---|---|\n| lamp | 5 |",
        "```\nfor lamp in lamps:\n    light(lamp)\n```",
        "````\nlight(lamp)\n```\nlight(wick)\n````",
        "```\nlight(lamp)\n````",
        "```\nlight(lamp)```",
        "~~~\nlight(lamp)\n~~~",
    ],
)
def test_tables_and_code_go_whole(table: str) -> None:
    assert clean_text(f"The lamp is out.\n\n{table}\n") == "The lamp is out."
    assert clean_text(f"The lamp is out.\n\n{table}\n\nLight it.") == "The lamp is out.\nLight it."


@pytest.mark.parametrize("fence", ["```", "```python", "~~~", "`````", "```\n~~~~"])
def test_a_fence_that_nothing_closes_takes_no_text_along(fence: str) -> None:
    assert clean_text(f"The lamp is out.\n{fence}\nLight it. ``\nPlease.") == "The lamp is out.\nLight it.\nPlease."


def test_a_bar_or_a_mark_of_code_within_a_line_is_no_table_and_no_code() -> None:
    assert clean_text("Tea | or coffee?\nI like both.") == "Tea | or coffee?\nI like both."
    assert clean_text("```light``` is a word.\nSo is dark.") == "light is a word.\nSo is dark."


@pytest.mark.parametrize("start", ["a|b\n", "a|b\n-|-"])
def test_many_blanks_below_a_bar_take_linear_time(start: str) -> None:
    """With a pattern that divides the blanks in all ways this takes minutes."""
    assert clean_text(start + " " * 200_000 + "x") == " ".join([*start.splitlines(), "x"]).replace(" ", "\n", 1)
