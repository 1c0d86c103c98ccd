"""What a model is asked about a story, and the stage that hears its answers."""

from collections.abc import Callable, Sequence
from functools import cache, partial

from core.reading.questions import Question
from core.references import UnitReference
from core.scripts.aligning import LocatedStory, locate_story
from core.scripts.config import ScriptsConfig
from core.scripts.reading import KIND, VERSION, StoryReading, gather_votes
from core.scripts.reading import list_questions as ask_windows
from core.scripts.story import Story
from infra.models.sentence_embedder import SentenceEmbedder, StoredEmbedder
from infra.prompts import read_prompt
from infra.store.objects import Store
from infra.tables.scripts import READING, STORY
from tasks.frame.asking import Heard, hear_answers
from tasks.frame.build import StageResult, UnitWork, read_stage


@cache
def open_embedder(name: str) -> SentenceEmbedder:
    """Return the sentence model of a name, loaded once a process."""
    return SentenceEmbedder(name)


def list_questions(store: Store, reference: UnitReference, config: ScriptsConfig) -> Sequence[Question]:
    """Return the questions about a landed story."""
    story = STORY.decode(read_stage(store, reference, "story"))
    embed = StoredEmbedder(store, "scripts", reference.unit, open_embedder(config.alignment.embedding_model))
    located = locate_story(story, embed, config)
    if located.posteriors is None:
        return []
    return [question for _, question in ask_windows(story, located.posteriors, read_prompt(KIND, VERSION))]


def hear_reader(
    work: UnitWork[ScriptsConfig], story: StageResult[Story], locate: Callable[[], LocatedStory], aligning: Sequence[object]
) -> Heard[StoryReading]:
    """Return what the reader of the settings says of a story; `locate` locates its sentences, by the settings `aligning`."""
    model = work.config.reader.model
    if not model or (posteriors := locate().posteriors) is None:
        return Heard()
    asked = ask_windows(story.load(), posteriors, read_prompt(KIND, VERSION))
    gather = partial(gather_votes, located=locate())
    return hear_answers(work, asked, gather, READING, [story.artifact.fingerprint], aligning)
