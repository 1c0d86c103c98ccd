"""Values of the `transcripts` stages as bytes in the store, and back."""

import json
from collections.abc import Sequence
from dataclasses import asdict

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pydantic import TypeAdapter

from core.alignment.spans import Chunk, Span
from core.transcripts.recaps.recap import Recap, RecapSection
from core.transcripts.statistics.episode_figures import EpisodeFigures, read_figures
from infra.tables.codecs import Codec
from infra.tables.parquet import decode_table, encode_table
from infra.tables.transcript_schemas import ALIGNMENT_ARTIFACT


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


def encode_recap(recap: Recap) -> bytes:
    """Return a recap as JSON bytes."""
    return json.dumps(asdict(recap), ensure_ascii=False, indent=1).encode()


def decode_recap(content: bytes) -> Recap:
    """Return the recap that `encode_recap` wrote."""
    value = json.loads(content)
    sections = tuple(
        RecapSection(row["kind"], row["heading"], row["subheading"], tuple(row["paragraphs"]), tuple(row["sentences"]))
        for row in value["sections"]
    )
    infobox = {label: tuple(values) for label, values in value["infobox"].items()}
    return Recap(value["title"], value["blurb"], sections, infobox, tuple(value["links"]), tuple(value["categories"]))


def encode_alignments(aligned: Sequence[tuple[Chunk, Span]]) -> bytes:
    """Return aligned chunks as Parquet bytes."""
    return encode_table(tabulate_alignments(aligned))


def decode_alignments(content: bytes) -> tuple[tuple[Chunk, Span], ...]:
    """Return the aligned chunks that `encode_alignments` wrote."""
    return tuple(read_alignments(decode_table(content)))


def encode_contributions(contributions: NDArray[np.float64]) -> bytes:
    """Return each turn's contribution to the summary (n_turns) as Parquet bytes."""
    return encode_table(pa.table({"contribution": pa.array(contributions)}))


def decode_contributions(content: bytes) -> NDArray[np.float64]:
    """Return the contributions (n_turns) that `encode_contributions` wrote."""
    values: NDArray[np.float64] = decode_table(content).column("contribution").to_numpy()
    return values


def encode_figures(figures: EpisodeFigures) -> bytes:
    """Return an episode's figures as JSON bytes."""
    return _FIGURES.dump_json(figures)  # `asdict` would copy every vocabulary first


def decode_figures(content: bytes) -> EpisodeFigures:
    """Return the figures that `encode_figures` wrote."""
    return read_figures(json.loads(content))


_FIGURES = TypeAdapter(EpisodeFigures)

RECAP: Codec[Recap] = Codec(".json", encode_recap, decode_recap)
ALIGNMENTS: Codec[Sequence[tuple[Chunk, Span]]] = Codec(".parquet", encode_alignments, decode_alignments)
CONTRIBUTIONS: Codec[NDArray[np.float64]] = Codec(".parquet", encode_contributions, decode_contributions)
FIGURES: Codec[EpisodeFigures] = Codec(".json", encode_figures, decode_figures)
