import pytest

from core.scripts.screenplays.lines import read_lines


def test_markup_is_removed_and_the_raw_line_stays():
    (line,) = read_lines("  <b>INT. BARN &amp; YARD</b>&nbsp;")
    assert (line.body, line.indent, line.raw) == ("INT. BARN & YARD", 2, "  <b>INT. BARN &amp; YARD</b>&nbsp;")


def test_tabs_count_as_columns_and_form_feeds_do_not():
    assert [line.indent for line in read_lines("\tA\n\t\tB\n\f    C\n  \tD")] == [8, 16, 4, 8]


def test_revision_marks_are_removed_and_emphasis_in_a_line_stays():
    bodies = [line.body for line in read_lines("Words here.          *\n*   More words\n**\nI am *not* well*")]
    assert bodies == ["Words here.", "More words", "I am *not* well*"]


def test_gaps_count_blank_lines():
    assert [(line.number, line.gap) for line in read_lines("A\n\n  \n*\nB\nC")] == [(0, 0), (4, 3), (5, 0)]


@pytest.mark.parametrize(
    ("raw", "body"), [("**ANNA**", "ANNA"), ("_Softly._", "Softly."), ("*(softly)*", "(softly)"), ("* * *", "* *"), ("*", None)]
)
def test_markdown_emphasis_around_a_line_is_removed(raw, body):
    assert [line.body for line in read_lines(raw)] == ([body] if body else [])
