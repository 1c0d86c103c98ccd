"""Links each synopsis sentence of a story to a scene, and groups the scenes to merge."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.dialogue import Turn
from core.scripts.aligning import align_screenplay
from core.scripts.cast_matching import CastConfig, CastMatcher
from core.scripts.config import ScriptsConfig
from core.scripts.merging import SceneGroup, group_scenes
from core.scripts.scenes import CastMember, Scene
from core.scripts.story import Story
from core.similarity.cosine import Embedder


@dataclass(frozen=True, slots=True)
class StoryLinks:
    """The links of a story: for each synopsis sentence its scene's position and the link's similarity; and the scene groups."""

    scenes: tuple[int, ...]
    similarities: tuple[float, ...]
    groups: tuple[SceneGroup, ...]


def link_story(story: Story, embed: Embedder, config: ScriptsConfig) -> StoryLinks:
    """Align a story's synopsis with its scenes, and group the scenes around those that have a sentence.

    Raises:
        SourceError: the story has no sentence or no scene.

    Reference: SumTitles, algorithm 1.
    """
    alignment = align_screenplay(story.scenes, story.sentences, story.cast or (), embed, config)
    scenes = tuple(int(scene) for scene in alignment.scenes)
    groups = tuple(group_scenes(scenes, alignment.combined))
    return StoryLinks(scenes, tuple(float(link) for link in alignment.links), groups)


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
