"""Parquet schemas of artifacts and releases, and the way of values through them. The same in every split."""

from collections.abc import Sequence
from io import BytesIO

import pyarrow as pa
import pyarrow.parquet as pq

from core.alignment.spans import Chunk, Span
from core.dialogue import Turn

SPEAKERS = pa.list_(pa.field("element", pa.string(), nullable=False))
TURN = pa.struct(
    [
        pa.field("number", pa.int32(), nullable=False),
        pa.field("speakers", SPEAKERS, nullable=False),
        pa.field("text", pa.string(), nullable=False),
    ]
)


def required(name: str, kind: pa.DataType) -> pa.Field:
    """Return a column that is never null."""
    return pa.field(name, kind, nullable=False)


def optional(name: str, kind: pa.DataType) -> pa.Field:
    """Return a column that may be null."""
    return pa.field(name, kind, nullable=True)


DIALOGUE_ARTIFACT = pa.schema(
    [
        required("number", pa.int32()),
        required("speakers", SPEAKERS),
        required("utterances", SPEAKERS),
        required("text", pa.string()),
        optional("start", pa.float64()),
        optional("end", pa.float64()),
        required("raw_label", pa.string()),
        required("raw_text", pa.string()),
    ]
)
ALIGNMENT_ARTIFACT = pa.schema(
    [
        required("chunk_size", pa.int32()),
        required("offset", pa.int32()),
        required("chunk_index", pa.int32()),
        required("first_sentence", pa.int32()),
        required("last_sentence", pa.int32()),
        required("summary", pa.string()),
        optional("turn_start", pa.int32()),
        optional("turn_end", pa.int32()),
        required("score", pa.float64()),
        optional("confidence", pa.float64()),
    ]
)
_PROVENANCE = [required("source", pa.string()), required("license", pa.string()), required("attribution", pa.string())]
_PAIR = [
    required("id", pa.string()),
    required("episode", pa.string()),
    required("chunk_size", pa.int32()),
    required("offset", pa.int32()),
    required("chunk_index", pa.int32()),
    required("summary", pa.string()),
]
_OUTCOME = [
    optional("turn_start", pa.int32()),
    optional("turn_end", pa.int32()),
    required("score", pa.float64()),
    optional("confidence", pa.float64()),
]
PAIRS = pa.schema(
    [
        *_PAIR,
        required("turn_start", pa.int32()),
        required("turn_end", pa.int32()),
        *_OUTCOME[2:],
        required("turns", pa.list_(pa.field("element", TURN, nullable=False))),
        *_PROVENANCE,
    ]
)
ALIGNMENTS = pa.schema([*_PAIR, *_OUTCOME, required("kept", pa.bool_()), optional("reason", pa.string()), *_PROVENANCE])
REJECTS = pa.schema([*_PAIR, *_OUTCOME, required("reason", pa.string()), *_PROVENANCE])
DIALOGUES = pa.schema(
    [
        required("episode", pa.string()),
        required("number", pa.int32()),
        required("speakers", SPEAKERS),
        required("text", pa.string()),
        optional("start", pa.float64()),
        optional("end", pa.float64()),
        required("raw_label", pa.string()),
        required("raw_text", pa.string()),
        *_PROVENANCE,
    ]
)
_FIELD = pa.struct([required("label", pa.string()), required("values", SPEAKERS)])
SUMMARIES = pa.schema(
    [
        required("id", pa.string()),
        required("episode", pa.string()),
        required("title", pa.string()),
        required("position", pa.int32()),
        required("kind", pa.string()),
        required("heading", pa.string()),
        required("subheading", pa.string()),
        required("text", pa.string()),
        required("sentences", SPEAKERS),
        optional("retells", pa.string()),
        required("infobox", pa.list_(pa.field("element", _FIELD, nullable=False))),
        required("links", SPEAKERS),
        required("categories", SPEAKERS),
        *_PROVENANCE,
    ]
)


def encode_table(table: pa.Table) -> bytes:
    """Return a table as Parquet bytes; the same table gives the same bytes with the same pyarrow."""
    sink = BytesIO()
    pq.write_table(table, sink, compression="zstd")
    return sink.getvalue()


def decode_table(content: bytes) -> pa.Table:
    """Return the table that `encode_table` wrote."""
    return pq.read_table(pa.BufferReader(content), use_threads=False)


def tabulate_turns(turns: Sequence[Turn]) -> pa.Table:
    """Return turns as a table of `DIALOGUE_ARTIFACT`, one row a turn."""
    return pa.Table.from_arrays(
        [
            pa.array([turn.number for turn in turns], pa.int32()),
            pa.array([turn.speakers for turn in turns], SPEAKERS),
            pa.array([turn.utterances for turn in turns], SPEAKERS),
            pa.array([turn.text for turn in turns], pa.string()),
            pa.array([turn.start for turn in turns], pa.float64()),
            pa.array([turn.end for turn in turns], pa.float64()),
            pa.array([turn.raw_label for turn in turns], pa.string()),
            pa.array([turn.raw_text for turn in turns], pa.string()),
        ],
        schema=DIALOGUE_ARTIFACT,
    )


def read_turns(table: pa.Table) -> list[Turn]:
    """Return the turns of a `DIALOGUE_ARTIFACT` table."""
    columns = table.to_pydict()
    return [
        Turn(number, tuple(speakers), tuple(utterances), raw_label, raw_text, start, end)
        for number, speakers, utterances, raw_label, raw_text, start, end in zip(
            *(columns[name] for name in ("number", "speakers", "utterances", "raw_label", "raw_text", "start", "end")),
            strict=True,
        )
    ]


def tabulate_alignments(aligned: Sequence[tuple[Chunk, Span]]) -> pa.Table:
    """Return chunks and their spans as a table of `ALIGNMENT_ARTIFACT`, one row a chunk."""
    rows = [
        (
            *(chunk.size, chunk.offset, chunk.index, chunk.first_sentence, chunk.last_sentence, chunk.text),
            *(span.start, span.end, span.score, span.confidence),
        )
        for chunk, span in aligned
    ]
    columns = zip(*rows, strict=True) if rows else [()] * len(ALIGNMENT_ARTIFACT)
    return pa.Table.from_arrays(
        [pa.array(column, field.type) for column, field in zip(columns, ALIGNMENT_ARTIFACT, strict=True)],
        schema=ALIGNMENT_ARTIFACT,
    )


def read_alignments(table: pa.Table) -> list[tuple[Chunk, Span]]:
    """Return the chunks and spans of an `ALIGNMENT_ARTIFACT` table."""
    rows = zip(*(table.column(name).to_pylist() for name in ALIGNMENT_ARTIFACT.names), strict=True)
    return [(Chunk(*row[:6]), Span(*row[6:])) for row in rows]
