"""What a model is asked about an episode, and the stage that hears its answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from core.alignment.aligners import Hearing
from core.alignment.windows import WindowAlignment
from core.dialogue import Turn
from core.fingerprints import fingerprint
from core.reading.questions import Question
from core.reading.tally import READING as STAGE
from core.reading.tally import count_reading, list_notices
from core.references import Notice, UnitReference
from core.transcripts.aligning import leave_whole_out, locate_recap
from core.transcripts.config import TranscriptsConfig
from core.transcripts.reading import KIND, VERSION, Window, blend, gather_votes
from core.transcripts.reading import list_questions as ask_windows
from core.transcripts.recaps.recap import Recap
from infra.prompts import read_prompt
from infra.store.answers import find_answers
from infra.store.objects import Store
from infra.tables.transcripts.artifacts import READING, RECAP
from infra.tables.turns import DIALOGUE
from tasks.frame.build import StageResult, UnitWork


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What the reader of the settings changes in an episode.

    `hear` weighs his answers (None: they do not count), `inputs` is what they add to the fingerprint of the alignments, `counts`
    to those of the unit's reference, and `notices` are for a person.
    """

    hear: Hearing | None = None
    inputs: Sequence[str] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    notices: Sequence[Notice] = ()


def list_questions(store: Store, reference: UnitReference, config: TranscriptsConfig) -> Sequence[Question]:
    """Return the questions about a landed episode."""
    turns = DIALOGUE.decode(store.read(reference.artifacts["dialogue"].key))
    recap = RECAP.decode(store.read(reference.artifacts["recap"].key))
    parts = leave_whole_out(recap, len(turns), config.alignment)
    return [question for _, question in _ask(reference.unit, turns, parts, config)[1]] if turns and parts.sentences else []


def hear_reader(
    work: UnitWork[TranscriptsConfig], dialogue: StageResult[Sequence[Turn]], recap: StageResult[Recap], config: TranscriptsConfig
) -> Heard:
    """Return how the aligner hears the reader of the settings; nothing changes where they name none."""
    parts = leave_whole_out(recap.load(), len(dialogue.load()), config.alignment) if config.reader.model else None
    if parts is None or not dialogue.load() or not parts.sentences:
        return Heard()
    located, asked = _ask(work.unit.id, dialogue.load(), parts, config)
    answers = find_answers(work.store, config.reader.model, [question for _, question in asked])
    heard = fingerprint("answers", VERSION, [], answers)
    inputs = [dialogue.artifact.fingerprint, recap.artifact.fingerprint, heard]
    gather = partial(gather_votes, config.reader.model, asked, answers, located)
    reading = work.run(STAGE, READING, inputs, [config.reader, config.alignment], gather)
    found = reading.load()
    return Heard(
        hear=(lambda alignment: blend(alignment, found.votes, found.weight)) if found.weight else None,
        inputs=[reading.artifact.fingerprint],
        counts=count_reading(found.questions, found.answers, found.unreadable, found.weight),
        notices=list_notices(found, "transcripts"),
    )


def _ask(
    unit: str, turns: Sequence[Turn], recap: Recap, config: TranscriptsConfig
) -> tuple[WindowAlignment, list[tuple[Window, Question]]]:
    located = locate_recap(turns, recap, config.alignment)
    return located, ask_windows(unit, turns, recap.sentences, located, read_prompt(KIND, VERSION))
