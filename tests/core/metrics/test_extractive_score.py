import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.metrics.coded_texts import RougeCoder
from core.metrics.extractive_score import find_common_runs, score_extraction, weigh_runs

COMPILES = settings(deadline=None)  # the first call compiles its kernels
TOKENS = st.lists(st.integers(0, 3), max_size=24)


def literal_runs(document, summary, shortest):
    """Do what the definition says: take the longest, leftmost run of free tokens in the document, again and again."""
    free, runs = list(summary), []
    while True:
        for length in range(len(free), shortest - 1, -1):
            starts = [
                start
                for start in range(len(free) - length + 1)
                if None not in free[start : start + length] and stands_in(document, free[start : start + length])
            ]
            if starts:
                free[starts[0] : starts[0] + length] = [None] * length
                runs.append(length)
                break
        else:
            return runs


def stands_in(document, run):
    return any(document[at : at + len(run)] == run for at in range(len(document) - len(run) + 1))


@COMPILES
@given(TOKENS, TOKENS, st.integers(1, 4))
def test_runs_equal_the_definition(document, summary, shortest):
    runs = find_common_runs(np.array(document, np.int64), np.array(summary, np.int64), shortest)
    assert runs.tolist() == literal_runs(document, summary, shortest)


def test_the_equation_by_hand():
    code = RougeCoder()
    document = code("so the duke opens the gate and leaves before the rain begins")
    summary = code("the duke opens the door before the rain")
    assert find_common_runs(document, summary).tolist() == [4, 3]
    expected = 0.5 * (math.exp(-0.5) - 0.5 / math.e) + 0.375 * (math.exp(-0.625) - 0.625 / math.e)
    assert score_extraction(document, summary) == pytest.approx(expected, abs=1e-12)
    assert score_extraction(document, summary, shortest=4) == pytest.approx(weigh_runs([4], 8), abs=1e-12)
