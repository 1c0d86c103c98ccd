"""What a model is asked about the sentences of a unit, and the stage that gathers its answers."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from core.fingerprints import fingerprint
from core.reading.questions import Question
from core.references import UnitReference
from core.rooms.config import RoomsConfig
from core.rooms.reading import KIND, VERSION, Group, Reading, gather_places, group_sentences, parse_controls
from core.rooms.reading import list_questions as ask_sentences
from core.rooms.score import judge_sentence, score_parts
from infra.prompts import read_prompt, read_room_controls
from infra.store.answers import find_answers
from infra.store.objects import Store
from infra.tables.codecs import decode_table, json_codec
from infra.tables.rooms import read_parts
from tasks.frame.asking import notice_gaps
from tasks.frame.build import UnitWork

READING = json_codec(Reading)


def list_questions(store: Store, reference: UnitReference, config: RoomsConfig) -> Sequence[Question]:
    """Return the questions about a landed unit."""
    return [question for _, question in _ask(store, reference, config)]


def hear_reader(work: UnitWork[RoomsConfig], reference: UnitReference) -> UnitReference:
    """Run the stage `reading` of a unit, where the settings name a reader, and return its reference.

    A release decides how far he is believed: it knows all units.
    """
    config = work.config
    model = config.reader.model
    if not model:
        return reference
    asked = _ask(work.store, reference, config)
    answers = find_answers(work.store, model, [question for _, question in asked])
    made_from = [reference.artifacts[stage].fingerprint for stage in ("sentences", "parts")]
    inputs = [*made_from, fingerprint("answers", VERSION, [], answers)]
    settings = [config.reader, config.weights, config.selection]
    found = work.run("reading", READING, inputs, settings, partial(gather_places, model, asked, answers)).load()
    notices = notice_gaps("rooms", found.counts)
    return replace(work.complete(reference), notices=(*reference.notices, *notices))


def _ask(store: Store, reference: UnitReference, config: RoomsConfig) -> list[tuple[Group, Question]]:
    """Ask about what the score would keep; text that is not redistributable goes to no model."""
    sentences, parts = (decode_table(store.read(reference.artifacts[stage].key)) for stage in ("sentences", "parts"))
    texts, members, free = (sentences.column(name).to_pylist() for name in ("text", "member", "redistributable"))
    scores = [score_parts(found, config.weights) for found in read_parts(parts)]
    asked = [
        place
        for place, (text, score, allowed) in enumerate(zip(texts, scores, free, strict=True))
        if judge_sentence(text, score, allowed, None, config.selection) is None
    ]
    shown = [text if allowed else "" for text, allowed in zip(texts, free, strict=True)]  # neither do neighbours
    groups = group_sentences(shown, members, asked, parse_controls(read_room_controls()))
    return ask_sentences(groups, read_prompt(KIND, VERSION))
