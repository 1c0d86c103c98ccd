"""Answers of models that read: `answers/model@<model>/<digest of the question>.json`. What has one is not asked again."""

from collections.abc import Sequence
from datetime import UTC, datetime

from pydantic import TypeAdapter

from core.fingerprints import fingerprint
from core.reading.questions import MOST_ANSWER_CHARACTERS, Answer, Question, ReaderConfig, name_answers
from infra.store.objects import Store

_ANSWER = TypeAdapter(dict[str, str | int | None])


def find_answers(store: Store, model: str, questions: Sequence[Question]) -> dict[str, str]:
    """Return the texts of the answers that a model has given to questions, by the digest; errors as in `read_answers`."""
    return {digest: answer.text for digest, answer in read_answers(store, model, questions).items()}


def read_answers(store: Store, model: str, questions: Sequence[Question]) -> dict[str, Answer]:
    """Return the answers that a model has given to questions, by the digest; a damaged one counts as none.

    Raises:
        StoreError: the store failed.
    """
    there = {*store.list_keys(name_answers(model))}
    found = {}
    for question in questions:
        key = _key(model, question)
        kept = store.read_derived(key, _ANSWER, "the question is asked again") if key in there else None
        if kept is not None and kept["model"] == model:
            tokens = kept.get("tokens")
            text, answered_by = str(kept["answer"]), str(kept.get("answered_by") or "")
            found[question.digest] = Answer(question.digest, text, answered_by, tokens if isinstance(tokens, int) else None)
    return found


def fingerprint_answers(store: Store, reader: ReaderConfig) -> list[str]:
    """Return a digest of the reader's answers, by which a run sees that new ones have come; nothing without a reader."""
    if not reader.model:
        return []
    known = [f"{found.key} {found.size} {found.modified}" for found in store.list_objects(name_answers(reader.model))]
    return [fingerprint("answers", 1, known, reader)]


def keep_answer(
    store: Store, model: str, question: Question, text: str, answered_by: str = "", tokens: int | None = None
) -> None:
    """Put the answer to a question into the store, with what it is about, so that it goes when that is taken down.

    `model` is the name that the settings have, `answered_by` the server's own, `tokens` are those of question and answer.
    """
    record = {
        "model": model,
        "answered_by": answered_by,
        "kind": question.kind,
        "prompt_version": question.version,
        "item": question.unit,
        "at": datetime.now(UTC).isoformat(),
        "tokens": tokens,
        "answer": text[:MOST_ANSWER_CHARACTERS],
    }
    store.write_json(_key(model, question), record)


def _key(model: str, question: Question) -> str:
    return f"{name_answers(model)}/{question.digest}.json"
