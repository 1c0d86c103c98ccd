"""The outline of a summary: what each sentence is about, and which sentences its writer put together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Role = Literal["story", "retold", "aside", "unspoken"]
"""What a sentence tells. `story`: what happens in the episode. `retold`: what happened earlier and is retold in the episode.
`aside`: anything else that is said in the episode. `unspoken`: what may be in no turn, such as videos shown in a break."""


@dataclass(frozen=True, slots=True)
class SummaryOutline:
    """The role of each sentence, its part of the story, and the writer's own groupings.

    `parts` has each sentence's part of the story, from 0 to `n_parts` − 1. A part without sentences is a part that the summary
    does not tell. Each entry of `groupings` (paragraphs, sections) has one group number per sentence. `sections` has the section
    of each sentence, which chunks do not leave; by default all sentences are in section 0.
    """

    roles: tuple[Role, ...]
    groupings: tuple[tuple[int, ...], ...] = ()
    parts: tuple[int, ...] = ()
    n_parts: int = 1
    sections: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Put all sentences into part 0 if no parts are given, and into section 0 if no sections are.

        Raises ValueError if lengths differ or a part is not from 0 to `n_parts` − 1.
        """
        if not self.parts:
            object.__setattr__(self, "parts", (0,) * len(self.roles))
        if not self.sections:
            object.__setattr__(self, "sections", (0,) * len(self.roles))
        lengths = [len(numbers) for numbers in (self.parts, self.sections, *self.groupings)]
        if any(length != len(self.roles) for length in lengths):
            raise ValueError(
                f"found {len(self.roles)} roles, but {lengths} parts, sections and groupings: expected one per sentence"
            )
        if any(not 0 <= part < self.n_parts for part in self.parts):
            raise ValueError(f"found parts {sorted(set(self.parts))}: expected numbers from 0 to {self.n_parts - 1}")


def outline_story(sentences: Sequence[str]) -> SummaryOutline:
    """Return the default outline: every sentence has the role "story", and the story has one part."""
    roles: list[Role] = ["story"] * len(sentences)
    return SummaryOutline(tuple(roles))
