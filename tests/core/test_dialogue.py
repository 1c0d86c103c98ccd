import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dialogue import MOST_COMPARED, MOST_SENTENCES, check_summary_size, write_dialogue, write_line
from core.errors import SourceError


def test_a_turn_is_a_line() -> None:
    assert write_line(["ADA"], "Is it raining?") == "ADA: Is it raining?"
    assert write_line(["ADA", "WIM"], "Yes!") == "ADA, WIM: Yes!"
    assert write_line([], "A bell rings.") == "A bell rings."
    assert write_line(["WIM"], "(laughs) No.") == "WIM: (laughs) No."
    assert write_line(["WIM"], "") == "WIM:"
    assert write_line([" Old\nWim "], "One.\r\n\u2028Two.") == "Old Wim: One. Two."


@given(st.lists(st.tuples(st.lists(st.text(min_size=1), max_size=2), st.text()), min_size=1))
def test_a_dialogue_has_as_many_lines_as_turns(turns: list[tuple[list[str], str]]) -> None:
    written = write_dialogue(turns)
    assert written.count("\n") == len(turns) - 1
    assert [line for line in written.split("\n") if len(line.splitlines()) > 1] == []


@pytest.mark.parametrize(
    ("sentences", "turns", "message"),
    [(MOST_SENTENCES + 1, 1, "recap.md: 5,001 sentences; expected at most 5,000"), (100, 200_001, "200,001 turns")],
)
def test_a_summary_longer_than_the_longest_is_refused_with_its_figures(sentences: int, turns: int, message: str) -> None:
    check_summary_size("recap.md", MOST_SENTENCES, MOST_COMPARED // MOST_SENTENCES)
    with pytest.raises(SourceError, match=message):
        check_summary_size("recap.md", sentences, turns)
