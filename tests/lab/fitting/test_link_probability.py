"""The curves in use are those that the table of judged links gives, and their error by folds is what the documentation says."""

import numpy as np
import pytest

from core.scripts.confidence import Curve
from lab.fitting.link_probability import (
    IN_USE,
    TABLE,
    Judged,
    fit_by_folds,
    fit_curve,
    measure_error,
    read_table,
)

needs_table = pytest.mark.skipif(not TABLE.is_file(), reason="its table is derived: `make tables` makes it from FABULA_CORPORA")


@needs_table
@pytest.mark.parametrize(("what", "curve"), IN_USE.items())
def test_the_curves_in_use_are_those_fitted_on_the_films_read(what: str, curve: Curve) -> None:
    fitted = fit_curve([each for each in read_table() if each.what == what and each.group == "read"])
    assert (curve.constant, curve.posterior) == pytest.approx((fitted.constant, fitted.posterior), abs=1e-3)


@needs_table
@pytest.mark.parametrize("what", ["link", "sentence"])
def test_by_folds_the_probabilities_of_the_films_read_are_off_by_five_percent_at_most(what: str) -> None:
    judged = [each for each in read_table() if each.what.startswith(what) and each.group == "read"]
    right = np.array([each.right for each in judged], np.float64)
    assert measure_error(fit_by_folds(judged), right) <= 0.05


def test_gold_fits_nothing() -> None:
    numbers = np.random.default_rng(0)
    posteriors = numbers.random(200).tolist()
    judged = [
        Judged("sentence", "friends" if place % 4 == 3 else "read", f"story {place % 4}", value, value > numbers.random())
        for place, value in enumerate(posteriors)
    ]
    read = [each for each in judged if each.group == "read"]
    stated = fit_by_folds(judged)
    assert stated[[each.group == "read" for each in judged]] == pytest.approx(fit_by_folds(read))


def test_probabilities_rise_with_the_posterior() -> None:
    for curve in IN_USE.values():
        found = curve(np.linspace(0, 1, 50))
        assert (np.diff(found) >= 0).all()
        assert 0 < found.min() < found.max() < 1
