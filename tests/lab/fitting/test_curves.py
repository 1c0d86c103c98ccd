"""The curves in use are those that the tables of judged rows give; by folds they are as good as the documentation says."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from core.alignment.config import CURVE
from core.errors import ConfigError
from core.metrics.fitting import fit_curve as fit_logistic
from core.scripts.confidence import WHOLE, Curve
from lab.fitting import completeness, confidence, link_probability
from lab.fitting.completeness import JudgedSentence, fit_completeness, read_sentences, state_by_folds
from lab.fitting.link_probability import IN_USE, Judged, fit_by_folds, fit_curve, measure_error, read_table

needs_tables = pytest.mark.skipif(
    not all(module.TABLE.is_file() for module in (completeness, confidence, link_probability)),
    reason="the tables are derived: `make tables` makes them from FABULA_CORPORA",
)


@needs_tables
def test_the_constants_of_transcripts_are_those_fitted_on_the_table() -> None:
    judged = confidence.read_table()
    slope, offset = fit_logistic(judged)
    assert (round(slope, 2), round(offset, 2)) == CURVE
    assert len({each.unit for each in judged}) == 33


@needs_tables
@pytest.mark.parametrize(("what", "curve"), IN_USE.items())
def test_the_curves_of_links_are_those_fitted_on_the_films_read(what: str, curve: Curve) -> None:
    fitted = fit_curve([each for each in read_table() if each.what == what and each.group == "read"])
    assert (curve.constant, curve.posterior) == pytest.approx((fitted.constant, fitted.posterior), abs=1e-3)


@needs_tables
def test_the_curve_of_whole_sentences_is_the_one_fitted_on_the_films_read() -> None:
    fitted = fit_completeness(read_sentences())
    found = (fitted.constant, fitted.posterior, fitted.share, fitted.skipped, fitted.missing)
    assert (WHOLE.constant, WHOLE.posterior, WHOLE.share, WHOLE.skipped, WHOLE.missing) == pytest.approx(found, abs=1e-3)


@needs_tables
@pytest.mark.parametrize("what", ["link", "sentence"])
def test_by_folds_the_probabilities_of_the_films_read_are_off_by_five_percent_at_most(what: str) -> None:
    judged = [each for each in read_table() if each.what.startswith(what) and each.group == "read"]
    assert measure_error(fit_by_folds(judged), np.array([each.right for each in judged], np.float64)) <= 0.05


@needs_tables
def test_by_folds_the_features_of_whole_sentences_say_more_than_the_posterior_alone() -> None:
    judged = read_sentences()
    whole, stated = np.array([each.whole for each in judged], np.float64), state_by_folds(judged)
    assert measure_error(stated, whole) <= 0.05
    assert roc_auc_score(whole, stated) > roc_auc_score(whole, [each.features[0] for each in judged]) + 0.03


def test_gold_fits_nothing() -> None:
    numbers = np.random.default_rng(0)
    judged = [
        Judged("sentence", "friends" if place % 4 == 3 else "read", f"story {place % 4}", value, value > numbers.random())
        for place, value in enumerate(numbers.random(200).tolist())
    ]
    read = [each.group == "read" for each in judged]
    assert fit_by_folds(judged)[read] == pytest.approx(fit_by_folds([each for each in judged if each.group == "read"]))


def test_a_film_is_judged_by_the_others() -> None:
    features = np.random.default_rng(0).random((60, 4)).tolist()
    judged = [JudgedSentence(f"film {place % 3}", tuple(row), row[0] > 0.5) for place, row in enumerate(features)]
    own = [each.film == judged[0].film for each in judged]
    turned = [replace(each, whole=each.whole ^ same) for each, same in zip(judged, own, strict=True)]
    assert state_by_folds(turned)[own] == pytest.approx(state_by_folds(judged)[own])


def test_probabilities_rise_with_the_posterior() -> None:
    for curve in IN_USE.values():
        found = curve(np.linspace(0, 1, 50))
        assert (np.diff(found) >= 0).all()
        assert 0 < found.min() < found.max() < 1


def test_a_table_that_was_not_made_says_how(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"python -m lab.fitting.completeness --write"):
        read_sentences(tmp_path / "completeness.tsv")
