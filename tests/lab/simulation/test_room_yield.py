"""A simulated review: what each order finds, and what a ranker learns from what was read."""

import numpy as np
import pytest

from lab.simulation.room_yield import Reviewed, YieldCurves, simulate_yield

pytest.importorskip("sklearn", reason="the extra `embeddings` is not installed")
COUNT = 200


def make_sentences(score_tells: bool) -> Reviewed:
    """Sentences of ten episodes, a fifth of them rooms, that features tell apart, and the score too, or not at all."""
    generator = np.random.default_rng(1)
    labels = generator.random(COUNT) < 0.2
    vectors = generator.normal(size=(COUNT, 6)) + 3 * labels[:, None] * np.array([1, 0, 0, 0, 0, 0])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    scores = generator.normal(size=COUNT) + (4 * labels if score_tells else 0)
    groups = [f"S01E{place % 10:02d}" for place in range(COUNT)]
    names = tuple(f"vector_{number}" for number in range(6))
    return Reviewed(labels, groups, scores, vectors, vectors.astype(np.float32), names)


@pytest.fixture(scope="module")
def curves() -> YieldCurves:
    return simulate_yield(make_sentences(score_tells=False), batch=20, batches=3, seeds=1)


def test_an_order_that_knows_nothing_finds_the_base_share(curves: YieldCurves) -> None:
    for order in ("random", "score"):
        point = curves.curves[order][-1]
        assert point.read == 60
        assert point.found.low < curves.base < point.found.high
        assert point.recall.value == pytest.approx(60 / curves.pool, abs=0.12)


def test_orders_by_the_ranker_find_more_and_the_likely_one_most(curves: YieldCurves) -> None:
    random, useful, likely = (curves.curves[order][-1].recall.value for order in ("random", "useful", "likely"))
    assert random + 0.1 < useful < likely
    assert likely > 0.8


def test_what_is_learned_is_rated_on_episodes_that_nobody_read(curves: YieldCurves) -> None:
    assert (curves.curves["useful"][-1].learned or 0) > 0.8
    told = simulate_yield(make_sentences(score_tells=True), batch=10, batches=1, seeds=1)
    assert told.curves["score"][0].found.value == 1
    assert told.curves["score"][0].learned is None  # ten rooms and nothing else teach no ranker


def test_a_review_ends_where_everything_is_read() -> None:
    small = make_sentences(score_tells=True).take(np.arange(60))
    curves = simulate_yield(small, batch=30, batches=3, seeds=1)
    for points in curves.curves.values():
        assert points[-1].recall.value == 1
        assert points[-1].found.value == pytest.approx(curves.base, abs=0.02)
        assert points[-1].learned is not None
