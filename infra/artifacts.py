"""Values of the `transcripts` stages as bytes in the store, and back."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Generic, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.alignment.spans import Chunk, Span
from core.dialogue import Turn
from core.transcripts.recaps.recap import Recap, RecapSection
from core.transcripts.statistics.episode_figures import EpisodeFigures, read_figures
from infra.schemas import decode_table, encode_table, read_alignments, read_turns, tabulate_alignments, tabulate_turns

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Codec(Generic[Value]):
    """How a stage's value becomes bytes and comes back; `suffix` is the file name's, with its dot."""

    suffix: str
    encode: Callable[[Value], bytes]
    decode: Callable[[bytes], Value]


def encode_turns(turns: Sequence[Turn]) -> bytes:
    """Return turns as Parquet bytes."""
    return encode_table(tabulate_turns(turns))


def decode_turns(content: bytes) -> list[Turn]:
    """Return the turns that `encode_turns` wrote."""
    return read_turns(decode_table(content))


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
    return json.dumps(asdict(figures), ensure_ascii=False).encode()


def decode_figures(content: bytes) -> EpisodeFigures:
    """Return the figures that `encode_figures` wrote."""
    return read_figures(json.loads(content))


DIALOGUE: Codec[Sequence[Turn]] = Codec(".parquet", encode_turns, decode_turns)
RECAP: Codec[Recap] = Codec(".json", encode_recap, decode_recap)
ALIGNMENTS: Codec[Sequence[tuple[Chunk, Span]]] = Codec(".parquet", encode_alignments, decode_alignments)
CONTRIBUTIONS: Codec[NDArray[np.float64]] = Codec(".parquet", encode_contributions, decode_contributions)
FIGURES: Codec[EpisodeFigures] = Codec(".json", encode_figures, decode_figures)
