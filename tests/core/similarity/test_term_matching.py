import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.similarity.term_matching import bm25_scores, idf_coverage

TEXTS = st.lists(st.lists(st.sampled_from("abcdef"), max_size=6), min_size=1, max_size=5)


def literal_bm25(query: list[str], document: list[str], documents: list[list[str]], k1: float, b: float) -> float:
    counts, mean = Counter(document), max(sum(map(len, documents)) / len(documents), 1)
    total = 0.0
    for term in set(query):
        held = sum(term in other for other in documents)
        idf = math.log(1 + (len(documents) - held + 0.5) / (held + 0.5))
        total += idf * counts[term] * (k1 + 1) / (counts[term] + k1 * (1 - b + b * len(document) / mean)) if counts[term] else 0
    return total


@given(TEXTS, TEXTS)
def test_bm25_equals_its_formula(queries: list[list[str]], documents: list[list[str]]) -> None:
    expected = [[literal_bm25(query, document, documents, 1.5, 0.6) for document in documents] for query in queries]
    assert bm25_scores(queries, documents, 1.5, 0.6) == pytest.approx(np.array(expected))


@given(TEXTS, TEXTS)
def test_coverage_is_a_share(queries: list[list[str]], documents: list[list[str]]) -> None:
    coverage = idf_coverage(queries, documents)
    assert ((coverage >= 0) & (coverage <= 1 + 1e-12)).all()
    for row, query in zip(coverage, queries, strict=True):
        for share, document in zip(row, documents, strict=True):
            assert (share == 0) == (not set(query) & set(document))
            assert (share == pytest.approx(1)) == (bool(query) and set(query) <= set(document))


def test_nothing_to_compare() -> None:
    assert bm25_scores([], [["a"]]).shape == (0, 1)
    assert bm25_scores([["a"]], []).shape == (1, 0)
    assert bm25_scores([[]], [[]]).tolist() == [[0.0]]
    assert idf_coverage([[]], [[]]).tolist() == [[0.0]]
