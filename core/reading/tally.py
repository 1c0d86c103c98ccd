"""What a run says of its reader, the same for every pipeline: the counts of each unit, and what they say together."""

from collections.abc import Iterable, Mapping
from typing import Any

from core.reading.belief import Counts, Reading
from core.reading.questions import name_model
from core.references import Notice

READING = "reading"
"""The stage whose artifact has what a reader says of a unit; a unit without a reader has none."""
FOUND = "found"
"""Under this name a unit's reference has what the aligner finds by itself, where a reader is heard."""


def count_reading(found: Counts) -> dict[str, int]:
    """Return the counts of a unit's reference that tell of its reader.

    `believed` is how many answers are expected to be right, by the weight of a `Reading`. Other counts lack it: there, only all
    units together tell.
    """
    counts = {"questions": found.questions, "answers": found.answers, "unreadable": found.unreadable}
    return counts | {"believed": round(found.weight * found.answers)} if isinstance(found, Reading) else counts


def name_decider(model: str) -> str:
    """Return the `decided_by` of a row that a reader's answers have moved; a model that reviews has the same."""
    return f"model {name_model(model).partition('@')[2]}"


def summarise_reading(
    model: str, units: Iterable[Mapping[str, int]], belief: float | None = None
) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """Return what the counts of all units say of a reader, for `stats.json`, and the same for a person.

    `units` are the counts of the references; those of units that nothing was asked about have none of `count_reading`.
    `belief` is the probability that an answer is right, where all units together tell it. `weight` is its mean, None without
    answers.
    """
    asked = [counts for counts in units if "questions" in counts]
    questions, answers, unreadable = (sum(counts[name] for counts in asked) for name in ("questions", "answers", "unreadable"))
    if belief is None:
        believed = sum(counts["believed"] for counts in asked)
        heard = sum(counts["believed"] > 0 for counts in asked)
    else:
        believed, heard = round(belief * answers), sum(counts["answers"] > 0 for counts in asked) if belief else 0
    weight = round(believed / answers if belief is None else belief, 3) if answers else None
    told = {"model": model, "units": len(asked), "heard": heard, "questions": questions, "answers": answers}
    told |= {"unreadable": unreadable, "weight": weight}
    came = f"{questions:,} about {len(asked):,} units; {answers:,} have an answer, {unreadable:,} of these cannot be read"
    expected = f"{believed:,} of {answers:,} answers are expected to be right; heard in {heard:,} of {len(asked):,} units"
    rows = {"reader": model, "questions to the reader": came, "how far the reader is believed": expected}
    return told, [{"metric": metric, "value": value} for metric, value in rows.items()]


def list_notices(found: Counts, pipeline: str) -> list[Notice]:
    """Return what a person should know of a unit's reading: questions left open, answers that say nothing, no belief.

    Counts that are no `Reading` have no belief: only all units together tell it.
    """
    notices = []
    if found.answers < found.questions:
        advice = f"fabula read {pipeline} --model {found.model} --to FILE writes them"
        notices.append(Notice(what="question(s) without an answer", count=found.questions - found.answers, advice=advice))
    if found.unreadable:
        notices.append(Notice(what="answer(s) that cannot be read", count=found.unreadable, advice="they say nothing"))
    if isinstance(found, Reading) and found.answers and not found.weight:
        advice = "he does not agree with himself, or not with the aligner where that is sure"
        notices.append(Notice(what="answer(s) of a reader who is not believed", count=found.answers, advice=advice))
    return notices
