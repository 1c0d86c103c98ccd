import numpy as np
import pytest

from core.alignment.config import CURVE
from core.bounds import UNCHANGED
from core.errors import ConfigError
from core.metrics.fitting import KnownRow, chain_curves, find_odds, fit_by_folds, fit_confidence, fit_curve, move_probability


def draw(slope: float, offset: float, n: int, episodes: int = 5) -> list[KnownRow]:
    numbers = np.random.default_rng(0)
    expected = numbers.uniform(0.05, 0.95, n)
    right = numbers.random(n) < 1 / (1 + np.exp(-(slope * np.log(expected / (1 - expected)) + offset)))
    pairs = enumerate(zip(expected.tolist(), right.tolist(), strict=True))
    return [KnownRow(f"episode {place % episodes}", float(find_odds(value)), hit) for place, (value, hit) in pairs]


def test_a_known_curve_is_found_again_and_two_one_after_the_other_are_one() -> None:
    assert fit_curve(draw(1.5, -0.5, 20_000)) == pytest.approx((1.5, -0.5), abs=0.1)
    first, then = (0.5, 1.0), (2.0, -0.3)
    assert move_probability(0.3, chain_curves(first, then)) == pytest.approx(move_probability(move_probability(0.3, first), then))
    assert move_probability(0.123456789, UNCHANGED) == 0.123456789


def test_each_episode_is_judged_by_the_others() -> None:
    usual = [KnownRow(name, float(find_odds(value)), value > 0.5) for name in "abc" for value in (0.2, 0.45, 0.55, 0.9) * 3]
    odd = [KnownRow("odd", float(find_odds(value)), False) for value in (0.8, 0.9) * 6]
    assert fit_by_folds([*usual, *odd])[-1] > 0.9  # its own chunks, all wrong, took no part


def test_a_fitted_curve_says_what_it_brings_on_episodes_that_it_has_not_seen() -> None:
    found = fit_confidence(draw(0.4, -1.0, 3_000), CURVE)
    assert (found.rows, found.units) == (3_000, 5)
    assert found.curve == pytest.approx((0.4, -1.0), abs=0.1)
    assert found.before.calibration_error > 0.2
    assert found.after.calibration_error < 0.05
    assert found.after.brier < found.before.brier
    usual = fit_confidence(draw(*CURVE, 3_000), CURVE)
    assert usual.after.brier == pytest.approx(usual.before.brier, abs=0.002)


@pytest.mark.parametrize(
    "judged", [draw(1, 0, 49), draw(1, 0, 500, 2), [KnownRow(f"{place % 5}", 0.0, True) for place in range(100)]]
)
def test_what_is_too_little_to_fit_on_is_refused(judged: list[KnownRow]) -> None:
    with pytest.raises(ConfigError, match=f"found {len(judged)} known rows of"):
        fit_confidence(judged)
