"""What a model is asked about the dialogues of a shard, and the stage that gathers its answers."""

from collections.abc import Sequence
from functools import partial

from core.reading.questions import Question
from core.references import UnitReference
from core.threads.config import ThreadsConfig
from core.threads.reading import KIND, VERSION, Group, Reading, Shown, gather_marks, show_mended
from core.threads.reading import list_questions as ask_dialogues
from infra.prompts import read_prompt
from infra.store.answers import find_answers
from infra.store.objects import Store
from infra.tables.codecs import decode_table, json_codec
from infra.tables.threads import is_conversation, split_turns
from tasks.frame.asking import add_reading
from tasks.frame.build import UnitWork, read_stage

READING = json_codec(Reading)


def list_questions(store: Store, reference: UnitReference, config: ThreadsConfig) -> Sequence[Question]:
    """Return the questions about the dialogues of a landed shard: also about those that the reader of the settings has mended."""
    return [question for _, question in _ask(store, reference, config)]


def hear_reader(work: UnitWork[ThreadsConfig], reference: UnitReference) -> UnitReference:
    """Run the stage `reading` of a shard, where the settings name a reader, and return its reference."""
    ask = partial(_ask, work.store, reference, work.config)
    return add_reading(work, reference, ask, gather_marks, READING, ["dialogues"], [work.config.search.min_turns])


def _ask(store: Store, reference: UnitReference, config: ThreadsConfig) -> list[tuple[Group, Question]]:
    dialogues = decode_table(read_stage(store, reference, "dialogues"))
    columns = (dialogues.column(name).to_pylist() for name in ("id", "pieces"))
    shown = {
        name: Shown(name, split_turns(pieces), replied=is_conversation(pieces)) for name, pieces in zip(*columns, strict=True)
    }
    prompt, model = read_prompt(KIND, VERSION), config.reader.model
    asked = ask_dialogues([*shown.values()], prompt)
    if not model:
        return asked
    answers = find_answers(store, model, [question for _, question in asked])
    marks = gather_marks(model, asked, answers).marks
    mended = (show_mended(shown[name], found, config.search.min_turns) for name, found in marks.items())
    return [*asked, *ask_dialogues([*filter(None, mended)], prompt)]
