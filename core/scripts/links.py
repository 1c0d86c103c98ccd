"""Links each synopsis sentence of a story to scenes, and groups the scenes to merge."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.dialogue import Turn
from core.scripts.aligning import ScriptAlignment, align_screenplay
from core.scripts.cast_matching import CastConfig, CastMatcher
from core.scripts.config import ScriptsConfig
from core.scripts.link_probability import LINK
from core.scripts.merging import SceneGroup, group_scenes
from core.scripts.scenes import CastMember, Scene
from core.scripts.story import Story
from core.similarity.cosine import Embedder

LEAST_POSTERIOR = 0.05
"""A scene with a lower posterior is no candidate of a sentence, unless it is the sentence's only one."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A scene that a sentence may tell of.

    `scene` is its position in the list of scenes. `posterior` is its probability over all monotone alignments, where similarities
    count by `alignment.trust`. `probability` is the calibrated one: of the links with the probability .8, eight in ten are right.
    Both are None under the decoder `dtw`.
    """

    scene: int
    posterior: float | None
    probability: float | None


@dataclass(frozen=True, slots=True)
class StoryLinks:
    """The links of a story.

    By sentence, `scenes` has its scene's position, `similarities` the link's similarity, and `candidates` the scenes that it may
    tell of, in order, that scene among them. `groups` are the scene groups.
    """

    scenes: tuple[int, ...]
    similarities: tuple[float, ...]
    groups: tuple[SceneGroup, ...]
    candidates: tuple[tuple[Candidate, ...], ...] = ()


def link_story(story: Story, embed: Embedder, config: ScriptsConfig) -> StoryLinks:
    """Align a story's synopsis with its scenes, and group the scenes around those that have a sentence.

    Raises:
        SourceError: the story has no sentence or no scene.

    Reference: SumTitles, algorithm 1.
    """
    alignment = align_screenplay(story.scenes, story.sentences, story.cast or (), embed, config)
    scenes = tuple(int(scene) for scene in alignment.scenes)
    groups = tuple(group_scenes(scenes, alignment.combined))
    return StoryLinks(scenes, tuple(float(link) for link in alignment.links), groups, _list_candidates(alignment))


def _list_candidates(alignment: ScriptAlignment) -> tuple[tuple[Candidate, ...], ...]:
    chosen = [int(scene) for scene in alignment.scenes]
    if alignment.posteriors is None:
        return tuple((Candidate(scene, None, None),) for scene in chosen)
    probabilities = LINK(alignment.posteriors)
    rows = []
    for scene, posteriors, calibrated in zip(chosen, alignment.posteriors, probabilities, strict=True):
        likely = sorted({*np.flatnonzero(posteriors >= LEAST_POSTERIOR).tolist(), scene})
        rows.append(tuple(Candidate(place, float(posteriors[place]), float(calibrated[place])) for place in likely))
    return tuple(rows)


def name_speakers(scenes: Sequence[Scene], cast: Sequence[CastMember], config: CastConfig) -> tuple[Scene, ...]:
    """Rename the speakers whom the cast list knows to their names in the cast list; the raw labels stay.

    Reference: SumTitles, section 4 ("we substitute scene speakers with cast character names"), algorithm 3.
    """
    matcher = CastMatcher(cast, config)

    def rename(turn: Turn) -> Turn:
        named = (matcher.match(speaker) for speaker in turn.speakers)
        speakers = (raw if member is None else cast[member].name for raw, member in zip(turn.speakers, named, strict=True))
        return replace(turn, speakers=tuple(dict.fromkeys(speakers)))

    return tuple(replace(scene, turns=tuple(map(rename, scene.turns))) for scene in scenes)
