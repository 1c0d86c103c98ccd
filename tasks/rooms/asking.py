"""What a model is asked about the sentences of a unit, and the stage that gathers its answers."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from core.reading.questions import Question
from core.references import UnitReference
from core.rooms.config import RoomsConfig
from core.rooms.reading import KIND, VERSION, Group, Reading, gather_places, group_sentences, parse_controls
from core.rooms.reading import list_questions as ask_sentences
from core.rooms.score import list_candidates
from infra.prompts import read_prompt, read_room_controls
from infra.store.objects import Store
from infra.tables.codecs import decode_table, json_codec
from tasks.frame.asking import add_reading
from tasks.frame.build import UnitWork, read_stage

READING = json_codec(Reading)


def list_questions(store: Store, reference: UnitReference, config: RoomsConfig) -> Sequence[Question]:
    """Return the questions about a landed unit."""
    return [question for _, question in _ask(store, reference, config)]


def hear_reader(work: UnitWork[RoomsConfig], reference: UnitReference) -> UnitReference:
    """Run the stage `reading` of a unit, where the settings name a reader, and return its reference."""
    config, stages = work.config, ["sentences", "prints"]
    ask = partial(_ask, work.store, reference, config)
    return add_reading(work, reference, ask, gather_places, READING, stages, [config.weights, config.selection])


def _ask(store: Store, reference: UnitReference, config: RoomsConfig) -> list[tuple[Group, Question]]:
    """Ask about what the points or the probability would keep; text that is not redistributable goes to no model."""
    sentences, prints = (decode_table(read_stage(store, reference, stage)) for stage in ("sentences", "prints"))
    texts, members, free = (sentences.column(name).to_pylist() for name in ("text", "member", "redistributable"))
    scores, probabilities = (prints.column(name).to_pylist() for name in ("score", "probability"))
    asked = list_candidates(texts, scores, free, probabilities, config.selection, for_reader=True)
    shown = [text if allowed else "" for text, allowed in zip(texts, free, strict=True)]  # neither do neighbours
    groups = group_sentences(shown, members, asked, parse_controls(read_room_controls()))
    doubts = [0.0 if value is None else min(value, 1 - value) for value in probabilities]
    return [
        (group, replace(question, doubt=sum(doubts[shown.place] for shown in group if shown.place is not None)))
        for group, question in ask_sentences(groups, read_prompt(KIND, VERSION))
    ]
