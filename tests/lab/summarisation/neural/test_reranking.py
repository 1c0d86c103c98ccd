"""Candidates of all sentences are reranked together."""

import itertools
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from lab.summarisation.neural.reranking import Candidate, rerank_candidates


def make(text: str, log_probability: float) -> Candidate:
    return Candidate(tuple(text.split()), log_probability)


def test_a_less_likely_sentence_wins_where_the_likeliest_repeats() -> None:
    first = [make("they open the gate", -1.0)]
    second = [make("they open the door", -1.0), make("a door is opened", -9.0)]
    assert [one.words[0] for one in rerank_candidates([first, second])] == ["they", "a"]


def test_without_repetition_the_likeliest_win() -> None:
    beams = [[make("a b", -2.0), make("c d", -1.0)], [make("e f", -3.0), make("g h", -4.0)]]
    assert [one.words for one in rerank_candidates(beams)] == [("c", "d"), ("e", "f")]


CANDIDATES = st.builds(
    Candidate, st.lists(st.sampled_from("ab"), min_size=1, max_size=4).map(tuple), st.floats(-9, 0).map(lambda x: round(x, 1))
)


@given(st.lists(st.lists(CANDIDATES, min_size=1, max_size=3), min_size=1, max_size=4))
def test_it_is_the_best_of_all_combinations(beams: list[list[Candidate]]) -> None:
    def rank(combination: tuple[Candidate, ...]) -> tuple[int, float]:
        grams = Counter(pair for one in combination for pair in itertools.pairwise(one.words))
        length = sum(len(one.words) for one in combination)
        return sum(count - 1 for count in grams.values()), -sum(one.log_probability for one in combination) / length

    best = min(map(rank, itertools.product(*beams)))
    found = rank(rerank_candidates(beams))
    assert found[0] == best[0]
    assert abs(found[1] - best[1]) < 1e-9


def test_many_sentences_take_no_time() -> None:
    beams = [[make(f"w{place} {number} x y", -1.0 - number) for number in range(5)] for place in range(8)]
    assert len(rerank_candidates(beams)) == 8
