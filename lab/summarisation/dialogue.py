"""A dialogue with its summary, as a benchmark sees a row of any release, and the units that an extractive system selects."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.dataset.splits import Split
from core.text.sentences import split_by_rules
from lab.summarisation.budget import UnitName


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


@dataclass(frozen=True, slots=True)
class Candidate:
    """A summary that a system made: its sentences in order and, of a system that selects, the turns that they come from."""

    sentences: tuple[str, ...]
    turns: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The summary as one text."""
        return " ".join(self.sentences)


@dataclass(frozen=True, slots=True)
class SpokenUnit:
    """A sentence or a turn; `turn` is the 0-based place of the turn that it is, or is part of."""

    text: str
    turn: int


def list_spoken(dialogue: SummarisedDialogue, unit: UnitName) -> list[SpokenUnit]:
    """Return the units of a dialogue in order; turns without text have none."""
    if unit == "turn":
        return [SpokenUnit(turn.text, place) for place, turn in enumerate(dialogue.turns) if turn.text.strip()]
    return [SpokenUnit(sentence, place) for place, turn in enumerate(dialogue.turns) for sentence in split_by_rules(turn.text)]


def make_candidate(spoken: Sequence[SpokenUnit], chosen: Sequence[int]) -> Candidate:
    """Return the summary that consists of the chosen units, in ascending order."""
    turns = dict.fromkeys(spoken[place].turn for place in chosen)
    return Candidate(tuple(spoken[place].text for place in chosen), tuple(turns))
