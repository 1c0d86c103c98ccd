"""Scenes and cast members: what the parsers return and the aligner reads."""

from dataclasses import dataclass

from core.dialogue import Turn


@dataclass(frozen=True, slots=True)
class Scene:
    """One scene of a screenplay, or a chapter or paragraph of another long text.

    `index` is the 0-based number of the scene by the parser's rules.
    `strict_index` is its number by the rule of public gold links: a line with the token INT., EXT., INT/EXT., EXT./INT. or
    INT./EXT. opens a scene. It is −1 before the first such line. Several of the parser's scenes may share one strict index.
    `heading` is the scene heading as in the source, or "" before the first heading.
    `turns` are the speeches, numbered through the whole screenplay, with the cue as `raw_label`.
    `narration` are the action paragraphs, in order. `narration_places` has a number for each of them: how many of the scene's
    turns come before it. `spoken` has a text for each turn: its words with the remarks in brackets at their places, or "" if it
    has no remark. Both are empty where a reader does not say.
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
