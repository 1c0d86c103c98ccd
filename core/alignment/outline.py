"""What a summary's writer says of its sentences besides their words: what each is about, and which stand together."""

from dataclasses import dataclass
from typing import Literal

Role = Literal["story", "retold", "aside"]
"""What a sentence tells: what happens in these turns; what happened earlier and is retold in them; anything else."""


@dataclass(frozen=True, slots=True)
class SummaryOutline:
    """A role for each sentence, and the writer's own groupings: for each (paragraphs, sections) a number a sentence."""

    roles: tuple[Role, ...]
    groupings: tuple[tuple[int, ...], ...]
