"""What the report shows of a document: its sentences, each with the parts of its score."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.dataset.report import MEASURES, Measure, ReportSpec, Threshold
from core.rooms.config import RoomsConfig
from tasks.frame.release_spec import Landed, Reporter, TableSpec
from tasks.frame.report import TableColumns, TablePresenter

_POINTS = tuple(float(place) for place in range(-12, 17))


def make_reporter(landed: Landed[RoomsConfig], tables: Sequence[TableSpec]) -> Reporter:
    """Return the reporter of a release."""
    kept, rejects = tables
    columns = TableColumns(
        unit=("document",),
        summary=("text",),
        values=("score",),
        facts={"speakers": "speakers", "turn": "turn", "copy_of": "copy of", "analysis": "analysis"},
        draw=draw_parts,
    )
    summary_words = next(measure for measure in MEASURES if measure.name == "summary_words")
    return Reporter(
        present=TablePresenter(kept=kept, rejects=rejects, columns=columns),
        spec=ReportSpec(
            unit=("document", "documents"),
            row=("sentence", "sentences"),
            measures=(
                Measure(name="score", label="score, in points", edges=_POINTS),
                Measure(name=summary_words.name, label="words of a sentence", edges=summary_words.edges),
            ),
            thresholds=(
                Threshold(
                    measure="score", reason="score", setting="selection.min_score", value=landed.config.selection.min_score
                ),
            ),
        ),
    )


def draw_parts(row: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return the parts of a sentence's score: name, how often it counts, points, and the words that show it."""
    parts = [[part["name"], part["count"], part["points"], list(part["evidence"])] for part in row["parts"]]
    return ({"kind": "parts", "parts": parts, "score": row["score"]},) if parts else ()
