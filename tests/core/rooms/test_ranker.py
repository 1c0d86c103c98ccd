import numpy as np
import pytest

from core.errors import ConfigError
from core.rooms.ranker import choose_next, divide_folds, fit_ranker, precision_at, rate_ranking

pytest.importorskip("sklearn", reason="the extra `embeddings` is not installed")
GENERATOR = np.random.default_rng(3)
LABELS = np.arange(120) % 3 == 0
GROUPS = [f"S01E{number % 10:02d}" for number in range(120)]
ROWS = GENERATOR.normal(size=(120, 4)) + LABELS[:, None] * np.array([3.0, 0.0, 0.0, 0.0])
NAMES = ("one", "two", "three", "four")


def test_a_ranker_learns_is_calibrated_and_refuses_other_features() -> None:
    ranker = fit_ranker(ROWS, LABELS, GROUPS, NAMES)
    found = ranker.rank(ROWS)
    assert rate_ranking(LABELS, found, GROUPS).average_precision > 0.9
    assert found.mean() == pytest.approx(LABELS.mean(), abs=0.05)
    with pytest.raises(ConfigError, match="the ranker has 4 features, and the sentences have 3"):
        ranker.rank(ROWS[:, :3])


def test_an_episode_is_in_one_fold() -> None:
    folds = divide_folds(LABELS, GROUPS)
    assert np.stack(folds).sum(0).tolist() == [1] * 120
    for fold in folds:
        inside = {group for group, taken in zip(GROUPS, fold, strict=True) if taken}
        assert inside
        assert not inside & {group for group, taken in zip(GROUPS, fold, strict=True) if not taken}


@pytest.mark.parametrize(("count", "groups"), [(120, ["one"] * 120), (9, GROUPS[:9])])
def test_too_few_labels_are_told(count: int, groups: list[str]) -> None:
    with pytest.raises(ConfigError, match="expected at least 5 of each"):
        divide_folds(LABELS[:count], groups)


def test_precision_at_shares_tied_places_and_the_next_to_judge_are_uncertain_and_unlike() -> None:
    labels = np.array([True, True, False, False])
    assert precision_at(labels, np.array([4.0, 1.0, 1.0, 1.0]), 2) == pytest.approx((1 + 1 / 3) / 2)
    assert precision_at(labels, np.array([1.0, 1.0, 1.0, 1.0]), 100) == 0.5
    vectors = np.array([[1, 0], [1, 0], [0, 1], [0.6, 0.8], [0, 1]], np.float32)
    probabilities = np.array([0.5, 0.5, 0.5, 0.5, 0.99])
    judged = np.array([[1, 0]], np.float32)
    assert choose_next(probabilities, vectors, judged, 2) == [2, 3]
    assert choose_next(probabilities, vectors, judged[:0], 3)[0] == 0
    assert len(choose_next(probabilities, vectors, judged, 99)) == 5
