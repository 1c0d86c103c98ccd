"""How far a model that reads is believed about one unit: measured by what it says twice, and by what the aligner is sure of.

The pipelines say what agreement is: spans of turns that overlap, scenes in common.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from core.errors import SourceError
from core.reading.questions import Question, read_value

Asked = TypeVar("Asked")
Said = TypeVar("Said")

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
    asked: Sequence[tuple[Asked, Question]], answers: Mapping[str, str], read: Callable[[str, Asked], Mapping[int, Said]]
) -> tuple[dict[int, list[tuple[Asked, Said]]], int, int]:
    """Return by sentence what was said of it and where, and how many answers there are, and cannot be read.

    Args:
        asked: the questions about a unit, each with what it asks about.
        answers: texts by the digest of their question.
        read: returns what an answer says of each sentence, or raises SourceError.
    """
    votes: dict[int, list[tuple[Asked, Said]]] = {}
    unreadable = 0
    answered = [(window, answers[question.digest]) for window, question in asked if question.digest in answers]
    for window, text in answered:
        try:
            for sentence, said in read(text, window).items():
                votes.setdefault(sentence, []).append((window, said))
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
