"""Systems that select without learning, and which units a budget has room for."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from lab.summarisation.dialogue import Budget, Candidate, fit_budget, list_spoken
from lab.summarisation.measures import Measurer
from lab.summarisation.selecting.selection import (
    DAMPING,
    Selection,
    choose_oracle,
    measure_centrality,
    rank_central,
    rank_first,
    rank_longest_turns,
    rank_randomly,
)
from tests.lab.summarisation.rows import SAID, make_dialogue

TWO = Budget(unit="sentence", tokens=0, count=2)


def select(system: Selection) -> Candidate:
    (found,) = system.summarise([make_dialogue()])
    return found


def test_lead_takes_the_first_units_and_the_longest_turns_come_first_each_from_its_start() -> None:
    assert select(Selection(TWO, rank_first)).turns == (0,)
    assert select(Selection(Budget(unit="turn", tokens=0, count=2), rank_first)).sentences == (SAID[0][1], SAID[1][1])
    longest = ("You stand at the harbour.", "The gate of the old tower is open.")
    assert select(Selection(TWO, rank_longest_turns)).sentences == longest
    silent = replace(make_dialogue(), turns=())
    for rank in (rank_first, choose_oracle, rank_central(lambda _, __: np.zeros((0, 0), np.float32), None)):
        assert Selection(TWO, rank).summarise([silent]) == [Candidate(())]


def test_chance_depends_on_seed_and_row_alone() -> None:
    system = Selection(TWO, rank_randomly(0))
    assert select(system) == select(system)
    rows = [make_dialogue(f"row {place}") for place in range(20)]
    assert len({found.sentences for found in system.summarise(rows)}) > 3
    assert system.summarise(rows) != Selection(TWO, rank_randomly(1)).summarise(rows)
    assert system.summarise(rows[5:6]) == system.summarise(rows)[5:6]


def test_the_oracle_beats_every_other_selection() -> None:
    measurer, row = Measurer(), make_dialogue()
    best = measurer.measure(row, select(Selection(TWO, choose_oracle, all_ranked=True)))
    for rank in (rank_first, rank_longest_turns, rank_randomly(0)):
        other = measurer.measure(row, select(Selection(TWO, rank)))
        assert best["rouge1.f1"] + best["rouge2.f1"] > other["rouge1.f1"] + other["rouge2.f1"]


@pytest.mark.parametrize("threshold", [None, 0.2])
def test_centrality_is_pagerank(threshold: float | None) -> None:
    generator = np.random.default_rng(0)
    vectors = generator.normal(size=(12, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    weights = np.maximum(vectors @ vectors.T, 0).astype(np.float64)
    np.fill_diagonal(weights, 0)
    if threshold is not None:
        weights = (weights > threshold).astype(np.float64)
    found = measure_centrality(vectors, threshold)
    degrees = weights.sum(1, keepdims=True)
    walk = np.where(degrees > 0, weights / np.maximum(degrees, 1e-9), 1 / 12)  # from a unit without neighbours anywhere
    known = np.linalg.solve(np.eye(12) - DAMPING * walk.T, np.full(12, (1 - DAMPING) / 12))
    assert found == pytest.approx(known, abs=1e-6)
    assert found.sum() == pytest.approx(1)


def test_a_unit_that_repeats_the_others_is_central() -> None:
    spoken = list_spoken(make_dialogue(), "sentence")
    vectors = np.eye(8, dtype=np.float32)[: len(spoken)]
    vectors[2] = vectors[:5].sum(0) / np.linalg.norm(vectors[:5].sum(0))

    def embed(unit: str, texts: Sequence[str]) -> NDArray[np.float32]:
        assert (unit, len(texts)) == ("S01E01", len(spoken))
        return vectors

    assert rank_central(embed, None)(make_dialogue(), spoken)[0] == 2


def test_short_units_are_not_in_the_graph_unless_all_are_short() -> None:
    spoken = list_spoken(make_dialogue(), "sentence")
    for least, ranked in ((8, [1, 5]), (50, [0, 1, 2, 3, 4, 5])):
        rank = rank_central(lambda _, texts: np.ones((len(texts), 1), np.float32), None, least)
        assert rank(make_dialogue(), spoken) == ranked


@pytest.mark.parametrize(
    ("budget", "ranking", "lengths", "chosen"),
    [
        (Budget(tokens=10), [3, 0, 1, 2], [4, 9, 9, 5], (0, 3)),  # in the order of the dialogue
        (Budget(tokens=10), [0, 1], [5, 10], (0, 1)),  # half of the last one has room
        (Budget(tokens=10), [0, 1], [5, 11], (0,)),
        (Budget(tokens=3), [0, 1, 2], [0, 50, 1], (1,)),  # units without words are never taken
        (Budget(tokens=3), [0], [0], ()),
        (Budget(tokens=0, count=2), [2, 1, 0], [100, 100, 100], (1, 2)),  # whatever the length
    ],
)
def test_units_are_taken_in_the_order_of_the_ranking(
    budget: Budget, ranking: list[int], lengths: list[int], chosen: tuple[int, ...]
) -> None:
    assert budget.choose(ranking, lengths) == chosen


@given(st.lists(st.integers(1, 20), min_size=1, max_size=40), st.integers(1, 60))
def test_a_selection_is_never_longer_than_the_budget_and_half_a_unit(lengths: list[int], tokens: int) -> None:
    chosen = Budget(unit="sentence", tokens=tokens).choose(range(len(lengths)), lengths)
    assert sum(lengths[place] for place in chosen) <= max(tokens + max(lengths) / 2, lengths[0])


def test_the_length_is_the_mean_of_the_train_split_unless_it_is_stated() -> None:
    assert fit_budget(Budget(), ["one two three.", "one."]) == Budget(unit="sentence", tokens=2)
    assert fit_budget(Budget(), [], otherwise=7).tokens == 7
    assert fit_budget(Budget(tokens=12, unit="turn"), ["one"]) == Budget(unit="turn", tokens=12)
    assert fit_budget(Budget(count=6), ["one"]).count == 6
