"""What the store keeps of an episode between stages: schemas and codecs of the artifacts."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.alignment.spans import Chunk, Span
from core.transcripts.matching import Match, RecapFit
from core.transcripts.reading import EpisodeReading
from core.transcripts.recaps.recap import Recap
from core.transcripts.rows import JudgedChunk
from core.transcripts.statistics import EpisodeFigures
from infra.tables.codecs import Codec, decode_table, encode_table, json_codec
from infra.tables.columns import optional, required

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
DECISION_ARTIFACT = pa.schema(
    [*ALIGNMENT_ARTIFACT, required("kind", pa.string()), optional("reason", pa.string()), required("train_on", pa.bool_())]
)


def tabulate_spans(aligned: Sequence[tuple[Chunk, Span]]) -> pa.Table:
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


def read_spans(table: pa.Table) -> list[tuple[Chunk, Span]]:
    """Return the chunks and spans of an `ALIGNMENT_ARTIFACT` table."""
    rows = zip(*(table.column(name).to_pylist() for name in ALIGNMENT_ARTIFACT.names), strict=True)
    return [(Chunk(*row[:6]), Span(*row[6:])) for row in rows]


def tabulate_decisions(judged: Sequence[JudgedChunk]) -> pa.Table:
    """Return chunks, spans and decisions as a table of `DECISION_ARTIFACT`; a reason is None where the chunk is kept."""
    table = tabulate_spans([(row.chunk, row.span) for row in judged])
    decided = [
        pa.array([row.kind for row in judged], pa.string()),
        pa.array([row.reason for row in judged], pa.string()),
        pa.array([row.train_on for row in judged], pa.bool_()),
    ]
    return pa.Table.from_arrays([*table.columns, *decided], schema=DECISION_ARTIFACT)


def read_decisions(table: pa.Table) -> list[JudgedChunk]:
    """Return the chunks, spans and decisions of a `DECISION_ARTIFACT` table."""
    decided = zip(*(table.column(name).to_pylist() for name in ("kind", "reason", "train_on")), strict=True)
    return [JudgedChunk(*pair, *outcome) for pair, outcome in zip(read_spans(table), decided, strict=True)]


READING: Codec[EpisodeReading] = json_codec(EpisodeReading)
RECAP: Codec[Recap] = json_codec(Recap, indent=1, later=("whole", "independent"))
ALIGNMENTS: Codec[Sequence[tuple[Chunk, Span]]] = Codec(
    ".parquet", lambda aligned: encode_table(tabulate_spans(aligned)), lambda content: read_spans(decode_table(content))
)
CONTRIBUTIONS: Codec[NDArray[np.float64]] = Codec(
    ".parquet",
    lambda contributions: encode_table(pa.table({"contribution": pa.array(contributions)})),
    lambda content: decode_table(content).column("contribution").to_numpy(),
)
MATCHES: Codec[dict[str, Match]] = json_codec(dict[str, Match])
FIT: Codec[RecapFit] = json_codec(RecapFit)
FIGURES: Codec[EpisodeFigures] = json_codec(EpisodeFigures)
