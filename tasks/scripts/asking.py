"""What a model is asked about a story, and the stage that hears its answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from core.fingerprints import fingerprint
from core.reading.questions import Question
from core.reading.tally import READING as STAGE
from core.reading.tally import count_reading, list_notices
from core.references import Notice, UnitReference
from core.scripts.aligning import HeardSentence, LocatedStory, locate_story
from core.scripts.config import ScriptsConfig
from core.scripts.reading import KIND, VERSION, gather_votes, hear_sentences
from core.scripts.reading import list_questions as ask_windows
from core.scripts.story import Story
from infra.models.sentence_embedder import SentenceEmbedder, StoredEmbedder
from infra.prompts import read_prompt
from infra.store.answers import find_answers
from infra.store.objects import Store
from infra.tables.scripts import READING, STORY
from tasks.frame.build import StageResult, UnitWork


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What the reader of the settings changes in a story.

    `sentences` has what he says of each, `inputs` is what that adds to the fingerprint of the links, `counts` to those of the
    unit's reference, and `notices` are for a person.
    """

    sentences: Mapping[int, HeardSentence] = field(default_factory=dict)
    inputs: Sequence[str] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    notices: Sequence[Notice] = ()


@cache
def open_embedder(name: str) -> SentenceEmbedder:
    """Return the sentence model of a name, loaded once a process."""
    return SentenceEmbedder(name)


def list_questions(store: Store, reference: UnitReference, config: ScriptsConfig) -> Sequence[Question]:
    """Return the questions about a landed story."""
    story = STORY.decode(store.read(reference.artifacts["story"].key))
    embed = StoredEmbedder(store, "scripts", reference.unit, open_embedder(config.alignment.embedding_model))
    located = locate_story(story, embed, config)
    if located.posteriors is None:
        return []
    return [question for _, question in ask_windows(story, located.posteriors, read_prompt(KIND, VERSION))]


def hear_reader(
    work: UnitWork[ScriptsConfig], story: StageResult[Story], locate: Callable[[], LocatedStory], aligning: Sequence[object]
) -> Heard:
    """Return what the reader of the settings changes; `locate` locates the story's sentences, by the settings `aligning`."""
    model = work.config.reader.model
    if not model or (posteriors := locate().posteriors) is None:
        return Heard()
    asked = ask_windows(story.load(), posteriors, read_prompt(KIND, VERSION))
    answers = find_answers(work.store, model, [question for _, question in asked])
    inputs = [story.artifact.fingerprint, fingerprint("answers", VERSION, [], answers)]
    reading = work.run(
        STAGE, READING, inputs, [work.config.reader, *aligning], lambda: gather_votes(model, asked, answers, locate())
    )
    found = reading.load()
    return Heard(
        sentences=hear_sentences(found),
        inputs=[reading.artifact.fingerprint],
        counts=count_reading(found.questions, found.answers, found.unreadable, found.weight),
        notices=list_notices(found, "scripts"),
    )
