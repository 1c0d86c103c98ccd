"""What the report shows of an episode: its turns once, and every chunk with its span, kept or not."""

from collections.abc import Iterator, Sequence
from functools import partial

from core.dataset.report import CONFIDENCE, MEASURES, ReportRow, ReportSpec, ReportTurn, Threshold, UnitReport
from core.transcripts.config import FilterConfig, TranscriptsConfig
from core.transcripts.rows import UNTOLD_OFFSET
from infra.store.objects import Store
from infra.tables.codecs import decode_table
from infra.tables.transcripts.artifacts import RECAP
from infra.tables.transcripts.rows import SAID
from tasks.frame.release_spec import Landed, ReleaseUnit, Reporter, TableSpec
from tasks.frame.report import read_recorded_curve
from tasks.transcripts.tables import review_decisions

_GROUPS = {0: "paragraphs", 1: "sections", UNTOLD_OFFSET: "paragraphs that tell nothing"}


def make_reporter(landed: Landed[TranscriptsConfig], _: Sequence[TableSpec]) -> Reporter:
    """Return the reporter of a release."""
    rules = landed.config.filter
    thresholds = [
        Threshold(measure="confidence", reason="low-confidence", setting="filter.min_confidence", value=rules.min_confidence),
        Threshold(measure="turns", reason="too-few-turns", setting="filter.min_turns", value=rules.min_turns),
        Threshold(measure="turns", reason="too-many-turns", setting="filter.max_turns", value=rules.max_turns, least=False),
    ]
    return Reporter(
        present=partial(_present, rules),
        spec=ReportSpec(
            unit=("episode", "episodes"),
            row=("pair", "pairs"),
            measures=(CONFIDENCE, *MEASURES),
            thresholds=tuple(each for each in thresholds if each.value),
            curve=read_recorded_curve("transcripts"),
            explores="the score matrix of turns and sentences, with the spans that were chosen",
        ),
    )


def _present(rules: FilterConfig, store: Store, unit: ReleaseUnit) -> Iterator[UnitReport]:
    dialogue = decode_table(unit.read(store, "dialogue"), SAID)
    numbers, speakers, texts = (dialogue.column(name).to_pylist() for name in SAID)
    turns = tuple(map(ReportTurn, numbers, map(tuple, speakers), texts))
    rows = review_decisions(rules, store, unit.unit, unit.artifacts, unit.reviews).to_pylist()
    yield UnitReport(
        id=unit.unit,
        title=RECAP.decode(unit.read(store, "recap")).title,
        turns=turns,
        rows=tuple(
            ReportRow(
                id=f"{unit.unit}_{row['chunk_size']}_{row['offset']}_{row['chunk_index']:04d}",
                summary=row["summary"],
                spans=() if row["turn_start"] is None else ((row["turn_start"], row["turn_end"] + 1),),
                reason=row["reason"] or "",
                confidence=row["confidence"],
                series=_name_chunking(row["chunk_size"], row["offset"]),
                facts={
                    "kind of section": row["kind"],
                    "score": f"{row['score']:.3g}",
                    "decided by": row["decided_by"],
                    "to train on": "yes" if row["train_on"] else "no",
                },
            )
            for row in rows
        ),
    )


def _name_chunking(size: int, offset: int) -> str:
    """Return the name of the chunks of one size and offset, which are drawn together."""
    return f"{size} sentence{'s' if size > 1 else ''}, offset {offset}" if size else _GROUPS.get(offset, f"grouping {offset}")
