"""The trained classifier of discussion starters as a file, and how it is fitted, with scikit-learn."""

import math
import warnings
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import ConfigError
from infra.models.sealed import check_vectors, mark_file, read_sealed, round_numbers, write_sealed
from infra.models.sentence_embedder import SentenceEmbedder

FORMAT = "fabula starter classifier 1"
STRENGTHS = (1e-4, 1e-3, 1e-2, 1e-1)
"""Inverse strengths of the regularisation (scikit-learn's C) of which five folds choose one by their log loss."""
_FOLDS = 5


@dataclass(frozen=True, slots=True)
class StarterModel:
    """A fitted classifier (`core.threads.starters.StarterLayer`), and where it comes from: `features` names its columns.

    `labels` says whether the labels were given or weak ones. `data` is the SHA-256 over posts and labels, `trained_on` counts
    them. `metrics` are from cross-validation. `checksum` is the SHA-256 of everything else.
    """

    format: str
    embedding_model: str
    embedding_checksum: str
    labels: str
    data: str
    trained_on: dict[str, int]
    metrics: dict[str, Any]
    features: list[str]
    means: list[float]
    scales: list[float]
    weights: list[float]
    bias: float
    checksum: str = ""


def write_classifier(model: StarterModel, path: Path) -> None:
    """Write a classifier as JSON; ConfigError where the file cannot be written."""
    write_sealed(model, path)


def read_classifier(path: str) -> StarterModel:
    """Read a classifier.

    Raises:
        ConfigError: the file is missing, no classifier, or another than was written.
    """
    model = read_sealed(path, StarterModel, FORMAT, "starter classifier")
    sizes = {len(part) for part in (model.features, model.means, model.scales, model.weights)}
    numbers = chain(model.means, model.scales, model.weights, [model.bias])
    if len(sizes) != 1 or not all(map(math.isfinite, numbers)) or min(model.scales, default=0) <= 0:
        raise ConfigError(f"starter classifier {path}: its numbers do not fit its features; train it again")
    return model


def open_classifier(path: str, embedder: SentenceEmbedder) -> StarterModel:
    """Return a classifier for the vectors of `embedder`; it is read once a process, unless the file changes.

    Raises:
        ConfigError: as `read_classifier`, or it was trained on the vectors of another sentence model.
    """
    model = _read_cached(path, mark_file(path))
    check_vectors(model, embedder, path, "starter classifier")
    return model


@dataclass(frozen=True, slots=True)
class FittedRegression:
    """A logistic regression: the log-odds of a row x are weights · (x − means) / scales + bias (each n_features)."""

    means: NDArray[np.float64]
    scales: NDArray[np.float64]
    weights: NDArray[np.float64]
    bias: float


def fit_starters(rows: NDArray[np.float64], labels: NDArray[np.bool_], plain: int) -> FittedRegression:
    """Return a logistic regression over features (n_posts × n_features); folds choose the strength of its regularisation.

    The first `plain` features are divided by their deviations; the others have a scale already.

    Raises:
        ConfigError: scikit-learn is missing, or there are fewer than five posts of either label.
    """
    try:
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.linear_model import LogisticRegressionCV
    except ImportError as error:
        raise ConfigError(f"training needs scikit-learn: `pip install 'fabula[embeddings]'` ({error})") from error
    if min(labels.sum(), (~labels).sum()) < _FOLDS:
        raise ConfigError(
            f"{labels.sum():,} posts are labelled 1 and {(~labels).sum():,} are labelled 0; expected at least {_FOLDS} of each"
        )
    means, scales = rows.mean(axis=0), np.ones(rows.shape[1])
    scales[:plain] = np.maximum(rows[:, :plain].std(axis=0), 1e-2)  # a feature that is nearly constant says little
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", FutureWarning)
        fitted = LogisticRegressionCV(
            Cs=list(STRENGTHS), cv=_FOLDS, scoring="neg_log_loss", max_iter=500, l1_ratios=(0,), use_legacy_attributes=False
        ).fit((rows - means) / scales, labels)
    means, scales, weights = (round_numbers(part) for part in (means, scales, fitted.coef_[0]))
    return FittedRegression(means, scales, weights, float(fitted.intercept_[0]))


@lru_cache(maxsize=4)
def _read_cached(path: str, _mark: tuple[int, ...]) -> StarterModel:
    """Read a file again where `_mark` says that it was written anew."""
    return read_classifier(path)
