"""An episode's rows in each table of a `transcripts` release, built from its artifacts column by column."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from core.transcripts.config import FilterConfig
from core.transcripts.filters import judge_pair
from core.transcripts.recaps.recap import Recap
from infra.tables.parquet import Provenance, Rows, assemble, repeated
from infra.tables.transcript_schemas import ALIGNMENTS, DIALOGUES, PAIRS, REJECTS, SUMMARIES


def judge_alignments(alignments: pa.Table, config: FilterConfig) -> list[str | None]:
    """Return for each alignment the reason why it is dropped, None where it is kept."""
    chunkings = Counter(zip(alignments.column("chunk_size").to_pylist(), alignments.column("offset").to_pylist(), strict=True))
    most = max(chunkings.values(), default=0)  # a page is complete or not by its sentences; it may well have few paragraphs
    names = ("summary", "turn_start", "turn_end", "confidence", "chunk_size", "offset")
    rows = zip(*(alignments.column(name).to_pylist() for name in names), strict=True)
    return [
        judge_pair(summary, start, end, confidence, chunkings[size, offset] if size else most, config)
        for summary, start, end, confidence, size, offset in rows
    ]


def tabulate_pairs(
    episode: str, dialogue: pa.Table, alignments: pa.Table, reasons: Sequence[str | None], provenance: Provenance
) -> Rows:
    """Return the kept alignments as rows of `PAIRS`, each with its turns."""
    chosen = alignments.filter(pa.array([reason is None for reason in reasons], pa.bool_()))
    starts = chosen.column("turn_start").to_numpy()
    lengths = chosen.column("turn_end").to_numpy() - starts + 1
    offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
    numbers = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
    columns = [dialogue.column(name).combine_chunks().take(pa.array(numbers)) for name in ("number", "speakers", "text")]
    turn_type = PAIRS.field("turns").type.value_type
    turns = pa.ListArray.from_arrays(
        pa.array(offsets), pa.StructArray.from_arrays(columns, fields=list(turn_type)), type=PAIRS.field("turns").type
    )
    return Rows(assemble(PAIRS, chosen, {**_identity(episode, chosen), "turns": turns}, provenance))


def tabulate_alignments(episode: str, alignments: pa.Table, reasons: Sequence[str | None], provenance: Provenance) -> Rows:
    """Return every alignment as a row of `ALIGNMENTS`: kept, or with the reason why not."""
    outcome = {"kept": pa.array([reason is None for reason in reasons]), "reason": pa.array(reasons, pa.string())}
    outcomes = list(zip(alignments.column("chunk_size").to_pylist(), (reason or "" for reason in reasons), strict=True))
    return Rows(assemble(ALIGNMENTS, alignments, {**_identity(episode, alignments), **outcome}, provenance), outcomes)


def tabulate_rejects(episode: str, alignments: pa.Table, reasons: Sequence[str | None], provenance: Provenance) -> Rows:
    """Return the dropped alignments as rows of `REJECTS`."""
    dropped = alignments.filter(pa.array([reason is not None for reason in reasons], pa.bool_()))
    column = pa.array([reason for reason in reasons if reason is not None], pa.string())
    return Rows(assemble(REJECTS, dropped, {**_identity(episode, dropped), "reason": column}, provenance))


def tabulate_dialogue(episode: str, dialogue: pa.Table, provenance: Provenance) -> Rows:
    """Return a dialogue's turns as rows of `DIALOGUES`."""
    return Rows(assemble(DIALOGUES, dialogue, {"episode": repeated(episode, len(dialogue))}, provenance))


def tabulate_recap(episode: str, recap: Recap, retells: str | None, provenance: Provenance) -> Rows:
    """Return a recap as rows of `SUMMARIES`: the blurb, then one row a section.

    `retells` is the earlier episode that a section of the kind `recap` retells.
    """
    sections: list[tuple[str, str, str, str, tuple[str, ...]]] = [
        ("blurb", "", "", recap.blurb, (recap.blurb,) if recap.blurb else ())
    ]
    sections += [(s.kind, s.heading, s.subheading, "\n".join(s.paragraphs), s.sentences) for s in recap.sections]
    count = len(sections)
    kinds, headings, subheadings, texts, sentences = zip(*sections, strict=True)
    infobox = [{"label": label, "values": list(values)} for label, values in recap.infobox.items()]
    columns = {
        "id": pa.array([f"{episode}_{position:03d}" for position in range(count)]),
        "episode": repeated(episode, count),
        "title": repeated(recap.title, count),
        "position": pa.array(range(count), pa.int32()),
        "kind": pa.array(kinds),
        "heading": pa.array(headings),
        "subheading": pa.array(subheadings),
        "text": pa.array(texts),
        "sentences": pa.array(sentences, SUMMARIES.field("sentences").type),
        "retells": pa.array([retells if kind == "recap" else None for kind in kinds], pa.string()),
        "infobox": pa.array([infobox] * count, SUMMARIES.field("infobox").type),
        "links": pa.array([recap.links] * count, SUMMARIES.field("links").type),
        "categories": pa.array([recap.categories] * count, SUMMARIES.field("categories").type),
    }
    return Rows(assemble(SUMMARIES, pa.table({}), columns, provenance))


def _identity(episode: str, alignments: pa.Table) -> dict[str, pa.Array]:
    keys = zip(*(alignments.column(name).to_pylist() for name in ("chunk_size", "offset", "chunk_index")), strict=True)
    ids = [f"{episode}_{size}_{offset}_{index:04d}" for size, offset, index in keys]
    return {"id": pa.array(ids, pa.string()), "episode": repeated(episode, len(ids))}
