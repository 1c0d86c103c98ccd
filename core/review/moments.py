"""When answers were given. Of a reader's answers the last counts, so moments are compared, never the texts that name them."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from core.review.judgements import Judgement


def find_moment(judgement: Judgement) -> datetime:
    """Return when an answer was given: `at` may have any offset from UTC."""
    return datetime.fromisoformat(judgement.at)


def follow_answers(now: datetime, answers: Iterable[Judgement]) -> str:
    """Return the time of a new answer: `now`, but after a reader's former `answers`, also where a clock was ahead meanwhile.

    A correction must not be older than what it corrects.
    """
    return max([now, *(find_moment(each) + timedelta(microseconds=1) for each in answers)]).isoformat()
