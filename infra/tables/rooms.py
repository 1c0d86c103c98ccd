"""Schemas of the `rooms` pipeline, and the way of sentences through them: a unit's artifacts, and the rows of a release."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.reading.belief import name_decider
from core.review.decisions import REVIEWED, Decision
from core.review.judgements import digest_row, digest_texts
from core.rooms.config import RoomsConfig, ScoreWeights
from core.rooms.copies import Copied, CopyReason, Prints
from core.rooms.descriptions import Told, find_descriptions
from core.rooms.reading import Place, rate_place
from core.rooms.score import NO_PLACE, Part, judge_sentence, score_parts
from core.rooms.sentences import Passage, Rights, RoomSentence, clean_text
from infra.tables.codecs import check_table
from infra.tables.columns import ID, PROVENANCE, REASON, SPEAKERS, STRINGS, UNIT, leave_meanings_out, optional, required
from infra.tables.parquet import Provenance, Rows

_EVIDENCE = pa.struct([required("name", pa.string()), required("count", pa.int32()), required("evidence", STRINGS)])
_POINTS = pa.struct([*_EVIDENCE, required("points", pa.float64())])
_WHERE = (
    required("document", pa.string(), "the document that the sentence is from: an episode, a file or a record"),
    optional("turn", pa.int32(), "number of the turn, where the document is a dialogue"),
    SPEAKERS,
)
SENTENCES = pa.schema(
    [
        required("member", pa.string()),
        required("number", pa.int32()),
        required("passage", pa.int32()),
        *leave_meanings_out(pa.schema(_WHERE)),
        required("place", pa.float64()),
        *(required(name, pa.string()) for name in ("text", "license", "attribution")),
        required("redistributable", pa.bool_()),
    ]
)
PARTS = pa.schema([required("parts", pa.list_(pa.field("element", _EVIDENCE, nullable=False)))])
PRINTS = pa.schema(
    [
        required("document", pa.string()),
        required("place", pa.float64()),
        required("digest", pa.int64()),
        required("eligible", pa.bool_()),
        required("score", pa.float64()),
        optional("probability", pa.float64()),
        optional("signature", pa.list_(pa.field("element", pa.uint32(), nullable=False))),
    ]
)
COPIES = pa.schema(
    [required("unit", pa.string()), required("position", pa.int64()), *(required(name, pa.string()) for name in ("reason", "of"))]
)
DIALOGUES = pa.schema(
    [
        required("episode", pa.string()),
        required("number", pa.int32()),
        required("speakers", STRINGS),
        *(required(name, pa.string()) for name in ("text", "license", "attribution")),
    ]
)
_SCORED = (
    required(
        "decided_by",
        pa.string(),
        "who decided whether it describes a place: the `probability`, the `score`, `people` (`fabula review`) or `model NAME`",
    ),
    optional(
        "probability",
        pa.float64(),
        "that it describes a place, by its words and the parts of its score; of a description that of its likeliest sentence",
    ),
    required("score", pa.float64(), "sum of the parts; of a description, those of all its sentences"),
    required(
        "parts",
        pa.list_(pa.field("element", _POINTS, nullable=False)),
        "what the score is made of: name, how often it counts, the words that show it, points",
    ),
    required(
        "analysis",
        pa.string(),
        "what found tags, entities and similar words: a trained spaCy pipeline by its name, or the offline default",
    ),
)
_TITLE = required("title", pa.string(), "the same as `document`: these sources have no other titles")
_TEXT = required("text", pa.string(), "the sentence; in `rooms`, those of the description")
_OF = required("sentences", STRINGS, "the ids of the description's sentences, in `sentences` or `rejects`")
ROOMS = pa.schema([ID, UNIT, _TITLE, *_WHERE, _TEXT, _OF, *_SCORED, *PROVENANCE])
KEPT = ROOMS.remove(ROOMS.get_field_index(_OF.name))
REJECTS = pa.schema(
    [
        ID,
        *_WHERE,
        optional("text", pa.string()),
        REASON,
        optional("copy_of", pa.string(), "the sentence that this one is a copy of"),
        *_SCORED,
        *PROVENANCE,
    ]
)


def tabulate_sentences(member: str, sentences: Sequence[RoomSentence]) -> pa.Table:
    """Return the sentences of a document or record as a table of `SENTENCES`."""
    own, rights = SENTENCES.names[1:-3], SENTENCES.names[-3:]
    rows = [
        {
            "member": member,
            **{name: getattr(sentence, name) for name in own},
            **{name: getattr(sentence.rights, name) for name in rights},
        }
        for sentence in sentences
    ]
    return pa.Table.from_pylist(rows, schema=SENTENCES)


def tabulate_parts(parts: Sequence[Sequence[Part]]) -> pa.Table:
    """Return the parts of the score of each sentence as a table of `PARTS`."""
    rows = [{"parts": [{"name": part.name, "count": part.count, "evidence": part.evidence} for part in found]} for found in parts]
    return pa.Table.from_pylist(rows, schema=PARTS)


def read_parts(table: pa.Table) -> list[tuple[Part, ...]]:
    """Return the parts of each sentence of a `PARTS` table."""
    return [
        tuple(Part(part["name"], part["count"], tuple(part["evidence"])) for part in row)
        for row in table.column("parts").to_pylist()
    ]


def tabulate_prints(
    sentences: pa.Table,
    digests: Sequence[int],
    signatures: Mapping[int, NDArray[np.uint32]],
    scores: Sequence[float],
    probabilities: Sequence[float | None],
) -> pa.Table:
    """Return what is compared of a unit's sentences (`Prints`), their scores and probabilities, as a table of `PRINTS`."""
    document, place, eligible = (sentences.column(name).to_pylist() for name in ("document", "place", "redistributable"))
    signed = [signatures.get(number) for number in range(len(digests))]
    columns = (document, place, digests, eligible, scores, probabilities, signed)
    return pa.Table.from_pydict(dict(zip(PRINTS.names, columns, strict=True)), schema=PRINTS)


def read_prints(unit: str, table: pa.Table) -> Prints:
    """Return the prints of a unit from a `PRINTS` table."""
    signatures = enumerate(table.column("signature").to_pylist())
    return Prints(
        unit,
        table.column("digest").to_numpy(),
        table.column("document").to_pylist(),
        table.column("place").to_numpy(),
        np.asarray(table.column("eligible").to_pylist(), bool),
        {place: np.array(value, np.uint32) for place, value in signatures if value is not None},
    )


def tabulate_copies(copies: Sequence[Copied], ids: Mapping[tuple[str, int], str]) -> pa.Table:
    """Return copies as a table of `COPIES`, by unit; `ids` are those of the originals."""
    rows = [
        {"unit": entry.unit, "position": entry.position, "reason": entry.reason, "of": ids[entry.original_unit, entry.original]}
        for entry in sorted(copies, key=lambda entry: (entry.unit, entry.position))
    ]
    return pa.Table.from_pylist(rows, schema=COPIES)


def read_copies(unit: str, table: pa.Table) -> dict[int, tuple[CopyReason, str]]:
    """Return the copies of a unit by position: the reason, and the id of the sentence that each repeats."""
    own = table.filter(pc.equal(table.column("unit"), unit)).to_pydict()
    return {place: (reason, of) for place, reason, of in zip(own["position"], own["reason"], own["of"], strict=True)}


def name_sentence(member: str, number: int) -> str:
    """Return the id of a sentence: that of its document or record, and its number there."""
    return f"{member}_{number:05d}"


@dataclass(frozen=True, slots=True)
class JudgedSentences:
    """All sentences of a unit as rows, with what every table has of them, and `reason`: why it is left out, None if it is kept.

    `told` is what descriptions are made of. `verdicts` are what raters say, by id and digest of a text.
    """

    rows: list[dict[str, Any]]
    told: list[Told]
    verdicts: Mapping[tuple[str, str], Decision]


def judge_sentences(
    sentences: pa.Table,
    parts: pa.Table,
    prints: pa.Table,
    copies: Mapping[int, tuple[CopyReason, str]],
    config: RoomsConfig,
    provenance: Provenance,
    reviews: Sequence[Decision] = (),
    places: Mapping[int, Place] | None = None,
    weight: float = 0.0,
) -> JudgedSentences:
    """Decide on each sentence of a unit.

    What is not redistributable is rejected without its text and the words that show a part. `prints` has the probability of each
    sentence. `reviews` are decisions of raters: a sentence that raters rejected is left out, and one that they accepted stays
    whatever its score or probability. `places` is what the reader of the settings says of sentences by number, and `weight` how
    far he is believed; equal texts have one answer.
    """
    verdicts = {(each.item, each.digest): each for each in reviews}
    texts = sentences.column("text")
    said = {texts[place].as_py(): found for place, found in (places or {}).items()} if weight else {}
    reader = name_decider(config.reader.model)
    rows: list[dict[str, Any]] = []
    told: list[Told] = []
    rated = prints.column("probability").to_pylist()
    for place, (row, found, probability) in enumerate(zip(sentences.to_pylist(), read_parts(parts), rated, strict=True)):
        score, free = score_parts(found, config.weights), row["redistributable"]
        copied, original = copies.get(place, (None, None))
        read = rate_place(said[row["text"]], weight) if row["text"] in said else None
        reason = judge_sentence(row["text"], score, free, copied, config.selection, read, probability)
        name = name_sentence(row["member"], row["number"])
        decision = verdicts.get((name, digest_row(row["text"], digest_texts(())))) if verdicts else None
        accepted = decision is not None and decision.verdict != "reject"
        if decision is not None and not accepted:
            reason = REVIEWED
        elif accepted and reason in ("score", "probability", NO_PLACE):
            reason = None
        rows.append(asdict(provenance) | {
            "id": name,
            "decided_by": decision.decided_by if decision is not None else config.selection.by if read is None else reader,
            **{name: row[name] for name in ("document", "turn", "speakers", "license", "attribution")},
            "unit": row["member"],
            "title": row["document"],
            "text": row["text"] if free else None,
            "probability": probability,
            "score": score,
            "parts": [_describe(part, config.weights, free) for part in found],
            "analysis": config.analysis.label,
            "reason": reason,
            "copy_of": original if reason == copied else None,
        })  # fmt: skip
        told.append(
            Told(
                row["text"],
                (row["member"], row["document"], row["passage"]),
                row["turn"],
                tuple(row["speakers"]),
                1.0 if accepted or read is not None else probability or 0.0,
                reason is None,
                free and reason in _BESIDE,
            )
        )
    return JudgedSentences(rows, told, verdicts)


_BESIDE = (None, "probability", "too short")
"""A sentence that was left out for one of these may stand beside others; a copy may not, since its original is in the release."""


def release_rows(
    judged: JudgedSentences,
    released: Literal["rooms", "sentences", "rejects"],
    config: RoomsConfig,
    withheld: Container[str] = (),
) -> Rows:
    """Return the rows of a unit in `ROOMS`, `KEPT` or `REJECTS`: sentences counted by outcome and score, descriptions by outcome.

    `rejects` has the descriptions too that raters rejected. No description has a sentence that is `withheld`.
    """
    rows = [] if released == "rooms" else [row for row in judged.rows if (row["reason"] is None) == (released == "sentences")]
    outcomes: list[tuple[object, ...]] = [(row["reason"] or "kept", round(row["score"])) for row in rows]
    if released != "sentences":
        whole = [row for row in _join_sentences(judged, config, withheld) if (row["reason"] is None) == (released == "rooms")]
        rows += whole
        outcomes += [("description" if row["reason"] is None else "rejected description", 0) for row in whole]
    schema = {"rooms": ROOMS, "sentences": KEPT, "rejects": REJECTS}[released]
    return Rows(pa.Table.from_pylist(rows, schema=schema), outcomes)


def _join_sentences(judged: JudgedSentences, config: RoomsConfig, withheld: Container[str]) -> Iterator[dict[str, Any]]:
    """Yield the descriptions of a unit as rows. Where the score decides, every kept sentence is one, as in the report."""
    told = [
        replace(each, kept=False, free=False) if row["id"] in withheld else each
        for row, each in zip(judged.rows, judged.told, strict=True)
    ]
    found: list[tuple[int, ...]]
    if config.selection.by == "score":
        found = [(place,) for place, each in enumerate(told) if each.kept]
    else:
        least = min(config.selection.min_probability + config.descriptions.more_alone, 1.0)
        found = find_descriptions(told, least, config.descriptions)
    for places in found:
        first, last = judged.rows[places[0]], judged.rows[places[-1]]
        own = [judged.rows[place] for place in places]
        text = " ".join(told[place].text for place in places)
        name = first["id"] if len(own) == 1 else f"{first['id']}-{last['id'].rsplit('_', 1)[1]}"
        decision = judged.verdicts.get((name, digest_row(text, digest_texts(())))) if judged.verdicts else None
        kept = next(row for place, row in zip(places, own, strict=True) if told[place].kept)
        yield first | {
            "id": name,
            "text": text,
            "sentences": [row["id"] for row in own],
            "decided_by": decision.decided_by if decision is not None else kept["decided_by"],
            "probability": max((row["probability"] for row in own if row["probability"] is not None), default=None),
            "score": sum(row["score"] for row in own),
            "parts": _add_parts(part for row in own for part in row["parts"]),
            "reason": REVIEWED if decision is not None and decision.verdict == "reject" else None,
        }


def _describe(part: Part, weights: ScoreWeights, free: bool) -> dict[str, Any]:
    evidence = part.evidence if free else ()
    return {"name": part.name, "count": part.count, "evidence": evidence, "points": getattr(weights, part.name) * part.count}


def _add_parts(parts: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the parts of several sentences, each name once."""
    found: dict[str, dict[str, Any]] = {}
    for part in parts:
        before = found.setdefault(part["name"], {"name": part["name"], "count": 0, "evidence": (), "points": 0.0})
        before |= {key: before[key] + part[key] for key in ("count", "evidence", "points")}
    return list(found.values())


def read_dialogue_passages(batches: Iterable[pa.RecordBatch], redistributable: bool) -> list[Passage]:
    """Return the turns of a released table of dialogues that say something, with their own licences.

    Raises:
        ValueError: it lacks a column, or a column has another type or rows without a value.
    """
    found = list(batches)
    table = pa.Table.from_batches(found) if found else DIALOGUES.empty_table()
    if missing := [name for name in DIALOGUES.names if name not in table.column_names]:
        raise ValueError(f"it has no column {missing[0]}")
    chosen = table.select(DIALOGUES.names)
    check_table(chosen, DIALOGUES)
    columns = (column.to_pylist() for column in chosen.columns)
    return [
        Passage(episode, said, Rights(license_, attribution, redistributable), number, tuple(speakers))
        for episode, number, speakers, text, license_, attribution in zip(*columns, strict=True)
        if (said := clean_text(text))
    ]
