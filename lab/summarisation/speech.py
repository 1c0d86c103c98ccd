"""The units that an extractive system selects: sentences of turns, or whole turns."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.text.sentences import split_by_rules
from lab.summarisation.budget import UnitName
from lab.summarisation.dialogue import SummarisedDialogue
from lab.summarisation.system import Candidate


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
