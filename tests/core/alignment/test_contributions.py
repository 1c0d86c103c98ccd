import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.alignment.needleman_wunsch import Path, share_path, turn_contributions


def test_every_chunk_distributes_one() -> None:
    path = Path(np.array([0, 1, 1, 2, 3]), np.array([0, 0, 1, 1, 2]), np.array([1.0, 3.0, 1.0, 1.0, 0.0]))
    assert share_path(path, 5).tolist() == [0.25, 1.25, 0.5, 0.0, 0.0]


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.floats(0.1, 9)), min_size=1, max_size=40))
def test_shares_add_up_to_the_number_of_chunks_at_any_scale(steps: list[tuple[int, int, float]]) -> None:
    turns = np.cumsum([step[0] for step in steps], dtype=np.int64)
    chunks = np.cumsum([step[1] for step in steps], dtype=np.int64)
    scores = np.array([step[2] for step in steps], dtype=np.float64)
    shares = share_path(Path(turns, chunks, scores), 50)
    assert shares.dtype == np.float64
    assert shares.shape == (50,)
    assert shares.sum() == pytest.approx(len(set(chunks.tolist())))
    assert np.allclose(share_path(Path(turns, chunks, scores * 7), 50), shares)


def test_only_the_largest_chunks_count() -> None:
    one, two = np.array([0, 1]), np.array([0, 0])
    paths = [
        (2, Path(one, two, np.array([5.0, 0.0]))),
        (4, Path(one, two, np.array([1.0, 3.0]))),
        (4, Path(one, one, np.ones(2))),
    ]
    assert turn_contributions(paths, 3).tolist() == [0.625, 0.875, 0.0]
    assert turn_contributions([], 2).tolist() == [0.0, 0.0]
