"""What a model is asked about the films of a shard, and the stage that gathers its answers."""

from collections.abc import Sequence

from core.reading.questions import Question
from core.references import UnitReference
from core.subtitles.config import SubtitlesConfig
from core.subtitles.reading import KIND, VERSION, Asked, FilmText, Reading
from core.subtitles.reading import gather_answers as gather_same
from core.subtitles.reading import list_questions as ask_films
from infra.prompts import read_prompt
from infra.store.objects import Store
from infra.tables.codecs import decode_table, json_codec
from tasks.frame.asking import add_reading
from tasks.frame.build import UnitWork, read_stage

READING = json_codec(Reading)


def list_questions(store: Store, reference: UnitReference, _: SubtitlesConfig) -> Sequence[Question]:
    """Return the questions about the films of a landed shard."""
    return [question for _, question in _ask(store, reference)]


def hear_reader(work: UnitWork[SubtitlesConfig], reference: UnitReference) -> UnitReference:
    """Run the stage `reading` of a shard, where the settings name a reader, and return its reference."""
    return add_reading(work, reference, lambda: _ask(work.store, reference), gather_same, READING, ["films"])


def _ask(store: Store, reference: UnitReference) -> list[tuple[Asked, Question]]:
    films = decode_table(read_stage(store, reference, "films"))
    columns = (films.column(name).to_pylist() for name in ("film", "turns", "summary"))
    texts = [FilmText(film, tuple(turn["text"] for turn in turns), told) for film, turns, told in zip(*columns, strict=True)]
    return ask_films(texts, read_prompt(KIND, VERSION))
