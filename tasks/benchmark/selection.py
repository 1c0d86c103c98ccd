"""The systems of `core.benchmark.selection`, with their settings."""

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Interval

from core.benchmark.selection import (
    Selection,
    choose_bertsum_oracle,
    choose_oracle,
    rank_central,
    rank_first,
    rank_longest_turns,
    rank_randomly,
)
from core.benchmark.system import Workbench
from core.metrics.bertsum_oracle import MOST_SENTENCES
from tasks.benchmark.systems import Implementation


@dataclass(frozen=True, slots=True)
class NoSettings:
    """A system without settings of its own."""


@dataclass(frozen=True, slots=True)
class BertSumOracleSettings:
    """`sentences`: at most so many units are selected. SumTitles' extractive systems: 6."""

    sentences: Annotated[int, Ge(1)] = MOST_SENTENCES


@dataclass(frozen=True, slots=True)
class LexRankSettings:
    """`threshold`: two units are joined if the cosine of their vectors is above it."""

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


def _make_textrank(_: NoSettings, bench: Workbench) -> Selection:
    return Selection(bench.budget, rank_central(bench.embed, None))


def _make_lexrank(settings: LexRankSettings, bench: Workbench) -> Selection:
    return Selection(bench.budget, rank_central(bench.embed, settings.threshold))


LEAD = Implementation(settings=NoSettings, make=_make_lead)
LONGEST = Implementation(settings=NoSettings, make=_make_longest)
RANDOM = Implementation(settings=NoSettings, make=_make_random)
ORACLE = Implementation(settings=NoSettings, make=_make_oracle)
BERTSUM_ORACLE = Implementation(settings=BertSumOracleSettings, make=_make_bertsum_oracle)
TEXTRANK = Implementation(settings=NoSettings, make=_make_textrank)
LEXRANK = Implementation(settings=LexRankSettings, make=_make_lexrank)
