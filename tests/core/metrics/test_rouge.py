from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from core.metrics import coded_texts
from core.metrics.coded_texts import RougeCoder
from core.metrics.rouge import score_rouge, score_rouge_lsum

COMPILES = settings(deadline=None)  # the first call compiles its kernels
WORDS = ["gate", "gates", "dog", "duke", "dukes", "running", "runs", "the", "the", "the", "of", "a"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join)
PARAGRAPHS = st.lists(TEXTS, max_size=5).map("\n".join)


@pytest.fixture(scope="module", params=[False, True], ids=["surface", "stemmed"])
def stemmed(request):
    return request.param


@COMPILES
@given(reference=TEXTS, candidate=TEXTS | st.text())
@example("the gate", "")
@example("gate", "gate")
@example("gate \ud800 gate", "gate")
def test_equals_rouge_score(stemmed, reference, candidate):
    expected = RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=stemmed).score(reference, candidate)
    code = RougeCoder(stemmed)
    scores = score_rouge(code(reference), code(candidate))
    for ours, theirs in zip((scores.rouge1, scores.rouge2, scores.rouge_l), expected.values(), strict=True):
        assert astuple(ours) == pytest.approx(tuple(theirs), abs=1e-12)


@COMPILES
@given(st.integers(60, 200), st.integers(0, 300), st.integers(2, 40), st.integers(0, 2**32))
def test_equals_rouge_score_beyond_a_machine_word(n_reference, n_candidate, n_words, seed):
    numbers = np.random.default_rng(seed)
    reference = numbers.integers(0, n_words, n_reference)
    candidate = numbers.integers(0, n_words + 5, n_candidate)
    expected = RougeScorer(["rouge1", "rouge2", "rougeL"]).score(" ".join(map(str, reference)), " ".join(map(str, candidate)))
    scores = score_rouge(reference, candidate)
    for ours, theirs in zip((scores.rouge1, scores.rouge2, scores.rouge_l), expected.values(), strict=True):
        assert astuple(ours) == pytest.approx(tuple(theirs), abs=1e-12)


@COMPILES
@given(reference=PARAGRAPHS, candidate=PARAGRAPHS)
def test_summary_level_equals_rouge_score(stemmed, reference, candidate):
    expected = RougeScorer(["rougeLsum"], use_stemmer=stemmed).score(reference, candidate)["rougeLsum"]
    code = RougeCoder(stemmed)
    score = score_rouge_lsum([code(line) for line in reference.split("\n")], [code(line) for line in candidate.split("\n")])
    assert astuple(score) == pytest.approx(tuple(expected), abs=1e-12)


def test_stems_dropped_from_the_cache_get_the_same_codes(monkeypatch):
    code = RougeCoder(stem=True)
    before = code("the dukes opened gates").tolist()
    monkeypatch.setattr(coded_texts, "_MOST_STEMS", 1)
    assert RougeCoder(stem=True)("the dukes opened gates").tolist() == code("the dukes opened gates").tolist() == before
