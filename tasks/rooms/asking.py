"""What a model is asked about the sentences of a unit, and the stage that gathers its answers."""

from collections.abc import Sequence

import pyarrow as pa

from core.reading.questions import Question
from core.references import UnitReference
from core.rooms.config import RoomsConfig
from core.rooms.reading import KIND, VERSION, Group, Reading, group_sentences, parse_controls
from core.rooms.reading import list_questions as ask_sentences
from core.rooms.score import judge_sentence, score_parts
from infra.prompts import read_prompt, read_room_controls
from infra.store.objects import Store
from infra.tables.codecs import decode_table, json_codec
from infra.tables.rooms import read_parts

READING = json_codec(Reading)


def list_questions(store: Store, reference: UnitReference, config: RoomsConfig) -> Sequence[Question]:
    """Return the questions about a landed unit."""
    sentences, parts = (decode_table(store.read(reference.artifacts[stage].key)) for stage in ("sentences", "parts"))
    return [question for _, question in _ask(reference.unit, sentences, parts, config)]


def _ask(unit: str, sentences: pa.Table, parts: pa.Table, config: RoomsConfig) -> list[tuple[Group, Question]]:
    """Ask about what the score would keep; text that is not redistributable goes to no model."""
    texts, documents, free = (sentences.column(name).to_pylist() for name in ("text", "document", "redistributable"))
    scores = [score_parts(found, config.weights) for found in read_parts(parts)]
    asked = [
        place
        for place, (text, score, allowed) in enumerate(zip(texts, scores, free, strict=True))
        if judge_sentence(text, score, allowed, None, config.selection) is None
    ]
    groups = group_sentences(texts, documents, asked, parse_controls(read_room_controls()))
    return ask_sentences(unit, groups, read_prompt(KIND, VERSION))
