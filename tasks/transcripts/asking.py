"""What a model is asked about an episode, and the stage that hears its answers."""

from collections.abc import Sequence
from functools import partial

from core.alignment.aligners import Hearing
from core.alignment.windows import WindowAlignment
from core.dialogue import Turn
from core.reading.questions import Question
from core.references import UnitReference
from core.transcripts.aligning import leave_whole_out, locate_recap
from core.transcripts.config import TranscriptsConfig
from core.transcripts.reading import KIND, VERSION, EpisodeReading, Window, blend, gather_votes
from core.transcripts.reading import list_questions as ask_windows
from core.transcripts.recaps.recap import Recap
from infra.prompts import read_prompt
from infra.store.objects import Store
from infra.tables.transcripts.artifacts import READING, RECAP
from infra.tables.turns import DIALOGUE
from tasks.frame.asking import Heard, hear_answers
from tasks.frame.build import StageResult, UnitWork, read_stage


def list_questions(store: Store, reference: UnitReference, config: TranscriptsConfig) -> Sequence[Question]:
    """Return the questions about a landed episode."""
    turns = DIALOGUE.decode(read_stage(store, reference, "dialogue"))
    recap = RECAP.decode(read_stage(store, reference, "recap"))
    parts = leave_whole_out(recap, len(turns), config.alignment)
    return [question for _, question in _ask(reference.unit, turns, parts, config)[1]] if turns and parts.sentences else []


def hear_reader(
    work: UnitWork[TranscriptsConfig], dialogue: StageResult[Sequence[Turn]], recap: StageResult[Recap], config: TranscriptsConfig
) -> Heard[EpisodeReading]:
    """Return what the reader of the settings says of an episode; nothing where they name none."""
    parts = leave_whole_out(recap.load(), len(dialogue.load()), config.alignment) if config.reader.model else None
    if parts is None or not dialogue.load() or not parts.sentences:
        return Heard()
    located, asked = _ask(work.unit.id, dialogue.load(), parts, config)
    inputs = [dialogue.artifact.fingerprint, recap.artifact.fingerprint]
    return hear_answers(work, asked, partial(gather_votes, located=located), READING, inputs, [config.alignment])


def make_hearing(reading: EpisodeReading | None) -> Hearing | None:
    """Return how the aligner hears a reader's votes; None where they do not count."""
    if reading is None or not reading.weight:
        return None
    return lambda located: blend(located, reading.votes, reading.weight)


def _ask(
    unit: str, turns: Sequence[Turn], recap: Recap, config: TranscriptsConfig
) -> tuple[WindowAlignment, list[tuple[Window, Question]]]:
    located = locate_recap(turns, recap, config.alignment)
    return located, ask_windows(unit, turns, recap.sentences, located, read_prompt(KIND, VERSION))
