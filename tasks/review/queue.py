"""The queue of an annotator: which items he sees, in which order, and what is left of it. He never sees what others answered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from core.errors import ConfigError
from core.review.decisions import is_hasty, settle
from core.review.judgements import UNSURE, WRITTEN_QUESTIONS, Judgement, WrittenQuestion, find_moment, is_model
from core.review.priority import Order, choose_side, order_items, pair_items, shuffle_items
from tasks.frame.release_spec import ReviewRow, ReviewSource

Task = Literal["decide", "compare", "write", "answer", "grade"]
"""What an annotator does: decide what becomes of rows, compare dialogues blind, or a part of the question study."""
TASKS = {
    "span": ("span", "pair", UNSURE),
    "links": ("links", "pair", UNSURE),
    "pair": ("pair", UNSURE),
    "room": ("room", UNSURE),
    "rate": ("interactions", "sense", "pair", UNSURE),
    "level": ("sense",),
    "compare": ("naturalness", "preference"),
    "write": WRITTEN_QUESTIONS,
    "answer": ("answer-factoid", "answer-choice"),
    "grade": ("grade-factoid", "grade-choice"),
}
"""The questions that each form of the page may answer."""


WHY = {
    "priority": "a look here is worth most to the dataset",
    "confidence": "the aligner is least sure here",
    "random": "drawn at random",
}
"""Why a row is at its place, by the order of the queue."""
DISPUTED = "annotators do not agree about it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """An item of a queue: `other` is what it is compared with, or the annotator whose question or answer it is about.

    `question` tells which of the study's questions, `why` what has brought a row to its place. `side` is the place at which the
    item is shown of two (1 or 2).
    """

    item: str
    unit: str
    other: str | None = None
    question: str = ""
    side: int | None = None
    why: str = ""


def plan_rows(
    source: ReviewSource, judgements: Sequence[Judgement], annotator: str, order: Order, seed: str, again: bool = False
) -> list[Place]:
    """Return the rows for an annotator to decide.

    Rows in dispute come first, in any order, unless the annotator has a part in the dispute. Rows that other people have decided
    are left out; with `again` only these are shown, so that two annotators can be compared. What the annotator has answered stays
    where it was: he can go back to it.
    """
    questions = TASKS[source.kind]
    counted = [entry for entry in judgements if entry.question in questions and not is_model(entry.annotator)]
    own = {entry.item for entry in counted if entry.annotator == annotator}
    told = [entry for entry in counted if entry.question != UNSURE]
    others = {entry.item for entry in told if entry.annotator != annotator and not is_hasty(entry)}
    disputed = {entry.item for entry in settle(judgements).disputes if annotator not in entry.annotators}
    rows = {row.item: row for row in source.rows}
    wanted = [name for name in rows if name in own or (name in others) == again or name in disputed]
    priority, sure = {name: row.priority for name, row in rows.items()}, {name: row.confidence for name, row in rows.items()}
    ordered = order_items(wanted, order, seed, priority, sure, frozenset(disputed))
    why = WHY[order]
    return [
        Place(item=name, unit=rows[name].unit, why=DISPUTED if name in disputed else rows[name].why or why) for name in ordered
    ]


def plan_comparisons(rows: Sequence[ReviewRow], others: Sequence[str], seed: str, annotator: str) -> list[Place]:
    """Return each item with one of another dataset, both at random, and the side at which it is shown, at random too.

    Every annotator of a seed compares the same pairs; the order and the sides are his own.
    """
    if not rows or not others:
        raise ConfigError("there is nothing to compare: one of the datasets has no rows")
    units, own = {row.item: row.unit for row in rows}, f"{seed} {annotator}"
    chosen = pair_items(list(units), others, seed)
    return [
        Place(item=item, unit=units[item], other=chosen[item], side=choose_side(item, chosen[item], own))
        for item in shuffle_items(list(units), own)
    ]


def plan_study(rows: Sequence[ReviewRow], judgements: Sequence[Judgement], annotator: str, task: Task, seed: str) -> list[Place]:
    """Return the items of a part of the question study, in random order.

    Questions are written about any row; another annotator answers them; the one who wrote a question grades the answer to it.
    """
    units = {row.item: row.unit for row in rows}
    if task == "write":
        return [Place(item=item, unit=units[item]) for item in shuffle_items(list(units), seed)]
    wanted = WRITTEN_QUESTIONS if task == "answer" else TASKS["answer"]
    named = {
        f"{entry.item} {entry.question} {entry.annotator}": entry
        for entry in judgements
        if entry.question in wanted
        and entry.item in units
        and (entry.annotator != annotator if task == "answer" else entry.other == annotator)
    }
    part = {"answer": "answer-", "grade": "grade-"}[task]
    return [
        Place(
            item=(entry := named[name]).item,
            unit=units[entry.item],
            other=entry.annotator,
            question=part + entry.question.partition("-")[2],
        )
        for name in shuffle_items(list(named), seed)
    ]


def show_study(
    shown: Mapping[str, Any], place: Place, task: Task, judgements: Sequence[Judgement], annotator: str
) -> dict[str, Any]:
    """Return what an annotator of the question study may see of a row: never summary and turns together before the answer.

    Who grades sees his own question, and what was answered to it.
    """
    common = {name: shown[name] for name in ("item", "unit", "title", "digest")}
    if task == "write":
        return {**common, "summary": shown["summary"]}
    kind = place.question.partition("-")[2]
    asker = place.other if task == "answer" else annotator
    written = _find(judgements, place.item, f"write-{kind}", asker)
    if task == "grade":
        given = _find([entry for entry in judgements if entry.other == annotator], place.item, f"answer-{kind}", place.other)
        common |= {"given": given.answer if given else None, "summary": shown["summary"], "turns": cut_turns(shown)}
    else:
        common |= {"turns": cut_turns(shown)}
    question = written.answer if written is not None else None
    if not isinstance(question, WrittenQuestion):
        raise ConfigError(f"{place.item}: there is no question about it")
    right = {"right": question.right} if task == "grade" else {}
    return {**common, "asked": question.asked, "choices": shuffle_items(question.choices, place.item), "study": kind, **right}


def _find(judgements: Sequence[Judgement], item: str, question: str, annotator: str | None) -> Judgement | None:
    found = [entry for entry in judgements if entry.item == item and entry.question == question and entry.annotator == annotator]
    return max(found, key=find_moment, default=None)


def cut_turns(shown: Mapping[str, Any]) -> list[Any]:
    """Return the turns of the pair alone, without those around a span."""
    span = shown.get("found")
    if span is None:
        return list(shown["turns"])
    if span["start"] is None:
        return []
    return [turn for turn in shown["turns"] if span["start"] <= turn["number"] <= span["end"]]
