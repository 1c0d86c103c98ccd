from core.scripts.screenplays.lines import read_lines


def test_lines_lose_their_marks_and_keep_their_places() -> None:
    (line,) = read_lines("  <b>INT. BARN &amp; YARD</b>&nbsp;")
    assert (line.body, line.indent, line.raw) == ("INT. BARN & YARD", 2, "  <b>INT. BARN &amp; YARD</b>&nbsp;")
    assert [line.indent for line in read_lines("\tA\n\t\tB\n\f    C\n  \tD")] == [8, 16, 4, 8]
    assert [(line.number, line.gap) for line in read_lines("A\n\n  \n*\nB\nC")] == [(0, 0), (4, 3), (5, 0)]
    marked = "5 < 6 and <ANNA> says\nWords here.          *\n*   More words\n**\nI am *not* well*\n"
    marked += "**ANNA**\n_Softly._\n*(softly)*\n* * *\n*"
    bodies = ["5 < 6 and <ANNA> says", "Words here.", "More words", "I am *not* well*", "ANNA", "Softly.", "(softly)", "* *"]
    assert [line.body for line in read_lines(marked)] == bodies
