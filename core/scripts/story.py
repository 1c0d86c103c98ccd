"""A story that is ready to be aligned: the scenes, synopsis and cast of a movie, an episode or a book."""

from dataclasses import dataclass
from typing import Literal

from core.scripts.gold import GoldLink
from core.scripts.scenes import CastMember, Scene

StoryKind = Literal["movie", "book", "episode"]


@dataclass(frozen=True, slots=True)
class Story:
    """One unit's files after parsing.

    `sentences` are the sentences of the synopsis. `cast` is None if the source has no cast list, which differs from an empty
    list: jac and osj are then zero, and the release's rows say so. `gold` are gold links from the source itself (series); links
    from gold files are not among them. `web_lines` is the number of lines that were left out of the script because they belong to
    the web page that it was saved from.
    """

    unit: str
    kind: StoryKind
    title: str
    year: str
    scenes: tuple[Scene, ...]
    sentences: tuple[str, ...]
    cast: tuple[CastMember, ...] | None
    gold: tuple[GoldLink, ...] = ()
    web_lines: int = 0

    @property
    def scene_count(self) -> int:
        """The number of scenes by the strict index, without the text before the first heading."""
        return max((scene.strict_index for scene in self.scenes), default=-1) + 1
