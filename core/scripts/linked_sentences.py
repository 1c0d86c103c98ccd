"""Links each sentence of a synopsis to its scenes, and says how surely they tell it, and all of it."""

from dataclasses import dataclass
from typing import Literal

from core.review.decisions import ALIGNER
from core.scripts.completeness import WHOLE, CompletenessCurve, measure_signs
from core.scripts.config import FilterConfig, ScriptsConfig
from core.scripts.link_probability import SENTENCE, SentenceCurves
from core.scripts.links import Candidate, StoryLinks
from core.scripts.story import Story


@dataclass(frozen=True, slots=True)
class LinkedSentence:
    """A sentence of a synopsis and the scenes that it is linked to.

    `probability`: that at least one of the scenes tells the sentence. `completeness`: that the scenes tell it and no other scene
    does. Both are None under the decoder `dtw`, and where a reader has decided. A merged row has no completeness, since it holds
    the scenes beside too. `decided_by` names who decided the scenes. `rejected`: readers found that the sentence makes no row.
    """

    sentence: int
    links: tuple[Candidate, ...]
    probability: float | None
    completeness: float | None = None
    decided_by: str = ALIGNER
    rejected: bool = False


@dataclass(frozen=True, slots=True)
class SentenceProbabilities:
    """The fitted curves of a sentence's `probability` (`told`) and `completeness` (`whole`)."""

    told: SentenceCurves = SENTENCE
    whole: CompletenessCurve = WHOLE


FITTED = SentenceProbabilities()
"""The default curves, fitted on films that people have read."""


def link_sentences(
    story: Story, links: StoryLinks, config: ScriptsConfig, probabilities: SentenceProbabilities = FITTED
) -> list[LinkedSentence]:
    """Return each sentence with its scenes: the best one, and those with a posterior of `several_scenes` or more."""
    chosen = choose_links(links, config.filter)
    sums = [sum(each.posterior or 0.0 for each in row) for row in chosen]
    scenes = [[each.scene for each in row] for row in chosen]
    if any(each.posterior is None for row in chosen for each in row):
        return [LinkedSentence(sentence, row, None) for sentence, row in enumerate(chosen)]
    told = [probabilities.told(total, row, len(story.scenes)) for total, row in zip(sums, scenes, strict=True)]
    whole: list[float | None] = [None] * len(chosen)
    if config.tables.scenes == "linked":
        whole = probabilities.whole(measure_signs(story, links.scenes, scenes, sums)).tolist()
    return [LinkedSentence(sentence, *each) for sentence, each in enumerate(zip(chosen, told, whole, strict=True))]


def choose_links(links: StoryLinks, config: FilterConfig) -> list[tuple[Candidate, ...]]:
    """Return the links of each sentence, in the order of the scenes."""
    return [
        tuple(each for each in candidates if each.scene == best or (each.posterior or 0.0) >= config.several_scenes)
        for best, candidates in zip(links.scenes, links.candidates, strict=True)
    ]


def find_doubt(linked: LinkedSentence, config: FilterConfig) -> Literal["low-probability", "incomplete"] | None:
    """Return why a sentence is left out of rows: its scenes may not tell it, or not all of it. None where it is not left out."""
    if linked.probability is not None and linked.probability < config.min_probability:
        return "low-probability"
    if linked.completeness is not None and linked.completeness < config.min_completeness:
        return "incomplete"
    return None
