"""A screenplay as its scenes, and its cast: what the parsers give and the aligner takes."""

from dataclasses import dataclass

from core.dialogue import Turn


@dataclass(frozen=True, slots=True)
class Scene:
    """One scene of a screenplay, or a chapter or paragraph of another long text.

    `index` is 0-based and counts the parser's own scenes. `strict_index` counts by the rule that public gold links speak (a line
    with the token INT., EXT., INT/EXT., EXT./INT. or INT./EXT. opens a scene; −1 before the first), so that several of the
    parser's scenes may share one. `heading` is the heading line as the source has it, "" before the first. `turns` are the
    utterances, numbered through the whole screenplay, each with its cue as `raw_label`; `narration` are the action paragraphs, in
    order.
    """

    index: int
    strict_index: int
    heading: str
    turns: tuple[Turn, ...]
    narration: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CastMember:
    """A character of the cast list: the full name as the list has it, and further names of the same character (alter egos)."""

    name: str
    alter_egos: tuple[str, ...] = ()
    actor: str = ""
