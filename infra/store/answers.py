"""Answers of models that read: `answers/model@<model>/<digest of the question>.json`. What has one is never asked again."""

from collections.abc import Sequence
from datetime import UTC, datetime

from pydantic import TypeAdapter

from core.reading.questions import Answer, Question, name_answers
from infra.store.objects import Store

_ANSWER = TypeAdapter(dict[str, str | int | None])


def find_answers(store: Store, model: str, questions: Sequence[Question]) -> dict[str, str]:
    """Return the texts of the answers that a model has given to questions, by the digest; a damaged one counts as none.

    Raises:
        StoreError: the store failed.
    """
    folder = name_answers(model)
    there = {*store.list_keys(folder)}
    found = {}
    for question in questions:
        key = f"{folder}/{question.digest}.json"
        kept = store.read_derived(key, _ANSWER, "the question is asked again") if key in there else None
        if kept is not None:
            found[question.digest] = str(kept["answer"])
    return found


def keep_answer(store: Store, model: str, question: Question, answer: Answer) -> None:
    """Put the answer to a question into the store, with what it is about, so that it goes when that is taken down.

    `model` is the name that the settings have; the answer has the server's own.
    """
    record = {
        "model": model,
        "answered_by": answer.model,
        "kind": question.kind,
        "prompt_version": question.version,
        "item": question.unit,
        "at": datetime.now(UTC).isoformat(),
        "tokens": answer.tokens,
        "answer": answer.text,
    }
    store.write_json(f"{name_answers(model)}/{question.digest}.json", record)
