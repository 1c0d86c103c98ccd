"""What a model is asked about a story, and the stage that hears its answers."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial

from core.fingerprints import fingerprint
from core.reading.belief import tell_reading
from core.reading.questions import Question
from core.references import Notice, UnitReference
from core.scripts.aligning import HeardSentence, LocatedStory, locate_story
from core.scripts.config import ScriptsConfig
from core.scripts.reading import KIND, VERSION, StoryReading, gather_votes, hear_sentences
from core.scripts.reading import list_questions as ask_windows
from core.scripts.story import Story
from infra.models.sentence_embedder import SentenceEmbedder, StoredEmbedder
from infra.prompts import read_prompt
from infra.store.answers import find_answers
from infra.store.objects import Store
from infra.tables.codecs import json_codec
from infra.tables.scripts import STORY
from tasks.frame.build import StageResult, UnitWork

READING = json_codec(StoryReading)


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
) -> tuple[Callable[[], Mapping[int, HeardSentence]], list[str], list[Notice]]:
    """Return what the reader of the settings says of each sentence, what he adds to the links' fingerprint, and what to look at.

    `locate` locates the story's sentences, `aligning` are the settings by which it does.
    """
    model = work.config.reader.model
    if not model or (posteriors := locate().posteriors) is None:
        return dict, [], []
    asked = ask_windows(story.load(), posteriors, read_prompt(KIND, VERSION))
    answers = find_answers(work.store, model, [question for _, question in asked])
    inputs = [story.artifact.fingerprint, fingerprint("answers", VERSION, [], answers)]
    reading = work.run(
        "reading", READING, inputs, [work.config.reader, *aligning], lambda: gather_votes(model, asked, answers, locate())
    )
    found = reading.load()
    return partial(hear_sentences, found), [reading.artifact.fingerprint], tell_reading(found, "scripts")
