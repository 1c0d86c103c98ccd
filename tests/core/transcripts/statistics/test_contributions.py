import numpy as np

from core.transcripts.statistics.contributions import measure_contributions


def test_each_turn_of_a_speaker_is_one_observation():
    measured = measure_contributions({"A": [0, 2], "B": [1, 2]}, np.array([0.5, 0.0, 1.5]))
    assert (measured["A"].count, measured["A"].total, measured["A"].squares) == (2, 2.0, 2.5)
    assert measured["B"].mean == 0.75
