"""What a run says of its reader, the same for every pipeline: the counts of each unit, and what they say together."""

from collections.abc import Iterable, Mapping
from typing import Any

from core.reading.belief import Reading
from core.reading.questions import name_model
from core.references import Notice

READING = "reading"
"""The stage whose artifact has what a reader says of a unit; a unit without a reader has none."""
FOUND = "found"
"""Under this name a unit's reference has what the aligner finds by itself, where a reader is heard."""


def count_reading(questions: int, answers: int, unreadable: int, weight: float) -> dict[str, int]:
    """Return the counts of a unit's reference that tell of its reader.

    `weight` is the probability that an answer is right, 0 where the reader is not heard: `believed` answers are expected to be.
    """
    return {"questions": questions, "answers": answers, "unreadable": unreadable, "believed": round(weight * answers)}


def name_decider(model: str) -> str:
    """Return the `decided_by` of a row that a reader's answers have moved; a model that reviews has the same."""
    return f"model {name_model(model).partition('@')[2]}"


def summarise_reading(model: str, units: Iterable[Mapping[str, int]]) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """Return what the counts of all units say of a reader, for `stats.json`, and the same for a person.

    `units` are the counts of the references; those of units that nothing was asked about have none of `count_reading`.
    `weight` is the mean probability that an answer is right, None without answers.
    """
    asked = [counts for counts in units if "questions" in counts]
    questions, answers, unreadable, believed = (
        sum(counts[name] for counts in asked) for name in ("questions", "answers", "unreadable", "believed")
    )
    heard = sum(counts["believed"] > 0 for counts in asked)
    told = {"model": model, "units": len(asked), "heard": heard, "questions": questions, "answers": answers}
    told |= {"unreadable": unreadable, "weight": round(believed / answers, 3) if answers else None}
    came = f"{questions:,} about {len(asked):,} units; {answers:,} have an answer, {unreadable:,} of these cannot be read"
    belief = f"{believed:,} of {answers:,} answers are expected to be right; heard in {heard:,} of {len(asked):,} units"
    rows = {"reader": model, "questions to the reader": came, "how far the reader is believed": belief}
    return told, [{"metric": metric, "value": value} for metric, value in rows.items()]


def list_notices(found: Reading, pipeline: str) -> list[Notice]:
    """Return what a person should know of a unit's reading: questions left open, answers that say nothing, no belief."""
    notices = []
    if found.answers < found.questions:
        advice = f"fabula read {pipeline} --model {found.model} --to FILE writes them"
        notices.append(Notice(what="question(s) without an answer", count=found.questions - found.answers, advice=advice))
    if found.unreadable:
        notices.append(Notice(what="answer(s) that cannot be read", count=found.unreadable, advice="they say nothing"))
    if found.answers and not found.weight:
        advice = "he does not agree with himself, or not with the aligner where that is sure"
        notices.append(Notice(what="answer(s) of a reader who is not believed", count=found.answers, advice=advice))
    return notices
