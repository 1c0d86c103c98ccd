"""Readers that are models: how they are told from people, and which of them are believed."""

from collections.abc import Iterable

from core.review.judgements import Judgement
from core.review.moments import find_moment

PREFIX = "model@"
"""How the name of a reader that is a model begins."""
MEASURED = "measured-agreement"
"""The question under which a model's measured agreement with gold is kept; its answer is "believed" or "not believed"."""
BELIEVED = "believed"


def is_model(reader: str) -> bool:
    """Tell whether a reader is a model."""
    return reader.startswith(PREFIX)


def list_believed(judgements: Iterable[Judgement]) -> frozenset[str]:
    """Return the models whose last measurement on gold was good enough. One that was never measured is not believed."""
    latest: dict[str, Judgement] = {}
    for judgement in judgements:
        if judgement.question == MEASURED and is_model(judgement.reader):
            before = latest.get(judgement.reader)
            if before is None or find_moment(before) <= find_moment(judgement):
                latest[judgement.reader] = judgement
    return frozenset(reader for reader, judgement in latest.items() if judgement.answer == BELIEVED)
