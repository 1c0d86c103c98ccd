import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.transcripts.statistics.contributions import measure_contributions, share_path


def test_every_chunk_gives_away_one():
    turns, chunks = np.array([0, 1, 1, 2, 3]), np.array([0, 0, 1, 1, 2])
    shares = share_path(turns, chunks, np.array([1.0, 3.0, 1.0, 1.0, 0.0]), 5)
    assert shares.tolist() == [0.25, 1.25, 0.5, 0.0, 0.0]


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.floats(0.1, 9)), max_size=40))
def test_shares_add_up_to_the_chunks_whatever_their_scale(steps):
    turns = np.cumsum([step[0] for step in steps], dtype=np.int64)
    chunks = np.cumsum([step[1] for step in steps], dtype=np.int64)
    scores = np.array([step[2] for step in steps], dtype=np.float64)
    shares = share_path(turns, chunks, scores, 50)
    assert shares.dtype == np.float64
    assert shares.shape == (50,)
    assert shares.sum() == pytest.approx(len(set(chunks.tolist())))
    assert np.allclose(share_path(turns, chunks, scores * 7, 50), shares)


def test_speakers_observations_are_their_turns():
    measured = measure_contributions({"A": [0, 2], "B": [1, 2]}, np.array([0.5, 0.0, 1.5]))
    assert (measured["A"].count, measured["A"].total, measured["A"].squares) == (2, 2.0, 2.5)
    assert measured["B"].mean == 0.75
