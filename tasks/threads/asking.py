"""What a model is asked about the dialogues of a shard, and the stage that gathers its answers."""

from collections.abc import Sequence

from core.reading.questions import Question
from core.references import UnitReference
from core.threads.config import ThreadsConfig
from core.threads.reading import KIND, VERSION, Group, Reading, Shown, gather_marks
from core.threads.reading import list_questions as ask_dialogues
from infra.prompts import read_prompt
from infra.store.objects import Store
from infra.tables.codecs import decode_table, json_codec
from infra.tables.threads import split_turns
from tasks.frame.asking import gather_answers
from tasks.frame.build import UnitWork

READING = json_codec(Reading)


def list_questions(store: Store, reference: UnitReference, _: ThreadsConfig) -> Sequence[Question]:
    """Return the questions about the dialogues of a landed shard."""
    return [question for _, question in _ask(store, reference)]


def hear_reader(work: UnitWork[ThreadsConfig], reference: UnitReference) -> UnitReference:
    """Run the stage `reading` of a shard, where the settings name a reader, and return its reference."""
    return gather_answers(work, reference, lambda: _ask(work.store, reference), gather_marks, READING, ["dialogues"])


def _ask(store: Store, reference: UnitReference) -> list[tuple[Group, Question]]:
    dialogues = decode_table(store.read(reference.artifacts["dialogues"].key))
    columns = (dialogues.column(name).to_pylist() for name in ("id", "pieces"))
    shown = [Shown(name, split_turns(pieces)) for name, pieces in zip(*columns, strict=True)]
    return ask_dialogues(shown, read_prompt(KIND, VERSION))
