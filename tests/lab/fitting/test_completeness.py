"""The curve in use is the one that the table of judged sentences gives, and by folds it tells whole sentences from others."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from core.scripts.completeness import WHOLE
from lab.fitting.completeness import fit_completeness, read_sentences, state_by_folds
from lab.fitting.link_probability import measure_error


def test_the_curve_in_use_is_the_one_fitted_on_the_films_read() -> None:
    fitted = fit_completeness(read_sentences())
    found = (fitted.constant, fitted.posterior, fitted.share, fitted.skipped, fitted.missing)
    assert (WHOLE.constant, WHOLE.posterior, WHOLE.share, WHOLE.skipped, WHOLE.missing) == pytest.approx(found, abs=1e-3)


def test_by_folds_the_signs_say_more_than_the_posterior_alone() -> None:
    judged = read_sentences()
    whole, stated = np.array([each.whole for each in judged], np.float64), state_by_folds(judged)
    assert measure_error(stated, whole) <= 0.05
    assert roc_auc_score(whole, stated) > roc_auc_score(whole, [each.signs[0] for each in judged]) + 0.03


def test_a_film_is_judged_by_the_others() -> None:
    judged = read_sentences()
    film = judged[0].film
    turned = [each if each.film != film else type(each)(film, each.signs, not each.whole) for each in judged]
    own = [each.film == film for each in judged]
    assert state_by_folds(turned)[own] == pytest.approx(state_by_folds(judged)[own])
