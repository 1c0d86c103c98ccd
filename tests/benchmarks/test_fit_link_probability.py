"""The curves in use are those that the table of judged links gives, and their error by folds is what the documentation says."""

import numpy as np
import pytest

from benchmarks.fit_link_probability import fit_by_folds, fit_curve, measure_error, read_table
from core.scripts.link_probability import LINK, SENTENCE, Curve


@pytest.mark.parametrize(("what", "curve"), [("link", LINK), ("sentence", SENTENCE)])
def test_the_curves_in_use_are_those_fitted_on_the_table(what: str, curve: Curve) -> None:
    fitted = fit_curve([each for each in read_table() if each.what == what])
    assert (curve.constant, curve.posterior, curve.scenes) == pytest.approx(
        (fitted.constant, fitted.posterior, fitted.scenes), abs=1e-3
    )


@pytest.mark.parametrize(("what", "posteriors", "folds"), [("link", 0.139, 0.075), ("sentence", 0.168, 0.095)])
def test_by_folds_the_curves_are_nearer_to_the_truth_than_posteriors(what: str, posteriors: float, folds: float) -> None:
    judged = [each for each in read_table() if each.what == what]
    films = np.array([not each.series for each in judged])
    right = np.array([each.right for each in judged], np.float64)[films]
    assert measure_error(np.array([each.posterior for each in judged])[films], right) == pytest.approx(posteriors, abs=0.001)
    assert measure_error(fit_by_folds(judged)[films], right) < folds


def test_probabilities_rise_with_the_posterior_and_fall_with_the_scenes() -> None:
    for curve in (LINK, SENTENCE):
        found = curve(np.linspace(0, 1, 50), 100)
        assert (np.diff(found) >= 0).all()
        assert (curve(0.9, 10) > curve(0.9, 200)).all()
        assert 0 < found.min() < found.max() < 1
