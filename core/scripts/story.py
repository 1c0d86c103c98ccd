"""A story ready to be aligned: scenes, synopsis and cast of a movie, an episode or a book."""

from dataclasses import dataclass
from typing import Literal

from core.scripts.gold import GoldLink
from core.scripts.scenes import CastMember, Scene

StoryKind = Literal["movie", "book", "episode"]


@dataclass(frozen=True, slots=True)
class Story:
    """What the parsers make of one unit's files.

    `sentences` is the synopsis to align. `cast` is None where the source gives none, which is not the same as an empty list: jac
    and osj are zero then, and the rows say so. `gold` are links that the source itself carries (series), not those of gold files.
    """

    unit: str
    kind: StoryKind
    title: str
    year: str
    scenes: tuple[Scene, ...]
    sentences: tuple[str, ...]
    cast: tuple[CastMember, ...] | None
    gold: tuple[GoldLink, ...] = ()

    @property
    def scene_count(self) -> int:
        """Scenes by the strict index, the preamble not counted."""
        return max((scene.strict_index for scene in self.scenes), default=-1) + 1
