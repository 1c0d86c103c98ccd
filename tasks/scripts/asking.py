"""What a model is asked about a story, and the stage that hears its answers."""

from collections.abc import Callable, Sequence
from functools import cache, partial

from core.reading.questions import Question
from core.references import UnitReference
from core.scripts import proofs, reading
from core.scripts.aligning import LocatedStory, locate_story
from core.scripts.config import ScriptsConfig
from core.scripts.reading import StoryReading
from core.scripts.story import Story
from infra.models.sentence_embedder import SentenceEmbedder, StoredEmbedder
from infra.prompts import read_prompt
from infra.store.answers import find_answers
from infra.store.objects import Store
from infra.tables.scripts import READING, STORY
from tasks.frame.asking import Heard, hear_answers
from tasks.frame.build import StageResult, UnitWork, read_stage


@cache
def open_embedder(name: str) -> SentenceEmbedder:
    """Return the sentence model of a name, loaded once a process."""
    return SentenceEmbedder(name)


def list_questions(store: Store, reference: UnitReference, config: ScriptsConfig) -> Sequence[Question]:
    """Return the questions about a landed story: also those about the rows that the reader of the settings has made."""
    story = STORY.decode(read_stage(store, reference, "story"))
    embed = StoredEmbedder(store, "scripts", reference.unit, open_embedder(config.alignment.embedding_model))
    return [question for _, question in _ask(store, story, locate_story(story, embed, config), config)]


def hear_reader(
    work: UnitWork[ScriptsConfig], story: StageResult[Story], locate: Callable[[], LocatedStory], aligning: Sequence[object]
) -> Heard[StoryReading]:
    """Return what the reader of the settings says of a story; `locate` locates its sentences, by the settings `aligning`."""
    if not work.config.reader.model or locate().posteriors is None:
        return Heard()
    asked = _ask(work.store, story.load(), locate(), work.config)
    gather = partial(proofs.gather_reading, located=locate())
    settings = [*aligning, work.config.filter]  # the second questions are about the rows that the filter keeps
    return hear_answers(work, asked, gather, READING, [story.artifact.fingerprint], settings)


def _ask(store: Store, story: Story, located: LocatedStory, config: ScriptsConfig) -> proofs.Asked:
    if located.posteriors is None:
        return []
    first = reading.list_questions(story, located.posteriors, read_prompt(reading.KIND, reading.VERSION))
    if not (model := config.reader.model):
        return first
    answers = find_answers(store, model, [question for _, question in first])
    said = reading.gather_votes(model, first, answers, located)
    return [*first, *proofs.list_questions(story, located, config, said, read_prompt(proofs.KIND, proofs.VERSION))]
