from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from core.metrics.coded_texts import make_rouge_coder
from core.metrics.oracle import find_greedy_oracle, find_optimal_oracle, score_selection

COMPILES = settings(deadline=None)  # the first call compiles its kernels
SENTENCES = st.lists(st.sampled_from(["the", "gate", "duke", "opens", "dog", "of"]), max_size=7).map(" ".join)
DOCUMENTS = st.lists(SENTENCES, max_size=7)
ROUGE = RougeScorer(["rouge1", "rouge2"])


def coded(document, summary):
    code = make_rouge_coder()
    return [code(sentence) for sentence in document], code(summary)


def measure(document, places, summary):
    """Return the objective as rouge-score computes it, rounded so that equal scores tie."""
    scores = ROUGE.score(summary, " ".join(document[place] for place in sorted(places)))
    return round(scores["rouge1"].fmeasure + scores["rouge2"].fmeasure, 12)


def select_naively(document, summary, most):
    selected, best = [], 0.0
    while len(selected) < most:
        rest = [place for place in range(len(document)) if place not in selected]
        scores = {place: measure(document, [*selected, place], summary) for place in rest}
        found = max(rest, key=lambda place: (scores[place], -place), default=None)
        if found is None or scores[found] <= best:
            break
        best = scores[found]
        selected.append(found)
    return tuple(sorted(selected))


@COMPILES
@given(DOCUMENTS, SENTENCES, st.integers(0, 8))
def test_greedy_selection_equals_the_one_by_rouge_score(document, summary, most):
    assert find_greedy_oracle(*coded(document, summary), most) == select_naively(document, summary, most)


@COMPILES
@given(DOCUMENTS, SENTENCES)
def test_no_subset_is_better_than_the_optimal_one(document, summary):
    oracle = find_optimal_oracle(*coded(document, summary))
    places = range(len(document))
    subsets = [subset for size in range(len(document) + 1) for subset in combinations(places, size)]
    assert oracle.proved
    best = max(measure(document, subset, summary) for subset in subsets)
    assert measure(document, oracle.sentences, summary) == pytest.approx(best, abs=1e-9)


def test_a_bigram_across_the_seam_counts():
    sentences, summary = coded(["so the duke", "yes", "opens"], "duke opens")
    assert find_greedy_oracle(sentences, summary) == (0, 2)
    assert score_selection(sentences, (0, 2), summary).rouge2.recall == 1.0


def test_the_greedy_search_can_miss_the_optimum():
    document, summary = ["duke opens", "gate duke gate", "opens duke"], "gate opens"
    assert find_greedy_oracle(*coded(document, summary)) == (0, 1, 2)
    assert find_optimal_oracle(*coded(document, summary)).sentences == (1, 2)
    assert measure(document, (1, 2), summary) > measure(document, (0, 1, 2), summary)


def test_an_unfinished_search_says_so_and_keeps_the_greedy_oracle():
    document, summary = ["duke opens", "gate duke gate", "opens duke"], "gate opens"
    oracle = find_optimal_oracle(*coded(document, summary), max_steps=1)
    assert not oracle.proved
    assert oracle.sentences == (0, 1, 2)
