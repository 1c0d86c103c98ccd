"""Shows a landed unit's sentences with their scores, part by part."""

from collections.abc import Iterator, Sequence

from core.references import UnitReference
from core.rooms.score import Part
from infra.store.objects import Store
from infra.tables.codecs import decode_table
from infra.tables.rooms import name_sentence, read_parts


def explain_sentences(store: Store, reference: UnitReference, name: str) -> Iterator[str]:
    """Yield the sentences of a unit, or of one of its records, as lines: id, score, text, then the parts of the score.

    `fabula show` with a sentence's id shows the points of each part too.
    """
    tables = [decode_table(store.read(reference.artifacts[stage].key)) for stage in ("sentences", "parts", "prints")]
    sentences, parts, prints = tables
    scores = prints.column("score").to_pylist()
    for row, found, score in zip(sentences.to_pylist(), read_parts(parts), scores, strict=True):
        if name in (row["member"], reference.unit):
            yield f"{name_sentence(row['member'], row['number'])}  {score:+g}  {row['text']}"
            if found:
                yield f"      {describe_parts(found)}"


def describe_parts(parts: Sequence[Part]) -> str:
    """Return parts as text: `room 2 (chamber 0.71, hall 0.55); question 1`."""
    return "; ".join(f"{part.name} {part.count}" + (f" ({', '.join(part.evidence)})" if part.evidence else "") for part in parts)
