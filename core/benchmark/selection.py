"""Extractive systems that learn nothing: the first units, the longest, random ones, the oracle, and those central in a graph."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.benchmark.budget import Budget
from core.benchmark.dialogue import SummarisedDialogue
from core.benchmark.speech import SpokenUnit, list_spoken, make_candidate
from core.benchmark.system import Candidate, Dialogues
from core.metrics.coded_texts import rouge_tokens

Rank = Callable[[SummarisedDialogue, Sequence[SpokenUnit]], Sequence[int]]
"""Orders the units of a dialogue from the best to the worst; units that it leaves out are not selected."""


@dataclass(frozen=True, slots=True)
class Selection:
    """A `System` that selects units by a ranking, as many as the budget has room for."""

    budget: Budget
    rank: Rank

    def prepare(self, train: Dialogues, validation: Dialogues) -> Mapping[str, Any]:  # noqa: ARG002 -- the protocol's
        """Learn nothing."""
        return {}

    def summarise(self, dialogues: Sequence[SummarisedDialogue]) -> list[Candidate]:
        """Return the best units of each dialogue, in its order."""
        return [self._select(dialogue) for dialogue in dialogues]

    def _select(self, dialogue: SummarisedDialogue) -> Candidate:
        spoken = list_spoken(dialogue, self.budget.unit)
        lengths = [len(rouge_tokens(unit.text)) for unit in spoken]
        return make_candidate(spoken, self.budget.choose(self.rank(dialogue, spoken), lengths))


def rank_first(_: SummarisedDialogue, spoken: Sequence[SpokenUnit]) -> Sequence[int]:
    """Order units as they are said."""
    return range(len(spoken))
