"""Values of the `transcripts` stages as bytes in the store, and back."""

import json
from collections.abc import Sequence
from dataclasses import asdict

from core.alignment.spans import Chunk, Span
from core.dialogue import Turn
from core.transcripts.recap import Recap, RecapSection
from infra.schemas import decode_table, encode_table, read_turns, tabulate_alignments, tabulate_turns


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
