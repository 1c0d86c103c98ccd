"""What pipelines do for the reader of their settings, a model that reads, where a release decides how far it is believed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Protocol, TypeVar

from core.fingerprints import fingerprint
from core.reading.controls import Counts
from core.reading.questions import Question
from core.reading.tally import READING, count_reading, list_notices
from core.references import UnitReference
from infra.store.answers import find_answers, fingerprint_answers
from infra.tables.codecs import Codec
from tasks.frame.build import UnitWork
from tasks.frame.model import PlanRequest, Unit


class Reading(Protocol):
    """What a reader says of a unit, with how much he was asked and answered."""

    @property
    def counts(self) -> Counts:
        """The questions and answers about it."""


Found = TypeVar("Found", bound=Reading)
Shown = TypeVar("Shown")
Gather = Callable[[str, Sequence[tuple[Shown, Question]], Mapping[str, str]], Found]
"""Makes of a model's name, the questions about a unit and the texts of the answers by digest what the model says."""


def await_answers(units: Iterable[Unit], request: PlanRequest[Any]) -> Sequence[Unit]:
    """Return units that are looked at again once the reader of the settings has answered more.

    The answers are no settings: a member of a shard that fails keeps its earlier rows, whatever has been answered since.
    """
    known = fingerprint_answers(request.store, request.config.reader)
    return [replace(unit, made_from=" ".join([unit.made_from, *known])) for unit in units]


def gather_answers(
    work: UnitWork[Any],
    reference: UnitReference,
    ask: Callable[[], Sequence[tuple[Shown, Question]]],
    gather: Gather[Shown, Found],
    codec: Codec[Found],
    stages: Sequence[str],
    settings: Sequence[object] = (),
) -> UnitReference:
    """Run the stage `reading` of a unit where the settings name a reader, and return the unit's reference with it.

    Args:
        work: the unit's.
        reference: what it has so far.
        ask: returns the questions, with what they show.
        gather: makes of the answers what the stage keeps.
        codec: of that.
        stages: those that the questions are made from.
        settings: what else they depend on.
    """
    model = work.config.reader.model
    if not model:
        return reference
    asked = ask()
    answers = find_answers(work.store, model, [question for _, question in asked])
    inputs = [*(reference.artifacts[stage].fingerprint for stage in stages), fingerprint("answers", 1, [], answers)]
    found = work.run(READING, codec, inputs, [work.config.reader, *settings], partial(gather, model, asked, answers)).load()
    counts, reference = found.counts, work.complete(reference)
    told = reference.counts | count_reading(counts.questions, counts.answers, counts.unreadable)
    return replace(reference, counts=told, notices=(*reference.notices, *list_notices(counts, work.pipeline)))
