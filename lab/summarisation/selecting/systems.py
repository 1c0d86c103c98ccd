"""The systems of `selection.py`, with their settings."""

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Interval

from core.metrics.bertsum_oracle import MOST_SENTENCES
from lab.summarisation.selecting.selection import (
    Selection,
    choose_bertsum_oracle,
    choose_oracle,
    rank_central,
    rank_first,
    rank_longest_turns,
    rank_randomly,
)
from lab.summarisation.system import Workbench
from lab.summarisation.systems import Implementation


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


def _make_lead(_: NoSettings, bench: Workbench) -> Selection:
    return Selection(bench.budget, rank_first)


def _make_longest(_: NoSettings, bench: Workbench) -> Selection:
    return Selection(bench.budget, rank_longest_turns)


def _make_random(_: NoSettings, bench: Workbench) -> Selection:
    return Selection(bench.budget, rank_randomly(bench.seed))


def _make_oracle(_: NoSettings, bench: Workbench) -> Selection:
    return Selection(bench.budget, choose_oracle, all_ranked=True)


def _make_bertsum_oracle(settings: BertSumOracleSettings, bench: Workbench) -> Selection:
    return Selection(bench.budget, choose_bertsum_oracle(settings.sentences), all_ranked=True)


def _make_textrank(settings: TextRankSettings, bench: Workbench) -> Selection:
    return Selection(bench.budget, rank_central(bench.embed, None, settings.least_words))


def _make_lexrank(settings: LexRankSettings, bench: Workbench) -> Selection:
    return Selection(bench.budget, rank_central(bench.embed, settings.threshold, settings.least_words))


LEAD = Implementation(settings=NoSettings, make=_make_lead)
LONGEST = Implementation(settings=NoSettings, make=_make_longest)
RANDOM = Implementation(settings=NoSettings, make=_make_random)
ORACLE = Implementation(settings=NoSettings, make=_make_oracle)
BERTSUM_ORACLE = Implementation(settings=BertSumOracleSettings, make=_make_bertsum_oracle)
TEXTRANK = Implementation(settings=TextRankSettings, make=_make_textrank)
LEXRANK = Implementation(settings=LexRankSettings, make=_make_lexrank)
