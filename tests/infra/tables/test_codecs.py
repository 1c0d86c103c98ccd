"""Codecs: every stage's value goes through the store unchanged, and what is no such value is refused."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from core.alignment.spans import Chunk, Span
from core.dialogue import Turn
from core.transcripts.config import StatisticsConfig
from core.transcripts.recaps.recap import Recap, RecapSection
from core.transcripts.statistics import EpisodeFigures, measure_episode
from infra.tables.codecs import TABLE, Codec, decode_table, json_codec
from infra.tables.transcripts.artifacts import ALIGNMENT_ARTIFACT, ALIGNMENTS, CONTRIBUTIONS, FIGURES, RECAP
from infra.tables.turns import DIALOGUE, DIALOGUE_ARTIFACT


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    numbers: tuple[int, ...]
    score: float | None = None


ROW = json_codec(Row)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
ROWS = st.builds(
    Row, TEXTS, st.lists(st.integers(), max_size=3).map(tuple), st.none() | st.floats(allow_nan=False, allow_infinity=False)
)


def test_json_may_be_made_for_reading() -> None:
    readable = json_codec(Row, indent=1)
    assert readable.suffix == ROW.suffix == ".json"
    assert readable.encode(Row("a", (1,))).count(b"\n") > ROW.encode(Row("a", (1,))).count(b"\n") == 0


def test_a_later_field_is_left_out_where_it_is_empty() -> None:
    codec = json_codec(Row, later=("score",))
    assert codec.encode(Row("a", (1,))) == b'{"name":"a","numbers":[1]}'
    assert codec.decode(codec.encode(Row("a", (1,)))) == Row("a", (1,))
    assert codec.encode(Row("a", (1,), 0.5)) == ROW.encode(Row("a", (1,), 0.5))


@pytest.mark.parametrize("content", [b"", b"[]", b'{"name": "a"}', b'{"name": 1, "numbers": []}', b'{"name": "a", "numbers": [1'])
def test_what_is_no_such_value_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match="validation error"):
        ROW.decode(content)


def test_a_table_comes_back_with_its_schema_and_the_same_bytes_each_time() -> None:
    schema = pa.schema([pa.field("id", pa.string(), nullable=False), pa.field("year", pa.int32())])
    table = pa.Table.from_pylist([{"id": "a", "year": 1999}, {"id": "b", "year": None}], schema=schema)
    assert TABLE.suffix == ".parquet"
    assert TABLE.decode(TABLE.encode(table)).equals(table)
    assert TABLE.decode(TABLE.encode(table)).schema == schema
    assert TABLE.encode(table) == TABLE.encode(table)
    assert TABLE.decode(TABLE.encode(schema.empty_table())).schema == schema


@pytest.mark.parametrize("cut", [0, 1, -1])
def test_half_a_table_is_refused(cut: int) -> None:
    content = TABLE.encode(pa.table({"id": ["a"]}))
    with pytest.raises(pa.ArrowInvalid):
        TABLE.decode(content[:cut])


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
SPANS = st.builds(Span, PLACES, PLACES, st.floats(-1e6, 1e6), st.none() | st.floats(0, 1))
ALIGNED = st.lists(st.tuples(st.builds(Chunk, SMALL, SMALL, SMALL, SMALL, SMALL, TEXTS), SPANS), max_size=8)


def make_figures(turns: list[Turn], recap: Recap, aligned: bool, with_cast: bool, entities: int | None) -> EpisodeFigures:
    config = StatisticsConfig(game_master="MATT", main_cast=("MATT",)) if with_cast else StatisticsConfig()
    return measure_episode(turns, recap, np.linspace(0, 1, len(turns)) if aligned else None, config, entities)


@pytest.mark.parametrize(
    ("codec", "values", "schema"),
    [
        (ROW, ROWS, None),
        (DIALOGUE, TURNS, DIALOGUE_ARTIFACT),
        (RECAP, RECAPS, None),
        (ALIGNMENTS, ALIGNED, ALIGNMENT_ARTIFACT),
        (FIGURES, st.builds(make_figures, TURNS, RECAPS, st.booleans(), st.booleans(), PLACES), None),
    ],
    ids=["row", "dialogue", "recap", "alignments", "figures"],
)
def test_what_a_stage_made_comes_back_and_has_the_same_bytes_each_time(
    codec: Codec[Any], values: st.SearchStrategy[Any], schema: pa.Schema | None
) -> None:
    @settings(max_examples=40)
    @given(values)
    def check(value: object) -> None:
        content = codec.encode(value)
        assert codec.decode(content) == value
        assert codec.encode(value) == content
        assert schema is None or decode_table(content).schema == schema

    check()


@settings(max_examples=40)
@given(npst.arrays(np.float64, st.integers(0, 20), elements=st.floats(0, 1e3)))
def test_contributions_come_back(contributions: np.ndarray) -> None:
    assert np.array_equal(CONTRIBUTIONS.decode(CONTRIBUTIONS.encode(contributions)), contributions)
