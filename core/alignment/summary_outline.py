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
        """Take a story without parts for one of a single part.

        Raises ValueError for lengths that differ, and for parts that are not among `n_parts`.
        """
        if not self.parts:
            object.__setattr__(self, "parts", (0,) * len(self.roles))
        if any(len(numbers) != len(self.roles) for numbers in (self.parts, *self.groupings)):
            lengths = [len(numbers) for numbers in (self.parts, *self.groupings)]
            raise ValueError(f"{len(self.roles)} roles, but {lengths} parts and groupings: one for each sentence is expected")
        if any(not 0 <= part < self.n_parts for part in self.parts):
            raise ValueError(f"parts {sorted(set(self.parts))}: numbers from 0 to {self.n_parts - 1} are expected")


def outline_story(sentences: Sequence[str]) -> SummaryOutline:
    """Return the outline of sentences of which nothing is known: they all tell the story, in one part."""
    roles: list[Role] = ["story"] * len(sentences)
    return SummaryOutline(tuple(roles))
