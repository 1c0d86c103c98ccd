"""What the report shows of an episode: its turns once, every chunk with its span, kept or not, and its score matrix on demand."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from core.alignment.aligners import score_sentences, shrink_columns
from core.dataset.report import CONFIDENCE, MEASURES, Drawing, ReportRow, ReportSpec, ReportTurn, UnitReport, list_thresholds
from core.references import UnitReference
from core.transcripts.aligning import leave_whole_out, outline_recap
from core.transcripts.config import FilterConfig, TranscriptsConfig
from core.transcripts.rows import RULES, UNTOLD_OFFSET
from infra.store.objects import Store
from infra.tables.codecs import decode_table
from infra.tables.transcripts.artifacts import RECAP
from infra.tables.transcripts.rows import SAID
from infra.tables.turns import DIALOGUE
from tasks.frame.build import read_stage
from tasks.frame.release_spec import Landed, ReleaseUnit, Reporter, TableSpec
from tasks.frame.report import read_recorded_curve
from tasks.transcripts.ingestion import find_resources, make_tools
from tasks.transcripts.tables import review_decisions

_GROUPS = {0: "paragraphs", 1: "sections", UNTOLD_OFFSET: "paragraphs that tell nothing"}


def make_reporter(landed: Landed[TranscriptsConfig], _: Sequence[TableSpec]) -> Reporter:
    """Return the reporter of a release."""
    rules = landed.config.filter
    shown = [rule for rule in RULES if rule.measure != "chunks"]  # the report has no chunkings
    return Reporter(
        present=partial(_present, rules),
        spec=ReportSpec(
            unit=("episode", "episodes"),
            row=("pair", "pairs"),
            measures=(CONFIDENCE, *MEASURES),
            thresholds=list_thresholds(shown, rules),
            curve=read_recorded_curve("transcripts"),
            explores="the score matrix of turns and sentences, with the spans that were chosen",
        ),
    )


def _present(rules: FilterConfig, store: Store, unit: ReleaseUnit) -> Iterator[UnitReport]:
    dialogue = decode_table(unit.read(store, "dialogue"), SAID)
    numbers, speakers, texts = (dialogue.column(name).to_pylist() for name in SAID)
    turns = tuple(map(ReportTurn, numbers, map(tuple, speakers), texts))
    rows = review_decisions(rules, store, unit.unit, unit.artifacts, unit.reviews, unit.facts).to_pylist()
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


MOST_COLUMNS = 900
"""Columns of the picture: more than a screen shows would only be more to load."""


def explore(store: Store, reference: UnitReference, _: str, config: TranscriptsConfig) -> list[Drawing]:
    """Return the score matrix of an episode as a drawing, with the span of each sentence."""
    turns = DIALOGUE.decode(read_stage(store, reference, "dialogue"))
    recap = leave_whole_out(RECAP.decode(read_stage(store, reference, "recap")), len(turns), config.alignment)
    if not turns or not recap.sentences:
        return []
    wordnet = find_resources(config, {}).get("wordnet")
    tokenizer, embedder = make_tools(config.alignment, wordnet)
    texts = [turn.text for turn in turns]
    found = score_sentences(texts, recap.sentences, config.alignment, tokenizer, embedder, outline_recap(recap))
    scores = shrink_columns(found.scores, MOST_COLUMNS)
    what = "probability that the turn tells of the sentence" if found.posterior else "similarity of turn and sentence"
    return [
        {
            "kind": "heat",
            "title": "Score matrix",
            "note": f"Sentences of the recap from top to bottom, turns from left to right; the darker, the higher the {what}. "
            "The frames are the spans of single sentences.",
            "rows": scores.shape[0],
            "columns": scores.shape[1],
            "down": len(recap.sentences),
            "across": len(turns),
            "columnName": "turn",
            "values": b64encode(np.round(255 * np.clip(scores, 0, 1)).astype(np.uint8).tobytes()).decode(),
            "spans": [
                [place, span.start, span.end + 1]
                for place, span in enumerate(found.spans)
                if span.start is not None and span.end is not None
            ],
        }
    ]
