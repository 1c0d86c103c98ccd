"""What a model is asked about an episode, and the stage that hears its answers."""

from collections.abc import Sequence
from functools import partial

from core.alignment.aligners import Hearing
from core.alignment.windows import WindowAlignment
from core.dialogue import Turn
from core.fingerprints import fingerprint
from core.reading.belief import tell_reading
from core.reading.questions import Question
from core.references import Notice, UnitReference
from core.transcripts.aligning import locate_recap
from core.transcripts.config import TranscriptsConfig
from core.transcripts.reading import KIND, VERSION, EpisodeReading, Window, blend, gather_votes
from core.transcripts.reading import list_questions as ask_windows
from core.transcripts.recaps.recap import Recap
from infra.prompts import read_prompt
from infra.store.answers import find_answers
from infra.store.objects import Store
from infra.tables.codecs import json_codec
from infra.tables.transcripts.artifacts import RECAP
from infra.tables.turns import DIALOGUE
from tasks.frame.build import StageResult, UnitWork

READING = json_codec(EpisodeReading)


def list_questions(store: Store, reference: UnitReference, config: TranscriptsConfig) -> Sequence[Question]:
    """Return the questions about a landed episode."""
    turns = DIALOGUE.decode(store.read(reference.artifacts["dialogue"].key))
    recap = RECAP.decode(store.read(reference.artifacts["recap"].key))
    return [question for _, question in _ask(reference.unit, turns, recap, config)[1]] if turns and recap.sentences else []


def hear_reader(
    work: UnitWork[TranscriptsConfig], dialogue: StageResult[Sequence[Turn]], recap: StageResult[Recap], config: TranscriptsConfig
) -> tuple[Hearing | None, list[str], list[Notice]]:
    """Return how the aligner hears the reader of the settings, what his answers add to its fingerprint, and what to look at."""
    if not config.reader.model or not dialogue.load() or not recap.load().sentences:
        return None, [], []
    located, asked = _ask(work.unit.id, dialogue.load(), recap.load(), config)
    answers = find_answers(work.store, config.reader.model, [question for _, question in asked])
    heard = fingerprint("answers", VERSION, [], answers)
    inputs = [dialogue.artifact.fingerprint, recap.artifact.fingerprint, heard]
    gather = partial(gather_votes, config.reader.model, asked, answers, located)
    reading = work.run("reading", READING, inputs, [config.reader, config.alignment], gather)
    found = reading.load()
    return (
        lambda alignment: blend(alignment, found.votes, found.weight),
        [reading.artifact.fingerprint],
        tell_reading(found, "transcripts"),
    )


def _ask(
    unit: str, turns: Sequence[Turn], recap: Recap, config: TranscriptsConfig
) -> tuple[WindowAlignment, list[tuple[Window, Question]]]:
    located = locate_recap(turns, recap, config.alignment)
    return located, ask_windows(unit, turns, recap.sentences, located, read_prompt(KIND, VERSION))
