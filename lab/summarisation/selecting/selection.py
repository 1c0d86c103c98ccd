"""Extractive systems that learn nothing: the first units, the longest, random ones, the oracle, and those central in a graph."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge, Interval
from numpy.typing import NDArray

from core.metrics.bertsum_oracle import MOST_SENTENCES, find_bertsum_oracle
from core.metrics.coded_texts import RougeCoder, join_codes, rouge_tokens
from core.metrics.oracle import find_greedy_oracle
from lab.summarisation.dialogue import Budget, Candidate, SpokenUnit, SummarisedDialogue, list_spoken, make_candidate
from lab.summarisation.system import Dialogues, EmbedUnit
from lab.summarisation.systems import Implementation

Rank = Callable[[SummarisedDialogue, Sequence[SpokenUnit]], Sequence[int]]
"""Orders the units of a dialogue from the best to the worst; units that it leaves out are not selected."""

DAMPING = 0.85
"""Probability of following an edge instead of jumping anywhere (TextRank, section 2.2; LexRank, section 3.2)."""
_ITERATIONS, _CLOSE = 200, 1e-9


@dataclass(frozen=True, slots=True)
class Selection:
    """A `System` that selects units by a ranking: as many as the budget has room for, or all of them."""

    budget: Budget
    rank: Rank
    all_ranked: bool = False

    def prepare(self, train: Dialogues, validation: Dialogues) -> Mapping[str, Any]:  # noqa: ARG002 -- the protocol's
        """Learn nothing."""
        return {}

    def summarise(self, dialogues: Sequence[SummarisedDialogue]) -> list[Candidate]:
        """Return the best units of each dialogue, in its order."""
        return [self._select(dialogue) for dialogue in dialogues]

    def _select(self, dialogue: SummarisedDialogue) -> Candidate:
        spoken = list_spoken(dialogue, self.budget.unit)
        ranking = self.rank(dialogue, spoken)
        if self.all_ranked:
            return make_candidate(spoken, sorted(ranking))
        return make_candidate(spoken, self.budget.choose(ranking, measure_lengths(spoken)))


def measure_lengths(spoken: Sequence[SpokenUnit]) -> list[int]:
    """Return the number of ROUGE's tokens in each unit."""
    return [len(rouge_tokens(unit.text)) for unit in spoken]


def rank_first(_: SummarisedDialogue, spoken: Sequence[SpokenUnit]) -> Sequence[int]:
    """Order units as they are said."""
    return range(len(spoken))


def rank_longest_turns(dialogue: SummarisedDialogue, spoken: Sequence[SpokenUnit]) -> Sequence[int]:
    """Order units by the length of their turn, longest first; the units of a turn as they are said."""
    lengths = [len(rouge_tokens(turn.text)) for turn in dialogue.turns]
    return sorted(range(len(spoken)), key=lambda place: (-lengths[spoken[place].turn], place))


def rank_randomly(seed: int) -> Rank:
    """Return a ranking by chance, which depends on the seed and the row's id alone."""

    def rank(dialogue: SummarisedDialogue, spoken: Sequence[SpokenUnit]) -> Sequence[int]:
        digest = hashlib.sha256(f"{seed} {dialogue.id}".encode()).digest()
        return Random(int.from_bytes(digest[:8])).sample(range(len(spoken)), len(spoken))

    return rank


def choose_oracle(dialogue: SummarisedDialogue, spoken: Sequence[SpokenUnit]) -> Sequence[int]:
    """Return the units of the exact greedy oracle: those that ROUGE itself prefers, with its stems, and no others."""
    coder = RougeCoder(stem=True)
    return find_greedy_oracle(coder.code_all([unit.text for unit in spoken]), join_codes(coder.code_all(dialogue.sentences)))


def rank_central(embed: EmbedUnit, threshold: float | None, least_words: int = 0) -> Rank:
    """Return a ranking by centrality in the graph of the units' cosines.

    Args:
        embed: computes the units' vectors.
        least_words: shorter units are not in the graph, unless all are shorter. In talk, "Yeah." and "Okay, cool." are near
            everything and tell nothing.
        threshold: two units are joined if their cosine is above it, with weight 1 (LexRank); None: all are joined, with their
            cosine as the weight, or 0 where it is negative (TextRank).

    Reference: Mihalcea and Tarau, "TextRank", 2004; Erkan and Radev, "LexRank", 2004. Both compare words; here it is vectors.
    """

    def rank(dialogue: SummarisedDialogue, spoken: Sequence[SpokenUnit]) -> Sequence[int]:
        if not spoken:
            return ()
        lengths = measure_lengths(spoken)
        places = [place for place, length in enumerate(lengths) if length >= least_words] or list(range(len(spoken)))
        vectors = embed(dialogue.unit, [spoken[place].text for place in places])
        scores = measure_centrality(vectors, threshold)
        return [places[node] for node in sorted(range(len(places)), key=lambda node: (-scores[node], node))]

    return rank


def measure_centrality(vectors: NDArray[np.float32], threshold: float | None) -> NDArray[np.float64]:
    """Return PageRank of each unit (n) in the graph of cosines of their vectors (n × n_dimensions); the sum is 1.

    A unit that no other is joined with jumps anywhere. Memory grows with n².
    """
    weights = np.maximum((vectors @ vectors.T).astype(np.float64), 0.0)
    if threshold is not None:
        weights = (weights > threshold).astype(np.float64)
    np.fill_diagonal(weights, 0.0)
    n_units = len(weights)
    degrees = weights.sum(1)
    lonely = degrees == 0
    weights /= np.where(lonely, 1.0, degrees)[:, None]
    scores = np.full(n_units, 1 / n_units)
    for _ in range(_ITERATIONS):
        following = scores @ weights + scores[lonely].sum() / n_units
        changed = (1 - DAMPING) / n_units + DAMPING * following
        done = np.abs(changed - scores).sum() < _CLOSE
        scores = changed
        if done:
            break
    return np.asarray(scores)


@dataclass(frozen=True, slots=True)
class NoSettings:
    """A system without settings of its own."""


@dataclass(frozen=True, slots=True)
class BertSumOracleSettings:
    """`sentences`: at most so many units are selected. SumTitles' extractive systems: 6."""

    sentences: Annotated[int, Ge(1)] = MOST_SENTENCES


LEAST_WORDS = 6
"""Shorter units are not in the graph of TextRank and LexRank. Of 0, 4, 6, 8, 10 and 15 words, 6 gave TextRank the best ROUGE-1 F1
on 60 rows of the train split of campaign 1 (.283; without a bound .216, and .243 by chance)."""


@dataclass(frozen=True, slots=True)
class TextRankSettings:
    """`least_words`: shorter units are not in the graph."""

    least_words: Annotated[int, Ge(0)] = LEAST_WORDS


@dataclass(frozen=True, slots=True)
class LexRankSettings:
    """`threshold`: two units are joined if the cosine of their vectors is above it. `least_words`: as TextRank's."""

    least_words: Annotated[int, Ge(0)] = LEAST_WORDS
    threshold: Annotated[float, Interval(ge=-1, le=1)] = 0.3


LEAD = Implementation(settings=NoSettings, make=lambda _, bench: Selection(bench.budget, rank_first))
LONGEST = Implementation(settings=NoSettings, make=lambda _, bench: Selection(bench.budget, rank_longest_turns))
RANDOM = Implementation(settings=NoSettings, make=lambda _, bench: Selection(bench.budget, rank_randomly(bench.seed)))
ORACLE = Implementation(settings=NoSettings, make=lambda _, bench: Selection(bench.budget, choose_oracle, all_ranked=True))
BERTSUM_ORACLE = Implementation(
    settings=BertSumOracleSettings,
    make=lambda settings, bench: Selection(
        bench.budget,
        lambda dialogue, spoken: find_bertsum_oracle([unit.text for unit in spoken], dialogue.summary, settings.sentences),
        all_ranked=True,
    ),
)
TEXTRANK = Implementation(
    settings=TextRankSettings,
    make=lambda settings, bench: Selection(bench.budget, rank_central(bench.embed, None, settings.least_words)),
)
LEXRANK = Implementation(
    settings=LexRankSettings,
    make=lambda settings, bench: Selection(bench.budget, rank_central(bench.embed, settings.threshold, settings.least_words)),
)
