"""What a model is asked about the films of a shard, and the stage that gathers its answers."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from core.fingerprints import fingerprint
from core.reading.questions import Question
from core.references import UnitReference
from core.subtitles.config import SubtitlesConfig
from core.subtitles.reading import KIND, VERSION, Asked, FilmText, Reading, gather_answers
from core.subtitles.reading import list_questions as ask_films
from infra.prompts import read_prompt
from infra.store.answers import find_answers
from infra.store.objects import Store
from infra.tables.codecs import decode_table, json_codec
from tasks.frame.asking import notice_gaps
from tasks.frame.build import UnitWork

READING = json_codec(Reading)


def list_questions(store: Store, reference: UnitReference, _: SubtitlesConfig) -> Sequence[Question]:
    """Return the questions about the films of a landed shard."""
    return [question for _, question in _ask(store, reference)]


def hear_reader(work: UnitWork[SubtitlesConfig], reference: UnitReference) -> UnitReference:
    """Run the stage `reading` of a shard, where the settings name a reader, and return its reference.

    A release decides how far he is believed: it knows all shards.
    """
    model = work.config.reader.model
    if not model:
        return reference
    asked = _ask(work.store, reference)
    answers = find_answers(work.store, model, [question for _, question in asked])
    inputs = [reference.artifacts["films"].fingerprint, fingerprint("answers", VERSION, [], answers)]
    found = work.run("reading", READING, inputs, work.config.reader, partial(gather_answers, model, asked, answers)).load()
    return replace(work.complete(reference), notices=(*reference.notices, *notice_gaps("subtitles", found.counts)))


def _ask(store: Store, reference: UnitReference) -> list[tuple[Asked, Question]]:
    films = decode_table(store.read(reference.artifacts["films"].key))
    columns = (films.column(name).to_pylist() for name in ("film", "turns", "summary"))
    texts = [FilmText(film, tuple(turn["text"] for turn in turns), told) for film, turns, told in zip(*columns, strict=True)]
    return ask_films(texts, read_prompt(KIND, VERSION))
