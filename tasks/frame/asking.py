"""What pipelines do for the reader of their settings, a model that reads: when units are looked at again, and what is missing."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from core.fingerprints import fingerprint
from core.reading.controls import Counts
from core.reading.questions import name_answers
from core.references import Notice
from tasks.frame.model import PlanRequest, Unit


def await_answers(units: Iterable[Unit], request: PlanRequest[Any]) -> Sequence[Unit]:
    """Return units that are looked at again once the reader of the settings has answered more.

    The answers are no settings: a member of a shard that fails keeps its earlier rows, whatever has been answered since.
    """
    reader = request.config.reader
    if not reader.model:
        return [*units]
    known = fingerprint("answers", 1, request.store.list_keys(name_answers(reader.model)), reader)
    return [replace(unit, made_from=f"{unit.made_from} {known}") for unit in units]


def notice_gaps(dataset: str, counts: Counts) -> list[Notice]:
    """Return what a person should know of a unit's answers: those that are missing, and those that cannot be read."""
    notices = []
    if counts.answers < counts.questions:
        advice = f"fabula read {dataset} --model {counts.model} --to FILE writes them"
        notices.append(Notice(what="question(s) without an answer", count=counts.questions - counts.answers, advice=advice))
    if counts.unreadable:
        notices.append(Notice(what="answer(s) that cannot be read", count=counts.unreadable, advice="they say nothing"))
    return notices
