"""Parquet schemas of the `transcripts` pipeline: artifacts and releases. The same in every split."""

import pyarrow as pa

from infra.tables.parquet import PROVENANCE, STRINGS, TURNS, optional, required

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
        required("turns", TURNS),
        *PROVENANCE,
    ]
)
ALIGNMENTS = pa.schema([*_PAIR, *_OUTCOME, required("kept", pa.bool_()), optional("reason", pa.string()), *PROVENANCE])
REJECTS = pa.schema([*_PAIR, *_OUTCOME, required("reason", pa.string()), *PROVENANCE])
DIALOGUES = pa.schema(
    [
        required("episode", pa.string()),
        required("number", pa.int32()),
        required("speakers", STRINGS),
        required("text", pa.string()),
        optional("start", pa.float64()),
        optional("end", pa.float64()),
        required("raw_label", pa.string()),
        required("raw_text", pa.string()),
        *PROVENANCE,
    ]
)
_FIELD = pa.struct([required("label", pa.string()), required("values", STRINGS)])
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
        required("sentences", STRINGS),
        optional("retells", pa.string()),
        required("infobox", pa.list_(pa.field("element", _FIELD, nullable=False))),
        required("links", STRINGS),
        required("categories", STRINGS),
        *PROVENANCE,
    ]
)
