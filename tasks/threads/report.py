"""What the report shows of a post: its dialogues, and the piece of the post or comment that each part of a turn is."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.dataset.report import MEASURES, SHARES, Measure, ReportSpec
from core.threads.config import ThreadsConfig
from tasks.frame.release_spec import Landed, Reporter, TableSpec
from tasks.frame.report import TableColumns, TablePresenter


def make_reporter(_: Landed[ThreadsConfig], tables: Sequence[TableSpec]) -> Reporter:
    """Return the reporter of a release."""
    kept, rejects = tables
    columns = TableColumns(unit=("post",), confidence="coherence", facts={"forum": "forum", "topic": "topic"}, draw=draw_pieces)
    return Reporter(
        present=TablePresenter(kept=kept, rejects=rejects, columns=columns),
        spec=ReportSpec(
            unit=("post", "posts"),
            row=("dialogue", "dialogues"),
            measures=(
                Measure(name="confidence", label="coherence", edges=SHARES),
                *(measure for measure in MEASURES if measure.name != "summary_words"),  # a dialogue of a forum has no summary
            ),
            explores="the tree of the post's comments, with those that the dialogues use",
        ),
    )


def draw_pieces(row: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return the pieces of a dialogue by turn, with the score of each turn in the context of those before it."""
    if not row.get("pieces"):
        return ()
    names = ("turn", "kind", "source", "author", "start", "stop")
    pieces = [[piece[name] for name in names] for piece in row["pieces"]]
    return ({"kind": "pieces", "pieces": pieces, "scores": [round(score, 3) for score in row["scores"]]},)
