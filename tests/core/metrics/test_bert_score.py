import math
from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics import bert_score
from core.metrics.bert_score import IdfWeights, TokenVectors, count_holders, score_bert, weigh_tokens

SIZES = st.integers(1, 9)


def draw_text(numbers, size):
    return TokenVectors(numbers.integers(0, 6, size), numbers.normal(size=(size, 4)).astype(np.float32))


def literal_eq_6(x, y, idf):
    """Return equation 6 as printed, with vectors scaled to length 1 first."""
    unit_x = [row / np.linalg.norm(row) for row in x.vectors.astype(np.float64)]
    unit_y = [row / np.linalg.norm(row) for row in y.vectors.astype(np.float64)]
    weights = [idf.by_token.get(int(token), idf.unseen) for token in x.tokens]
    return sum(w * max(float(u @ v) for v in unit_y) for w, u in zip(weights, unit_x, strict=True)) / sum(weights)


@given(SIZES, SIZES, st.integers(0, 1000))
def test_equals_the_printed_equation(n_document, n_summary, seed):
    numbers = np.random.default_rng(seed)
    document, summary = draw_text(numbers, n_document), draw_text(numbers, n_summary)
    idf = IdfWeights({0: 0.1, 1: 2.0, 2: 1.5}, unseen=3.0)
    scores = score_bert([document], summary, idf)
    assert scores.over_document == pytest.approx(literal_eq_6(document, summary, idf), abs=1e-6)
    assert scores.over_summary == pytest.approx(literal_eq_6(summary, document, idf), abs=1e-6)
    if min(scores.over_document, scores.over_summary) > 0:
        assert scores.f1 == pytest.approx(2 / (1 / scores.over_document + 1 / scores.over_summary))


def test_long_texts_go_block_by_block(monkeypatch):
    numbers = np.random.default_rng(0)
    document, summary, idf = draw_text(numbers, 10), draw_text(numbers, 3), IdfWeights({}, 1.0)
    whole = astuple(score_bert([document], summary, idf))
    monkeypatch.setattr(bert_score, "_BLOCK", 3)
    assert astuple(score_bert([document], summary, idf)) == pytest.approx(whole)
    parts = [TokenVectors(document.tokens[part], document.vectors[part]) for part in (slice(0, 4), slice(4, 4), slice(4, 10))]
    assert astuple(score_bert(iter(parts), summary, idf)) == pytest.approx(whole)


def test_rare_tokens_weigh_more_and_there_is_no_score_without_anything_to_compare():
    idf = weigh_tokens(count_holders([np.array([1, 1, 2]), np.array([1]), np.array([1, 3])]))
    assert idf.by_token == pytest.approx({1: 0.0, 2: math.log(2), 3: math.log(2)})
    assert idf(np.array([1, 2, 9])).tolist() == pytest.approx([0.0, math.log(2), math.log(4)])
    # A score of 0 would pull down the mean of a dataset.
    empty = TokenVectors(np.zeros(0, np.int64), np.zeros((0, 4), np.float32))
    text = draw_text(np.random.default_rng(0), 2)
    assert score_bert([empty], text, IdfWeights({}, 1.0)) is None
    assert score_bert([], text, IdfWeights({}, 1.0)) is None
    assert score_bert([text], empty, IdfWeights({}, 1.0)) is None
    assert score_bert([text], text, IdfWeights({}, 0.0)) is None
