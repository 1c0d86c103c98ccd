"""The curve in use is the one that the table of judged sentences gives, and by folds it tells whole sentences from others."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from core.errors import ConfigError
from core.scripts.confidence import WHOLE
from lab.fitting.completeness import TABLE, JudgedSentence, fit_completeness, read_sentences, state_by_folds
from lab.fitting.link_probability import measure_error

needs_table = pytest.mark.skipif(not TABLE.is_file(), reason="its table is derived: `make tables` makes it from FABULA_CORPORA")


@needs_table
def test_the_curve_in_use_is_the_one_fitted_on_the_films_read() -> None:
    fitted = fit_completeness(read_sentences())
    found = (fitted.constant, fitted.posterior, fitted.share, fitted.skipped, fitted.missing)
    assert (WHOLE.constant, WHOLE.posterior, WHOLE.share, WHOLE.skipped, WHOLE.missing) == pytest.approx(found, abs=1e-3)


@needs_table
def test_by_folds_the_features_say_more_than_the_posterior_alone() -> None:
    judged = read_sentences()
    whole, stated = np.array([each.whole for each in judged], np.float64), state_by_folds(judged)
    assert measure_error(stated, whole) <= 0.05
    assert roc_auc_score(whole, stated) > roc_auc_score(whole, [each.features[0] for each in judged]) + 0.03


def test_a_film_is_judged_by_the_others() -> None:
    numbers = np.random.default_rng(0)
    features = numbers.random((60, 4))
    judged = [JudgedSentence(f"film {place % 3}", tuple(row), row[0] > 0.5) for place, row in enumerate(features.tolist())]
    film = judged[0].film
    turned = [each if each.film != film else type(each)(film, each.features, not each.whole) for each in judged]
    own = [each.film == film for each in judged]
    assert state_by_folds(turned)[own] == pytest.approx(state_by_folds(judged)[own])


def test_a_table_that_was_not_made_says_how(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"python -m lab.fitting.completeness --write"):
        read_sentences(tmp_path / "completeness.tsv")
