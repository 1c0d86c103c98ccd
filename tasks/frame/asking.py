"""What pipelines do for the reader of their settings, a model that reads."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Generic, TypeVar

from core.fingerprints import fingerprint
from core.reading.belief import READING, Counts, count_reading, list_notices
from core.reading.questions import Question
from core.references import Notice, UnitReference
from infra.store.answers import find_answers, fingerprint_answers
from infra.store.objects import Store
from infra.tables.codecs import Codec
from tasks.frame.build import UnitWork
from tasks.frame.model import PlanRequest, Unit
from tasks.frame.pipeline import Part

Said = TypeVar("Said", bound=Counts)
Shown = TypeVar("Shown")
Gather = Callable[[str, Sequence[tuple[Shown, Question]], Mapping[str, str]], Said]
"""Takes a model's name, the questions about a unit, and the texts of the answers by digest; returns what the model says."""
LIST_QUESTIONS: Part[Callable[[Store, UnitReference, Any], Sequence[Question]]] = Part("list_questions", ("asking",))
"""Lists what a model that reads is asked about a landed unit."""


def await_answers(units: Iterable[Unit], request: PlanRequest[Any]) -> Sequence[Unit]:
    """Return units that are looked at again once the reader of the settings has answered more.

    The answers are no settings: a member of a shard that fails keeps its earlier rows, whatever has been answered since.
    """
    known = fingerprint_answers(request.store, request.config.reader)
    return [replace(unit, made_from=" ".join([unit.made_from, *known])) for unit in units]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard(Generic[Said]):
    """What the reader of the settings says of a unit.

    `reading` is what the stage keeps (None: nothing was asked), `inputs` what it adds to the fingerprints of the stages
    that hear it, `counts` to those of the unit's reference, and `notices` are for a person.
    """

    reading: Said | None = None
    inputs: Sequence[str] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    notices: Sequence[Notice] = ()


def hear_answers(
    work: UnitWork[Any],
    asked: Sequence[tuple[Shown, Question]],
    gather: Gather[Shown, Said],
    codec: Codec[Said],
    inputs: Iterable[str],
    settings: Sequence[object] = (),
) -> Heard[Said]:
    """Run the stage `reading` of a unit.

    Args:
        work: the unit's, whose settings name a reader.
        asked: the questions, with what they show.
        gather: makes of the answers what the stage keeps.
        codec: of that.
        inputs: fingerprints of what the questions are made from.
        settings: what else they depend on.
    """
    model = work.config.reader.model
    answers = find_answers(work.store, model, [question for _, question in asked])
    heard = [*inputs, fingerprint("answers", 1, [], answers)]
    reading = work.run(READING, codec, heard, [work.config.reader, *settings], partial(gather, model, asked, answers))
    found = reading.load()
    return Heard(
        reading=found,
        inputs=[reading.artifact.fingerprint],
        counts=count_reading(found),
        notices=list_notices(found, work.pipeline),
    )


def add_reading(
    work: UnitWork[Any],
    reference: UnitReference,
    ask: Callable[[], Sequence[tuple[Shown, Question]]],
    gather: Gather[Shown, Said],
    codec: Codec[Said],
    stages: Sequence[str],
    settings: Sequence[object] = (),
) -> UnitReference:
    """Return the reference of a unit with the stage `reading`, where the settings name a reader and a release decides his belief.

    `stages` are those of `reference` that the questions of `ask` are made from; the others are as `hear_answers` says.
    """
    if not work.config.reader.model:
        return reference
    inputs = [reference.artifacts[stage].fingerprint for stage in stages]
    heard = hear_answers(work, ask(), gather, codec, inputs, settings)
    reference = work.complete(reference)
    return replace(reference, counts={**reference.counts, **heard.counts}, notices=(*reference.notices, *heard.notices))
