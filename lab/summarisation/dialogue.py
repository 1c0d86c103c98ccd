"""A dialogue with its summary, as a benchmark sees a row of any release."""

from dataclasses import dataclass

from core.dataset.splits import Split


@dataclass(frozen=True, slots=True)
class SpokenTurn:
    """What one speaker, or several in chorus, said without interruption."""

    speakers: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SummarisedDialogue:
    """A row of a release.

    Attributes:
        id: the row's id.
        unit: the episode, film or story that the row comes from. Rows of one unit are not independent.
        split: where the release placed the unit.
        turns: the dialogue.
        sentences: the sentences of the reference summary, in order.
        work: title and year of the film or episode, by which it is recognised where other data give it another id; "": not known.
    """

    id: str
    unit: str
    split: Split
    turns: tuple[SpokenTurn, ...]
    sentences: tuple[str, ...]
    work: str = ""

    @property
    def summary(self) -> str:
        """The reference summary as one text."""
        return " ".join(self.sentences)

    @property
    def speakers(self) -> frozenset[str]:
        """All who speak."""
        return frozenset(speaker for turn in self.turns for speaker in turn.speakers)

    @property
    def text(self) -> str:
        """What is said, without speakers."""
        return " ".join(turn.text for turn in self.turns)
