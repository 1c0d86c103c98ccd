"""An episode's rows in each table of a release."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.dialogue import write_line
from core.review.decisions import ALIGNER, PEOPLE
from core.transcripts.recaps.recap import Recap
from core.transcripts.rows import JudgedChunk
from infra.tables.columns import ID, NAMED, PROVENANCE, REASON, SENTENCES, SPOKEN, STRINGS, SUMMARY, TURNS, optional, required
from infra.tables.parquet import Provenance, Rows, assemble, repeated
from infra.tables.transcripts.artifacts import DECISION_ARTIFACT, tabulate_decisions

_REVIEWED = (
    required("decided_by", pa.string(), "who decided the span: `aligner`, `people` (`fabula review`) or `model NAME`"),
    optional("found_start", pa.int32(), "first turn of the aligner's span, where readers have given the row another one"),
    optional("found_end", pa.int32(), "last turn of the aligner's span, where readers have given the row another one"),
)
"""Who decided a row's span, and the aligner's span where readers have given it another one."""
DECIDED = pa.schema([*DECISION_ARTIFACT, *_REVIEWED])
_CHUNK = [
    required("episode", pa.string(), "the episode: the same as `unit`, under the name that the tables without `unit` have"),
    required("chunk_size", pa.int32(), "number of recap sentences in the chunk; 0 for a paragraph or section"),
    required("offset", pa.int32(), "number of sentences before the first chunk of this size"),
    required("chunk_index", pa.int32(), "place of the chunk among those of its size and offset"),
    SUMMARY,
    required(
        "kind",
        pa.string(),
        "kind of section that the chunk or text is from: plot, recap of an earlier episode, announcements, break, ...",
    ),
]
_ROW = [ID, *_CHUNK]
_OUTCOME = [
    optional("turn_start", pa.int32(), "number of the first turn of the span; null where none was found"),
    optional("turn_end", pa.int32(), "number of the last turn of the span; null where none was found"),
    required("score", pa.float64(), "how much of the chunk the span says, as the aligner counts it"),
    optional(
        "confidence",
        pa.float64(),
        "probability that the aligner's span is right, as calibrated on spans that were read (by default of one show, CRD3); "
        "null where readers have given the row another span, and where the summary is of the whole dialogue",
    ),
]
SAID = ("number", "speakers", "text")
"""The columns of a dialogue that a pair has of its turns."""
PAIRS = pa.schema(
    [
        *NAMED,
        *_CHUNK,
        required(
            "context",
            pa.string(),
            "the sentence of the recap before the chunk, which tells whom a pronoun means; empty at the start of a section",
        ),
        required("turn_start", pa.int32()),
        required("turn_end", pa.int32()),
        *_OUTCOME[2:],
        required("decided_by", pa.string()),
        required("train_on", pa.bool_(), "whether the pair is one of those that cover the plot once"),
        required("turns", TURNS, "the dialogue: turn number (from 0), speakers, text; players name each other in it"),
        SPOKEN[1],
        *PROVENANCE,
    ]
)
ALIGNMENTS_SCHEMA = pa.schema(
    [
        *_ROW,
        *_OUTCOME,
        required("kept", pa.bool_(), "whether the pair is in the data"),
        optional("reason", pa.string()),
        required("train_on", pa.bool_()),
        *_REVIEWED,
        *PROVENANCE,
    ]
)
REJECTS = pa.schema([*_ROW, *_OUTCOME, REASON, *_REVIEWED, *PROVENANCE])
DIALOGUES = pa.schema(
    [
        required("episode", pa.string()),
        required("number", pa.int32(), "number of the turn, from 0"),
        required("speakers", STRINGS, "who speaks: the players' names, or their pseudonyms"),
        required("text", pa.string(), "the text, cleaned; it may name players"),
        optional("start", pa.float64(), "seconds from the start, where the source has times"),
        optional("end", pa.float64(), "seconds from the start, where the source has times"),
        required(
            "raw_label",
            pa.string(),
            "the speaker's label as it stands in the source: a player's name; with pseudonyms, the speakers again",
        ),
        required("raw_text", pa.string(), "the text as it stands in the source; with pseudonyms, the cleaned lines"),
        *PROVENANCE,
    ]
)
_FIELD = pa.struct([required("label", pa.string()), required("values", STRINGS)])
SUMMARIES = pa.schema(
    [
        required("id", pa.string()),
        required("episode", pa.string()),
        required("title", pa.string()),
        required("position", pa.int32(), "place of the section in the recap, from 0; the blurb is 0"),
        required("kind", pa.string()),
        required("heading", pa.string(), "heading of the section"),
        required("subheading", pa.string(), "subheading of the section"),
        required("text", pa.string()),
        SENTENCES,
        optional("retells", pa.string(), "the earlier episode that the section retells"),
        required(
            "infobox",
            pa.list_(pa.field("element", _FIELD, nullable=False)),
            "fields of the page's infobox, which names the players",
        ),
        required("links", STRINGS, "pages that the recap links to, players' among them"),
        required("categories", STRINGS, "categories of the page"),
        *PROVENANCE,
    ]
)


def tabulate_reviewed(decisions: pa.Table, reviewed: Sequence[JudgedChunk] | None = None) -> pa.Table:
    """Return a `DECISION_ARTIFACT` as a `DECIDED` table: as it is, or with the rows as readers have `reviewed` them."""
    if reviewed is None:
        nothing = pa.nulls(len(decisions), pa.int32())
        columns = [*decisions.columns, repeated(ALIGNER, len(decisions)), nothing, nothing]
        return pa.Table.from_arrays(columns, schema=DECIDED)
    found = [(row.decided_by, *((row.found.start, row.found.end) if row.found else (None, None))) for row in reviewed]
    decided = [pa.array([row[place] for row in found], field.type) for place, field in enumerate(_REVIEWED)]
    return pa.Table.from_arrays([*tabulate_decisions(reviewed).columns, *decided], schema=DECIDED)


def refuse_recap(decided: pa.Table) -> pa.Table:
    """Return the `DECIDED` table of a recap that is of another unit: all that was kept is dropped, unless people decided so."""
    refused = pc.and_(decided.column("reason").is_null(), pc.not_equal(decided.column("decided_by"), PEOPLE))
    changed = {
        "reason": pc.if_else(refused, "foreign-recap", decided.column("reason")),
        "train_on": pc.and_not(decided.column("train_on"), refused),
    }
    return pa.Table.from_arrays([changed.get(name, decided.column(name)) for name in DECIDED.names], schema=DECIDED)


def choose_pairs(decisions: pa.Table, kind: str | None = None, train_on_only: bool = False) -> pa.Table:
    """Return the kept chunks of a `DECISION_ARTIFACT`.

    With `kind` only those of one kind of section, with `train_on_only` only those to train on.
    """
    chosen = decisions.filter(decisions.column("reason").is_null())
    chosen = chosen if kind is None else chosen.filter(pc.equal(chosen.column("kind"), kind))
    return chosen.filter(chosen.column("train_on")) if train_on_only else chosen


def tabulate_pairs(episode: str, recap: Recap, dialogue: pa.Table, chosen: pa.Table, provenance: Provenance) -> Rows:
    """Return the chunks of a recap that `choose_pairs` chose as rows of `PAIRS`, each with its turns, also as plain text.

    `dialogue` needs the columns `SAID` only.
    """
    before = [sentence for section in recap.sections for sentence in ("", *section.sentences)[: len(section.sentences)]]
    starts = chosen.column("turn_start").to_numpy()
    lengths = chosen.column("turn_end").to_numpy() - starts + 1
    offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
    numbers = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
    parts = [dialogue.column(name).combine_chunks().take(pa.array(numbers)) for name in SAID]
    turn_type = PAIRS.field("turns").type.value_type
    turns = pa.ListArray.from_arrays(
        pa.array(offsets), pa.StructArray.from_arrays(parts, fields=list(turn_type)), type=PAIRS.field("turns").type
    )
    places = np.unique(numbers)  # a table of one kind of section has few of the turns
    spoken = dialogue.select(["speakers", "text"]).take(pa.array(places))
    lines = list(map(write_line, spoken.column("speakers").to_pylist(), spoken.column("text").to_pylist()))
    firsts = np.searchsorted(places, starts)
    columns = {
        **_identity(episode, chosen),
        "unit": repeated(episode, len(chosen)),
        "title": repeated(recap.title or episode, len(chosen)),
        "context": pa.array([before[place] for place in chosen.column("first_sentence").to_pylist()], pa.string()),
        "turns": turns,
        "dialogue": pa.array(
            ["\n".join(lines[first:end]) for first, end in zip(firsts.tolist(), (firsts + lengths).tolist(), strict=True)],
            pa.string(),
        ),
    }
    return Rows(assemble(PAIRS, chosen, columns, provenance))


def tabulate_alignments(episode: str, decisions: pa.Table, provenance: Provenance) -> Rows:
    """Return every chunk of a `DECIDED` table as a row of `ALIGNMENTS_SCHEMA`: kept, or with the reason why not.

    A row's outcome is its chunk size, reason ("" where it is kept), kind, and whether it is one to train on.
    """
    reasons = decisions.column("reason")
    columns = (decisions.column("chunk_size"), reasons.fill_null(""), decisions.column("kind"), decisions.column("train_on"))
    outcomes = list(zip(*(column.to_pylist() for column in columns), strict=True))
    kept = {"kept": reasons.is_null().combine_chunks()}
    return Rows(assemble(ALIGNMENTS_SCHEMA, decisions, {**_identity(episode, decisions), **kept}, provenance), outcomes)


def tabulate_rejects(episode: str, decisions: pa.Table, provenance: Provenance) -> Rows:
    """Return the dropped chunks of a `DECIDED` table as rows of `REJECTS`."""
    dropped = decisions.filter(decisions.column("reason").is_valid())
    return Rows(assemble(REJECTS, dropped, _identity(episode, dropped), provenance))


def tabulate_dialogue(episode: str, dialogue: pa.Table, provenance: Provenance) -> Rows:
    """Return a dialogue's turns as rows of `DIALOGUES`."""
    return Rows(assemble(DIALOGUES, dialogue, {"episode": repeated(episode, len(dialogue))}, provenance))


def tabulate_recap(episode: str, recap: Recap, retells: str | None, provenance: Provenance, empty_sections: bool = True) -> Rows:
    """Return a recap as rows of `SUMMARIES`: the blurb, then one row a section.

    `retells` is the earlier episode that a section of the kind `recap` retells. Without `empty_sections`, a blurb or section
    without text has no row; the others keep their positions and ids.
    """
    sections: list[tuple[str, str, str, str, tuple[str, ...]]] = [
        ("blurb", "", "", recap.blurb, (recap.blurb,) if recap.blurb else ()),
        *((s.kind, s.heading, s.subheading, "\n".join(s.paragraphs), s.sentences) for s in recap.sections),
    ]
    infobox = [{"label": label, "values": values} for label, values in recap.infobox.items()]
    rows = [
        {
            "id": f"{episode}_{position:03d}",
            "episode": episode,
            "title": recap.title,
            "position": position,
            "kind": kind,
            "heading": heading,
            "subheading": subheading,
            "text": text,
            "sentences": sentences,
            "retells": retells if kind == "recap" else None,
            "infobox": infobox,
            "links": recap.links,
            "categories": recap.categories,
        }
        for position, (kind, heading, subheading, text, sentences) in enumerate(sections)
    ]
    table = assemble(SUMMARIES, pa.Table.from_pylist(rows, schema=SUMMARIES), {}, provenance)
    return Rows(table if empty_sections else table.filter(pc.not_equal(table.column("text"), "")))


def _identity(episode: str, alignments: pa.Table) -> dict[str, pa.Array]:
    keys = zip(*(alignments.column(name).to_pylist() for name in ("chunk_size", "offset", "chunk_index")), strict=True)
    ids = [f"{episode}_{size}_{offset}_{index:04d}" for size, offset, index in keys]
    return {"id": pa.array(ids, pa.string()), "episode": repeated(episode, len(ids))}
