"""The reader that tells good training data from bad, on made-up episodes."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lab.quality.alignment import make_episodes
from lab.quality.training_data import chunk_gold, resample_means
from lab.quality.turn_reader import Row, average_precision, draw_turns, find_run, hear, look, train_reader


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=12))
def test_the_best_run_has_the_highest_sum(values: list[int]) -> None:
    first, last = find_run(np.array(values, np.float32))
    best = max(sum(values[start:end]) for start in range(len(values)) for end in range(start + 1, len(values) + 1))
    assert sum(values[first : last + 1]) == best


def test_average_precision_counts_turns_ranked_before() -> None:
    row = Row("C1E001", "", 0.0, 1, 2)
    assert average_precision(np.array([0.5, 1.0, 0.2, 0.1], np.float32), row) == (1 / 1 + 2 / 3) / 2


def test_every_row_gives_as_many_turns_of_each_kind() -> None:
    for start, end in ((0, 0), (5, 40), (0, 198)):
        places, told = draw_turns(Row("C1E001", "", 0.0, start, end), 200, np.random.default_rng(0))
        assert (len(places), told.sum()) == (32, 8)
        assert [start <= place <= end for place in places] == told.astype(bool).tolist()


def test_draws_of_seeds_and_episodes_widen_the_interval() -> None:
    sums, counts = np.array([[1.0, 3.0], [1.0, 3.0]]), np.array([2.0, 4.0])
    assert set(resample_means(sums, counts, 1).round(6)) == {0.5, round(4 / 6, 6), 0.75}
    assert resample_means(sums + np.array([[0.0], [2.0]]), counts, 1).std() > resample_means(sums, counts, 1).std()


def test_a_reader_that_learned_from_gold_beats_one_that_learned_from_shifted_spans() -> None:
    *learned, judged = make_episodes()[:3]
    heard = {}
    for episode in (*learned, judged):
        texts = [" ".join(turn.utterances) for turn in episode.turns]
        heard[episode.name] = hear(texts, [False] * len(texts), np.zeros((len(texts), 4), np.float32))

    def see(row: Row) -> tuple[Row, object]:
        return row, look(heard[row.episode], row, np.zeros((1, 4), np.float32))

    rows = [row for episode in learned for row in chunk_gold(episode, (2, 3), every_offset=True)]
    away = [row._replace(start=row.start // 2, end=row.start // 2 + row.end - row.start) for row in rows]
    told, found = chunk_gold(judged, (3,), every_offset=False), []
    for source in (rows, away):
        reader = train_reader([see(row) for row in source], seed=1)
        found.append(np.mean([average_precision(reader.score(see(row)[1]), row) for row in told]))
    assert found[0] > found[1] + 0.1
    assert found[0] > 0.5
