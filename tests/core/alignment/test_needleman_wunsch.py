import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.alignment.needleman_wunsch import Path, read_spans, share_path, trace_path, turn_contributions
from lab.speed import literal

shapes = st.tuples(st.integers(1, 9), st.integers(1, 7))
# Few distinct values make ties; thirds make sums that round.
matrices = shapes.flatmap(lambda shape: arrays(np.float64, shape, elements=st.sampled_from([0.0, 0.0, 1 / 3, 0.1, 1.0, 2.5])))


@settings(max_examples=100, deadline=None)
@given(matrices)
def test_path_and_spans_equal_the_literal_ones(scores: np.ndarray) -> None:
    path = trace_path(scores)
    expected = literal.trace(scores.tolist())
    assert list(zip(path.turns.tolist(), path.chunks.tolist(), strict=True)) == expected
    assert [(span.start, span.end) for span in read_spans(path)] == literal.spans(expected)
    assert path.scores.tolist() == [scores[cell] for cell in expected]


def test_score_is_crd3_s_published_alignment_score() -> None:
    scores = np.array([[5.0, 1.0, 0.5], [3.0, 0.25, 2.0], [0.0, 0.125, 4.0]])
    spans = read_spans(trace_path(scores))
    assert [(span.start, span.end) for span in spans] == [(0, 1), (1, 1), (1, 2)]
    # the sum of all cells but the last, divided by the turns; for a chunk with one cell, the score of the previous cell
    assert [span.score for span in spans] == [5.0 / 2, 3.0, 2.0 / 2]
    assert read_spans(trace_path(np.array([[7.0]])))[0].score == 0.0


@pytest.mark.parametrize("scores", [np.zeros((0, 3)), np.array([[-1.0]]), np.array([[np.nan]])])
def test_unusable_matrices_are_refused(scores: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"scores|zero-size"):
        trace_path(scores)


def test_every_chunk_distributes_one_and_only_the_largest_chunks_count() -> None:
    path = Path(np.array([0, 1, 1, 2, 3]), np.array([0, 0, 1, 1, 2]), np.array([1.0, 3.0, 1.0, 1.0, 0.0]))
    assert share_path(path, 5).tolist() == [0.25, 1.25, 0.5, 0.0, 0.0]
    one, two = np.array([0, 1]), np.array([0, 0])
    paths = [
        (2, Path(one, two, np.array([5.0, 0.0]))),
        (4, Path(one, two, np.array([1.0, 3.0]))),
        (4, Path(one, one, np.ones(2))),
    ]
    assert turn_contributions(paths, 3).tolist() == [0.625, 0.875, 0.0]
    assert turn_contributions([], 2).tolist() == [0.0, 0.0]
