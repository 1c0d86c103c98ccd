"""A dialogue with its summary, as a benchmark sees a row of any release, and how many of its units a system selects."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Literal

from core.bounds import PositiveCount
from core.dataset.splits import Split
from core.metrics.coded_texts import rouge_tokens
from core.text.sentences import split_by_rules

UnitName = Literal["sentence", "turn"]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How long a selection is.

    Attributes:
        unit: what is selected. CRD3's extractor selects turns; SumTitles' selects sentences.
        tokens: the length in ROUGE's tokens; None: the mean length of the summaries of the train split.
        count: so many units instead, whatever their length. SumTitles: 6.

    Reference: CRD3, section 5.1; SumTitles, section 6.3.
    """

    unit: UnitName = "sentence"
    tokens: PositiveCount | None = None
    count: PositiveCount | None = None

    def choose(self, ranking: Iterable[int], lengths: Sequence[int]) -> tuple[int, ...]:
        """Return the first units of a ranking that the budget has room for, in ascending order.

        At least one is taken. The last one is taken if at least half of it has room: the mean length is then that of the budget.

        Args:
            ranking: units from the best to the worst.
            lengths: tokens of every unit. Units without tokens are left out.
        """
        chosen: list[int] = []
        total = 0
        for place in ranking:
            if not lengths[place]:
                continue
            full = len(chosen) >= self.count if self.count is not None else total + lengths[place] / 2 > (self.tokens or 0)
            if chosen and full:
                break
            chosen.append(place)
            total += lengths[place]
        return tuple(sorted(chosen))


def fit_budget(budget: Budget, summaries: Iterable[str], otherwise: int = 60) -> Budget:
    """Return a budget whose tokens are known: where it states no length, the mean length of `summaries` in tokens, rounded.

    `otherwise` is the length where there are no summaries.
    """
    if budget.tokens is not None or budget.count is not None:
        return replace(budget, tokens=budget.tokens or 0)
    lengths = [len(rouge_tokens(summary)) for summary in summaries]
    return replace(budget, tokens=round(fmean(lengths)) if lengths else otherwise)
