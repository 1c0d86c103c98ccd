"""What a benchmark asks of a system: to prepare itself on two splits, and to summarise dialogues."""

from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from lab.summarisation.dialogue import Budget, Candidate, SummarisedDialogue
from lab.training.checkpoints import StoredFiles
from lab.training.network import TellStep


class Dialogues(Sized, Iterable[SummarisedDialogue], Protocol):
    """The dialogues of a split, always in the same order: read anew at each iteration, since a split need not fit in memory."""


EmbedUnit = Callable[[str, Sequence[str]], NDArray[np.float32]]
"""Returns one vector of length 1 for each text (n_texts × n_dimensions) of the unit that is named first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workbench:
    """What a system may use.

    Attributes:
        budget: how long a summary of a system that selects may be.
        embed: computes sentence vectors; each text of a unit is embedded once, and kept in the store.
        checkpoints: where a trained system keeps what it has learned, so that a stopped training goes on.
        tell: notes figures of a training step.
        seed: the seed of everything that is drawn.
    """

    budget: Budget
    embed: EmbedUnit
    checkpoints: StoredFiles
    tell: TellStep
    seed: int


class System(Protocol):
    """Summarises dialogues. It is made from its settings and a `Workbench`, without loading a model."""

    def prepare(self, train: Dialogues, validation: Dialogues) -> Mapping[str, Any]:
        """Learn from the train split, or go on with what the checkpoints have. Return facts for the result, as JSON values.

        A system that learns nothing returns {}.
        """
        ...

    def summarise(self, dialogues: Sequence[SummarisedDialogue]) -> list[Candidate]:
        """Return a summary of each dialogue. A system other than the oracle does not look at the reference."""
        ...


@runtime_checkable
class PretrainedSystem(System, Protocol):
    """A system that can learn from one dataset before it learns from another."""

    def pretrain(self, train: Dialogues, validation: Dialogues) -> Mapping[str, Any]:
        """Learn as in `prepare`, which is called afterwards and goes on from there. Return facts for the result."""
        ...


@runtime_checkable
class ReportingSystem(System, Protocol):
    """A system that notices something of the dialogues that it summarises, such as how many were too long for it."""

    def report(self) -> Mapping[str, Any]:
        """Return facts of all dialogues that were summarised so far, for the result, as JSON values."""
        ...
