"""The small parts of neural systems: words, turns that a sentence retells, choosing, reranking, rewards of a policy."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics.coded_texts import RougeCoder
from lab.summarisation.neural.bertsum import block_trigrams
from lab.summarisation.neural.rewriting import find_salient_turns
from lab.summarisation.neural.vocabulary import UNKNOWN, Candidate, join_words, make_vocabulary, rerank_candidates, split_words

torch = pytest.importorskip("torch", reason="the extra `lab` is not installed")
from lab.summarisation.neural.pointer_extractor import (  # noqa: E402
    NO_ACTION,
    compute_policy_loss,
    discount_rewards,
    reward_walk,
)


def test_the_most_frequent_words_have_numbers_and_others_get_some_of_their_own() -> None:
    vocabulary = make_vocabulary([["b", "a", "b"], ["c"]], 2)
    assert (vocabulary.words, len(vocabulary)) == (("b", "a"), 6)
    assert vocabulary.number(["a", "z", "b"]) == [5, UNKNOWN, 4]
    others: dict[str, int] = {}
    assert vocabulary.number_with(["z", "a", "y", "z"], others) == [6, 5, 7, 6]
    assert [vocabulary.name(number, list(others)) for number in (4, 6, 7)] == ["b", "z", "y"]


def test_words_are_split_and_joined() -> None:
    words = split_words("Don't open it, Percy!")
    assert words == ["don't", "open", "it", ",", "percy", "!"]
    assert join_words(words) == "don't open it, percy!"


@pytest.mark.parametrize(
    ("turns", "sentences", "found"),
    [
        (["we should open the old gate", "the gate", "what", "open it"], ["they open the gate", "the gate falls"], (0, 1)),
        (["we should open the old gate", "the gate", "what", "open it"], ["they open the old gate", "the old gate"], (0, 1)),
        (["...", "a b"], ["a b", "b c"], (1,)),
    ],
)
def test_the_turn_with_the_highest_recall_is_taken_once(turns: list[str], sentences: list[str], found: tuple[int, ...]) -> None:
    code = RougeCoder().code_all
    assert find_salient_turns(code(turns), code(sentences)) == found


@pytest.mark.parametrize(
    ("sentences", "scores", "most", "chosen"),
    [
        (["a b c", "d e f", "g h i"], [0.1, 0.9, 0.5], 2, (1, 2)),
        (["They open the gate.", "So they open the gate again.", "They open a door."], [0.9, 0.8, 0.1], 2, (0, 2)),
        (["They open: THE gate", "they, open the"], [0.1, 0.9], 2, (1,)),
        (["...", "a b c", "d e f"], [0.9, 0.5, 0.5], 1, (1,)),
        ([], [], 3, ()),
    ],
)
def test_sentences_are_chosen_by_score_in_their_order_and_no_trigram_twice(
    sentences: list[str], scores: list[float], most: int, chosen: tuple[int, ...]
) -> None:
    assert block_trigrams(sentences, scores, most) == chosen


CANDIDATES = st.builds(
    Candidate, st.lists(st.sampled_from("ab"), min_size=1, max_size=4).map(tuple), st.floats(-9, 0).map(lambda x: round(x, 1))
)


@given(st.lists(st.lists(CANDIDATES, min_size=1, max_size=3), min_size=1, max_size=4))
def test_the_combination_that_repeats_least_and_then_the_likeliest_is_taken(beams: list[list[Candidate]]) -> None:
    def rank(combination: tuple[Candidate, ...]) -> tuple[int, float]:
        grams = Counter(pair for one in combination for pair in itertools.pairwise(one.words))
        length = sum(len(one.words) for one in combination)
        return sum(count - 1 for count in grams.values()), -sum(one.log_probability for one in combination) / length

    best = min(map(rank, itertools.product(*beams)))
    found = rank(rerank_candidates(beams))
    assert found[0] == best[0]
    assert abs(found[1] - best[1]) < 1e-9


def test_each_turn_is_rewarded_against_its_sentence_and_the_stop_with_the_whole() -> None:
    code = RougeCoder().code_all
    rewards = reward_walk(code(["a b", "x y", "q"]), code(["a b", "x z"]), stop_weight=2.0)
    assert rewards == pytest.approx([1.0, 0.5, 0.0, 2.0 * 2 * 3 / (4 + 5)])
    assert discount_rewards([1.0, 0.0, 4.0], 0.5) == [2.0, 2.0, 4.0]


def test_an_action_with_more_reward_than_expected_becomes_likelier_and_nothing_after_a_stop_counts() -> None:
    chances = torch.tensor([[-1.0, -9.0], [-1.0, -1.0]], requires_grad=True)
    values = torch.zeros(2, 2, requires_grad=True)
    actions = torch.tensor([[0, NO_ACTION], [3, 0]])
    compute_policy_loss(actions, chances, values, np.array([[3.0, 99.0], [1.0, 2.0]], np.float32)).backward()
    expected = np.array([[1.2247, 0.0], [-1.2247, 0.0]]) / 3
    np.testing.assert_allclose(-chances.grad.numpy(), expected, atol=1e-3)
    np.testing.assert_allclose(-values.grad.numpy(), 2 * expected, atol=1e-3)
