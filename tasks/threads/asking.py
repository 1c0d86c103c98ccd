"""What a model is asked about the dialogues of a shard, and the stage that gathers its answers."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pyarrow as pa

from core.fingerprints import fingerprint
from core.reading.questions import Question
from core.references import UnitReference
from core.threads.config import ThreadsConfig
from core.threads.reading import KIND, VERSION, Group, Reading, Shown, gather_marks
from core.threads.reading import list_questions as ask_dialogues
from infra.prompts import read_prompt
from infra.store.answers import find_answers
from infra.store.objects import Store
from infra.tables.codecs import decode_table, json_codec
from infra.tables.threads import split_turns
from tasks.frame.asking import notice_gaps
from tasks.frame.build import UnitWork

READING = json_codec(Reading)


def list_questions(store: Store, reference: UnitReference, _: ThreadsConfig) -> Sequence[Question]:
    """Return the questions about the dialogues of a landed shard."""
    return [question for _, question in _ask(decode_table(store.read(reference.artifacts["dialogues"].key)))]


def hear_reader(work: UnitWork[ThreadsConfig], reference: UnitReference) -> UnitReference:
    """Run the stage `reading` of a shard, where the settings name a reader, and return its reference.

    A release decides how far he is believed, and what becomes of the dialogues: it knows all shards.
    """
    model, dialogues = work.config.reader.model, reference.artifacts["dialogues"]
    if not model:
        return reference
    asked = _ask(decode_table(work.store.read(dialogues.key)))
    answers = find_answers(work.store, model, [question for _, question in asked])
    inputs = [dialogues.fingerprint, fingerprint("answers", VERSION, [], answers)]
    found = work.run("reading", READING, inputs, work.config.reader, partial(gather_marks, model, asked, answers)).load()
    notices = notice_gaps("threads", found.counts)
    return replace(work.complete(reference), notices=(*reference.notices, *notices))


def _ask(dialogues: pa.Table) -> list[tuple[Group, Question]]:
    columns = (dialogues.column(name).to_pylist() for name in ("id", "pieces"))
    shown = [Shown(name, split_turns(pieces)) for name, pieces in zip(*columns, strict=True)]
    return ask_dialogues(shown, read_prompt(KIND, VERSION))
