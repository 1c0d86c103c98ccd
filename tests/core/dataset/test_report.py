from collections import Counter

import pytest

from core.dataset import report

TURNS = tuple(report.ReportTurn(number, ("ODILE",), "word " * (number + 1)) for number in range(4))
UNIT = report.UnitReport(
    id="S01E01",
    title="Low Tide",
    turns=TURNS,
    rows=(
        report.ReportRow(id="a", summary="one two three", spans=((0, 2), (3, 4)), confidence=0.9),
        report.ReportRow(id="b", summary="one", reason="low-confidence", confidence=0.25, values={"score": 7.0}),
    ),
)


def test_a_row_is_measured_over_all_its_spans_and_counted_by_reason_and_bin() -> None:
    first, second = report.measure_rows(UNIT)
    assert first == {"summary_words": 3, "turns": 3, "words": 1 + 2 + 4, "confidence": 0.9}
    assert second == {"summary_words": 1, "confidence": 0.25, "score": 7.0}  # a row without turns has no length
    scores = report.Measure(name="score", label="score", edges=(0.0, 1.0, 2.0))
    found = report.count_rows(UNIT, [first, second], (report.CONFIDENCE, *report.MEASURES, scores))
    assert (found.units, found.turns, found.reasons) == (1, 4, Counter({"": 1, "low-confidence": 1}))
    assert found.bins["confidence"][""][90] == 1
    assert found.bins["confidence"]["low-confidence"][25] == 1
    assert found.bins["score"] == {"low-confidence": [0, 1]}  # above the last edge: the outermost bin
    assert sum(found.bins["turns"][""]) == 1
    assert "low-confidence" not in found.bins["turns"]


@pytest.mark.parametrize("most", [1, 5])
def test_of_each_reason_the_first_rejects_are_listed_and_every_kept_row(most: int) -> None:
    rows = [report.ReportRow(id=str(place), summary="", reason=("", "short", "long")[place % 3]) for place in range(30)]
    listed = report.limit_rejects(rows, most)
    assert Counter(row.reason for row in listed) == {"": 10, "short": most, "long": most}
    assert [int(row.id) for row in listed] == sorted(int(row.id) for row in listed)


def test_what_a_page_loads_has_every_turn_once_and_says_nothing_that_is_empty() -> None:
    assert report.describe_unit(UNIT)["turns"][0] == [0, ["ODILE"], "word "]
    told = report.describe_row("S01E01", UNIT.rows[1], {"score": 7.123456})
    assert told == {"id": "b", "unit": "S01E01", "spans": [], "values": {"score": 7.1235}}
