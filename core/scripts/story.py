"""A story that is ready to be aligned: the scenes, cast, synopsis and gold of a movie, an episode or a book."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from core.dialogue import Turn

StoryKind = Literal["movie", "book", "episode"]


@dataclass(frozen=True, slots=True)
class Scene:
    """One scene of a screenplay, or a chapter or paragraph of another long text.

    `strict_index` is its number by the rule of public gold links: a line with one of `STRICT_TOKENS` opens a scene; −1 before
    the first such line. Several of the parser's scenes may share one. `heading` is as in the source. `turns` are numbered through
    the whole screenplay, with the cue as `raw_label`. `narration_places` has for each action paragraph the number of the scene's
    turns before it. `spoken` has each turn's words with the remarks in brackets at their places, or "" if it has no remark. Both
    are empty where a reader does not say.
    """

    index: int
    strict_index: int
    heading: str
    turns: tuple[Turn, ...]
    narration: tuple[str, ...]
    narration_places: tuple[int, ...] = ()
    spoken: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CastMember:
    """A character of the cast list: the full name as in the list, other names (alter egos), and the actor."""

    name: str
    alter_egos: tuple[str, ...] = ()
    actor: str = ""


@dataclass(frozen=True, slots=True)
class GoldLink:
    """A synopsis sentence and the scenes it describes, as annotators marked them.

    `sentence_index` is 0-based, −1 if unknown. `scenes` are strict indices in order. `scene_count` is the number of strict scenes
    in the annotators' script, 0 if unknown. `source` says who made the gold.
    """

    unit: str
    sentence_index: int
    sentence: str
    scenes: tuple[int, ...]
    primary: int | None = None
    scene_count: int = 0
    source: str = ""


@dataclass(frozen=True, slots=True)
class Story:
    """One unit's files after parsing.

    `cast` is None if the source has no cast list: jac and osj are then zero, and the release's rows say so. `gold` are gold links
    from the source itself (series); links from gold files are not among them. `web_lines` is the number of lines of the script
    that were left out because they belong to the web page that it was saved from.
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

    def list_turns(self) -> Iterator[Turn]:
        """Yield the turns of all scenes, one after the other."""
        return (turn for scene in self.scenes for turn in scene.turns)

    def name_sentence(self, number: int) -> str:
        """Return the name by which readers decide of a sentence: `the-film_0003`, like the row that begins with it."""
        return f"{self.unit}_{number:04d}"
