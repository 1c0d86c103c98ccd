"""How long the summary of a system that selects may be, and which units of a dialogue fit in."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from core.bounds import PositiveCount
from core.metrics.coded_texts import rouge_tokens

UnitName = Literal["sentence", "turn"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetConfig:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """A budget whose length is known: `tokens`, or `count` units where `count` is not None."""

    unit: UnitName
    tokens: int
    count: int | None = None

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
            full = len(chosen) >= self.count if self.count is not None else total + lengths[place] / 2 > self.tokens
            if chosen and full:
                break
            chosen.append(place)
            total += lengths[place]
        return tuple(sorted(chosen))


def fit_budget(config: BudgetConfig, summaries: Iterable[str], otherwise: int = 60) -> Budget:
    """Return the budget of a configuration; where it states no length, the mean length of `summaries` in tokens, rounded.

    `otherwise` is the length where there are no summaries.
    """
    if config.tokens is not None or config.count is not None:
        return Budget(unit=config.unit, tokens=config.tokens or 0, count=config.count)
    lengths = [len(rouge_tokens(summary)) for summary in summaries]
    return Budget(unit=config.unit, tokens=round(fmean(lengths)) if lengths else otherwise)
