"""What the report shows of a film: its whole dialogue beside its summary, or why no subtitle file of it was taken."""

from collections.abc import Sequence

from core.dataset.report import MEASURES, ReportSpec
from core.subtitles.config import SubtitlesConfig
from tasks.frame.release_spec import Landed, Reporter, TableSpec
from tasks.frame.report import TableColumns, TablePresenter


def make_reporter(_: Landed[SubtitlesConfig], tables: Sequence[TableSpec]) -> Reporter:
    """Return the reporter of a release."""
    kept, rejects = tables
    columns = TableColumns(
        unit=("film",), facts={"year": "year", "subtitle": "subtitle file", "reason": "why this one", "path": "file"}
    )
    return Reporter(
        present=TablePresenter(kept=kept, rejects=rejects, columns=columns),
        spec=ReportSpec(unit=("film", "films"), row=("film", "films"), measures=MEASURES),
    )
