"""How far the readers of a dataset agree: exactly, roughly, and by Krippendorff's alpha, for each question."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from core.metrics.human_judgement import PositionBias, answer_of_item, measure_agreement, measure_position_bias
from core.metrics.krippendorff import differ_as_numbers, differ_nominally, measure_alpha
from core.metrics.span_agreement import measure_overlap
from core.review.decisions import is_hasty
from core.review.judgements import COMPARISONS, LEVEL_QUESTIONS, Answer, Judgement, TurnSpan
from core.review.moments import find_moment


@dataclass(frozen=True, slots=True)
class QuestionAgreement:
    """The answers to a question: how many count and how many were too fast; agreement where items have two readers."""

    question: str
    answers: int
    hasty: int
    items: int
    pairs: int
    exact: float | None
    rough: float | None
    alpha: float | None
    position_bias: PositionBias | None

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return asdict(self)


def measure_questions(judgements: Iterable[Judgement]) -> list[QuestionAgreement]:
    """Return the agreement on each question, in the order of their names; answers that were too fast do not count.

    Alpha compares levels as numbers (the interval metric), spans by 1 − F1, and anything else by equality.
    """
    asked: defaultdict[str, list[Judgement]] = defaultdict(list)
    hasty: defaultdict[str, int] = defaultdict(int)
    for judgement in _keep_last(judgements):
        hasty[judgement.question] += is_hasty(judgement)
        asked[judgement.question] += [] if is_hasty(judgement) else [judgement]
    return [_measure(question, answers, hasty[question]) for question, answers in sorted(asked.items())]


def _keep_last(judgements: Iterable[Judgement]) -> list[Judgement]:
    """Return each reader's last answer to a question about an item, whatever the release: what he saw is in its basis."""
    last: dict[tuple[str | None, ...], Judgement] = {}
    for entry in judgements:
        key = (entry.question, entry.item, entry.basis, entry.other, entry.reader)
        if key not in last or find_moment(last[key]) <= find_moment(entry):
            last[key] = entry
    return list(last.values())


def _measure(question: str, answers: list[Judgement], hasty: int) -> QuestionAgreement:
    items: defaultdict[tuple[str | None, ...], list[Judgement]] = defaultdict(list)
    for answer in answers:
        items[answer.item, answer.basis, answer.other].append(answer)
    found = measure_agreement(replace(each, version="") for each in answers)  # readers may have seen other releases of a text
    units = [[answer_of_item(each) for each in group] for group in items.values()]
    difference: Any = differ_nominally
    if question == "span":
        difference = _differ_by_overlap
    elif question in LEVEL_QUESTIONS:
        difference = differ_as_numbers
    return QuestionAgreement(
        question=question,
        answers=len(answers),
        hasty=hasty,
        items=len(items),
        pairs=0 if found is None else found.pairs,
        exact=None if found is None else found.exact,
        rough=None if found is None else found.rough,
        alpha=measure_alpha(units, difference),
        position_bias=measure_position_bias(answers) if question in COMPARISONS and answers else None,
    )


def _differ_by_overlap(one: Answer, other: Answer) -> float:
    if isinstance(one, TurnSpan) and isinstance(other, TurnSpan):
        return 1 - measure_overlap((one.start, one.end), (other.start, other.end))
    return differ_nominally(one, other)
