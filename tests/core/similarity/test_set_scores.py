import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from core.similarity.ngrams import NgramIndex
from core.similarity.set_scores import bind_rouge_l, normalise_columns, score_sets
from core.text.tokens import make_tokenizer
from lab.speed import literal

TEXTS = st.lists(st.lists(st.sampled_from("abcde"), max_size=6).map(" ".join), min_size=1, max_size=6)
WORDS = make_tokenizer("whitespace")


def ngrams(text: str) -> set[tuple[str, ...]]:
    words = text.split()
    return {tuple(words[at : at + n]) for n in (1, 2) for at in range(len(words) - n + 1)}


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_scores_equal_their_formulas(turns: list[str], chunks: list[str]) -> None:
    sets = [ngrams(turn) for turn in turns]

    def weight(grams: set[tuple[str, ...]]) -> float:
        return sum(math.log((len(turns) + 1) / (sum(gram in own for own in sets) + 1)) for gram in grams)

    def squared(grams: set[tuple[str, ...]]) -> float:
        return sum(weight({gram}) ** 2 for gram in grams)

    index = NgramIndex(turns, WORDS, (1, 2))
    found = {name: score_sets(index.turns, index.code(chunks), name) for name in ("idf-overlap", "rouge", "tf-idf")}
    for y, turn in enumerate(sets):
        for x, chunk in enumerate(map(ngrams, chunks)):
            both, total, length = turn & chunk, weight(turn) + weight(chunk), math.sqrt(squared(turn) * squared(chunk))
            assert found["idf-overlap"][y, x] == pytest.approx(2 * weight(both) ** 2 / total if total else 0)
            assert found["rouge"][y, x] == pytest.approx(2 * len(both) / (len(turn) + len(chunk)) if both else 0)
            assert found["tf-idf"][y, x] == pytest.approx(squared(both) / length if length else 0)


@settings(max_examples=50, deadline=None)
@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3), st.sets(st.integers(1, 4), min_size=1).map(tuple))
def test_beta_equals_the_literal_one_bitwise(turns: list[str], chunkings: list[list[str]], orders: tuple[int, ...]) -> None:
    index = NgramIndex(turns, str.split, orders)
    coded = [literal.ngrams(turn.split(), orders) for turn in turns]
    assert index.turns.sizes.tolist() == list(map(len, coded))
    for chunks in chunkings:
        expected = literal.score_matrix(coded, [literal.ngrams(chunk.split(), orders) for chunk in chunks])
        assert np.array_equal(score_sets(index.turns, index.code(chunks), "overlap"), np.array(expected))


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_rouge_l_equals_rouge_scores(turns: list[str], chunks: list[str]) -> None:
    found = bind_rouge_l(turns, make_tokenizer("rouge"))(chunks)
    reference = RougeScorer(["rougeL"])
    for y, turn in enumerate(turns):
        for x, chunk in enumerate(chunks):
            assert found[y, x] == pytest.approx(reference.score(chunk, turn)["rougeL"].fmeasure)


def test_normalised_columns_sum_to_one_or_stay_empty() -> None:
    index = NgramIndex(["a b", "b c"], WORDS, (1,))
    scores = score_sets(index.turns, index.code(["b", "z", "c"]), "rouge")
    assert np.allclose(normalise_columns(scores).sum(axis=0), [1, 0, 1])
