"""What the report shows of a story's rows."""

from core.dataset.report import ReportTurn, UnitReport, measure_rows
from core.dialogue import Turn
from core.scripts.aligning import Candidate
from core.scripts.rows import LinkedSentence, SceneRow
from core.scripts.story import Scene, Story
from tasks.scripts.report import describe_row

SPOKEN = Scene(0, 0, "INT. HALL", (Turn(0, ("ADA",), ("The ferry leaves.",), "ADA", ""),), ())
SILENT = Scene(1, 1, "EXT. PIER", (), ("Rain falls.",))
STORY = Story("ferry", "movie", "The Ferry", "", (SPOKEN, SILENT), ("Ada speaks.", "It rains."), None)


def test_a_row_where_nobody_speaks_has_no_turns_and_is_counted_as_that() -> None:
    rows = [
        SceneRow(f"ferry_000{number}", (number,), (LinkedSentence(number, (Candidate(number, 0.9, 0.9),), 0.9, 0.8),), None)
        for number in range(2)
    ]
    shown = tuple(describe_row(STORY, row, [0, 1, 1], gold=False) for row in rows)
    assert [row.spans for row in shown] == [((0, 1),), ()]
    unit = UnitReport(
        id="ferry", title="The Ferry", turns=(ReportTurn(0, ("ADA",), "The ferry leaves."),), rows=shown, drawings=()
    )
    measured = measure_rows(unit)
    assert [(row["turns"], row["words"], row["completeness"]) for row in measured] == [(1, 3, 0.8), (0, 0, 0.8)]
