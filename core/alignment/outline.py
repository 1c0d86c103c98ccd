"""What a summary's writer says of its sentences besides their words: what each is about, and which stand together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Role = Literal["story", "retold", "aside", "unspoken"]
"""What a sentence tells: what happens in these turns; what happened earlier and is retold in them; anything else that is said in
them; what may be in no turn at all, such as videos shown in a break."""


@dataclass(frozen=True, slots=True)
class SummaryOutline:
    """A role for each sentence, the parts of the story, and the writer's own groupings.

    `parts` has each sentence's part of the story, from 0; there are `n_parts` of them, and a part may have no sentence: it is not
    told. `groupings` has, for each (paragraphs, sections), a number a sentence.
    """

    roles: tuple[Role, ...]
    groupings: tuple[tuple[int, ...], ...] = ()
    parts: tuple[int, ...] = ()
    n_parts: int = 1

    def __post_init__(self) -> None:
        """Take a story without parts for one of a single part."""
        if not self.parts:
            object.__setattr__(self, "parts", (0,) * len(self.roles))


def outline_story(sentences: Sequence[str]) -> SummaryOutline:
    """Return the outline of sentences of which nothing is known: they all tell the story, in one part."""
    roles: list[Role] = ["story"] * len(sentences)
    return SummaryOutline(tuple(roles))
