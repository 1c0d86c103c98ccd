"""Every stage's value goes through the store unchanged, whatever is in it."""

import json

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from core.alignment.spans import Chunk, Span
from core.dialogue import Turn
from core.transcripts.config import StatisticsConfig
from core.transcripts.recaps.recap import Recap, RecapSection
from core.transcripts.statistics import measure_episode
from infra.tables.codecs import decode_table
from infra.tables.transcripts.artifacts import ALIGNMENT_ARTIFACT, ALIGNMENTS, CONTRIBUTIONS, FIGURES, RECAP
from infra.tables.turns import DIALOGUE, DIALOGUE_ARTIFACT

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
TUPLES = st.lists(TEXTS, max_size=3).map(tuple)
TIMES = st.none() | st.floats(0, 20_000)
TURNS = st.lists(st.builds(Turn, st.integers(0, 10_000), TUPLES, TUPLES, TEXTS, TEXTS, TIMES, TIMES), max_size=8)
KINDS = st.sampled_from(["pre-show", "announcements", "recap", "plot", "break", "post-show", "other"])
RECAPS = st.builds(
    Recap,
    TEXTS,
    TEXTS,
    st.lists(st.builds(RecapSection, KINDS, TEXTS, TEXTS, TUPLES, TUPLES), max_size=4).map(tuple),
    st.dictionaries(TEXTS, TUPLES, max_size=3),
    TUPLES,
    TUPLES,
)
SMALL = st.integers(0, 1000)
PLACES = st.none() | SMALL
FEWER = settings(max_examples=40)
SPANS = st.builds(Span, PLACES, PLACES, st.floats(-1e6, 1e6), st.none() | st.floats(0, 1))
ALIGNED = st.lists(st.tuples(st.builds(Chunk, SMALL, SMALL, SMALL, SMALL, SMALL, TEXTS), SPANS), max_size=8)


@FEWER
@given(TURNS)
def test_turns(turns: list[Turn]) -> None:
    content = DIALOGUE.encode(turns)
    assert DIALOGUE.decode(content) == turns
    table = decode_table(content)
    assert table.schema == DIALOGUE_ARTIFACT
    assert table.column("text").to_pylist() == [turn.text for turn in turns]
    assert DIALOGUE.encode(turns) == content


@FEWER
@given(RECAPS)
def test_recaps(recap: Recap) -> None:
    assert RECAP.decode(RECAP.encode(recap)) == recap


@FEWER
@given(ALIGNED)
def test_alignments(aligned: list[tuple[Chunk, Span]]) -> None:
    content = ALIGNMENTS.encode(aligned)
    assert ALIGNMENTS.decode(content) == aligned
    assert decode_table(content).schema == ALIGNMENT_ARTIFACT


@FEWER
@given(npst.arrays(np.float64, st.integers(0, 20), elements=st.floats(0, 1e3)))
def test_contributions(contributions: np.ndarray) -> None:
    assert np.array_equal(CONTRIBUTIONS.decode(CONTRIBUTIONS.encode(contributions)), contributions)


@FEWER
@given(TURNS, RECAPS, st.booleans(), st.booleans(), st.none() | SMALL)
def test_figures(turns: list[Turn], recap: Recap, aligned: bool, with_cast: bool, entities: int | None) -> None:
    config = StatisticsConfig(game_master="MATT", main_cast=("MATT",)) if with_cast else StatisticsConfig()
    contributions = np.linspace(0, 1, len(turns)) if aligned else None
    figures = measure_episode(turns, recap, contributions, config, entities)
    content = FIGURES.encode(figures)
    assert FIGURES.decode(content) == figures
    assert isinstance(json.loads(content), dict)
