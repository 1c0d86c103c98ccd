"""How far a model that reads is believed about one unit, and what a run says of it: the same for every pipeline.

A reader is measured by what he says twice, and by what the aligner is sure of, or by faults that were put there. The pipelines
say what agreement is: spans of turns that overlap, scenes in common.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from core.errors import SourceError
from core.reading.questions import Question, name_model, read_value
from core.references import Notice

Asked = TypeVar("Asked")
Place = TypeVar("Place")
Said = TypeVar("Said")

READING = "reading"
"""The stage whose artifact has what a reader says of a unit; a unit without a reader has none."""
FOUND = "found"
"""Under this name a unit's reference has what the aligner finds by itself, where a reader is heard."""
LEAST = 0.5
"""A reader is heard if he is surely right more often than this: of chance, or one answer for all, hardly a third agrees."""
MOST = 0.97
"""Two readers of one episode agreed on so much of it (CRD3's gold): no reader is right more often."""
LEAST_TESTED = 5
"""What was read twice, and what the aligner is sure of, below which nothing is known of a reader."""


def weigh_reader(twice: Sequence[bool], sure: Sequence[bool], certainty: float, least_twice: int = LEAST_TESTED) -> float:
    """Return the probability that a reader is right, as far as a unit alone can tell; 0 where he is not to be heard.

    If each answer is right with the probability p, answers to two independent questions about a sentence are alike in a share of
    at least p². And where the aligner is sure, a reader who really reads finds the same place. One who always answers the same,
    or by chance, may agree with himself or with the aligner, but hardly with both. He is heard if the lower bounds of both
    (Wilson, 1927) reach `LEAST`. His weight is then the lower estimate, with one success and one failure added to those seen.

    Args:
        twice: whether the two answers to a sentence that was asked about twice are alike.
        sure: whether his answer to a sentence that the aligner is sure of is the aligner's.
        certainty: the share of these in which the aligner is right.
        least_twice: the fewest sentences in `twice` that tell anything.
    """
    if len(twice) < least_twice or len(sure) < LEAST_TESTED:
        return 0.0
    if min(math.sqrt(bound_share(twice)), bound_share(sure) / certainty) < LEAST:
        return 0.0
    return min(math.sqrt(estimate_share(twice)), estimate_share(sure) / certainty, MOST)


def weigh_marks(caught: Sequence[bool], others: Sequence[bool], twice: Sequence[tuple[bool, bool]]) -> float:
    """Return the probability that a reader knows what he marks; 0 where he is not to be heard.

    Two measures estimate the probability p that he knows a place, and does not guess: he finds the share p of the faults beyond
    what he marks anyway, and agrees with himself in p² of the places beyond chance (Cohen's kappa). Both are corrected for
    chance, so that one who marks nothing, everything or at random has 0 in at least one. He is heard if the lower bounds of both
    (Wilson, 90 %) reach `LEAST`. His weight is then the lower estimate, with one success and one failure added to those seen.

    Args:
        caught: for each fault that was put there, whether he marked it.
        others: for each other place of these texts, whether he marked it.
        twice: for each place that two questions asked about, whether he marked it in either.
    """
    if min(len(caught), len(others), len(twice)) < LEAST_TESTED:
        return 0.0
    often = sum(others) / len(others)
    first, second = (sum(pair[side] for pair in twice) / len(twice) for side in (0, 1))
    by_chance = first * second + (1 - first) * (1 - second)
    alike = [one == other for one, other in twice]

    def correct(share: float, chance: float) -> float:  # the part of what chance leaves
        return (share - chance) / (1 - chance) if chance < 1 else 0.0

    def know(found: float, agreed: float) -> float:
        return min(correct(found, often), math.sqrt(max(correct(agreed, by_chance), 0.0)))

    if know(bound_share(caught), bound_share(alike)) < LEAST:
        return 0.0
    return max(min(know(estimate_share(caught), estimate_share(alike)), MOST), 0.0)


def bound_share(outcomes: Sequence[bool]) -> float:
    """Return the lower bound of the 90 % interval of a share, by Wilson's score."""
    n, z = len(outcomes), 1.645
    share = sum(outcomes) / n
    middle, spread = share + z * z / (2 * n), z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, (middle - spread) / (1 + z * z / n))  # of none, rounding may leave less than nothing


def estimate_share(outcomes: Sequence[bool]) -> float:
    """Return a share as it is expected after its outcomes: with one success and one failure more than were seen."""
    return (sum(outcomes) + 1) / (len(outcomes) + 2)


def group_sentences(n_sentences: int, most: int, shared: int, least_twice: int = LEAST_TESTED) -> list[range]:
    """Return the sentences of each question: `most` in a row, the last `shared` of them again in the next question.

    The questions of a short summary share more, so that at least `least_twice` of its sentences are asked about twice. Where it
    has fewer than two sentences more than that, nothing is asked twice.
    """
    fewer = (n_sentences - 1, 1) if n_sentences <= most else (most, most - shared)
    for length, step in [*((most, step) for step in range(most - shared, 1, -1)), fewer]:
        groups = _cut(n_sentences, length, step)
        if sum(len(group) for group in groups) - n_sentences >= least_twice:
            return groups
    return _cut(n_sentences, most, most - shared)


def _cut(n_sentences: int, length: int, step: int) -> list[range]:
    starts = range(0, max(n_sentences - length + step, 1), step)
    return [range(start, min(start + length, n_sentences)) for start in starts]


@dataclass(frozen=True, slots=True)
class Counts:
    """How many questions about a unit a model was asked, how many have an answer, and how many of these cannot be read."""

    model: str
    questions: int
    answers: int
    unreadable: int


@dataclass(frozen=True, slots=True)
class Reading(Counts):
    """The same of a unit that tells by itself how far the reader is believed; his votes are a pipeline's."""

    weight: float


def gather_answers(
    asked: Sequence[tuple[Asked, Question]], answers: Mapping[str, str], read: Callable[[str, Asked], Mapping[Place, Said]]
) -> tuple[dict[Place, list[tuple[Asked, Said]]], int, int]:
    """Return by sentence, or other place, what was said of it and where; how many answers there are, and cannot be read.

    Args:
        asked: the questions about a unit, each with what it asks about.
        answers: texts by the digest of their question.
        read: returns what an answer says of each place, or raises SourceError.
    """
    votes: dict[Place, list[tuple[Asked, Said]]] = {}
    unreadable = 0
    answered = [(window, answers[question.digest]) for window, question in asked if question.digest in answers]
    for window, text in answered:
        try:
            for place, said in read(text, window).items():
                votes.setdefault(place, []).append((window, said))
        except SourceError:
            unreadable += 1
    return votes, len(answered), unreadable


def read_entries(answer: str, name: str) -> list[dict[str, Any]]:
    """Return the list `name` of the JSON object that stands in an answer, perhaps among other words.

    Raises:
        SourceError: there is no such object, or the list is none of objects.
    """
    try:
        return [{**entry} for entry in read_value(answer, name)]
    except TypeError:
        raise SourceError(f"the answer {answer[:60]!r} has no {name}; expected a list of objects") from None


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
