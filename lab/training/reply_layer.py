"""Fits the linear layer of the reply scorer, and finds the themes of posts, with scikit-learn and scipy."""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import log_softmax

from core.errors import ConfigError

PENALTY = 1e-4
"""Of the squares of the weights; with some twenty features and thousands of replies it hardly matters."""


def fit_layer(features: NDArray[np.float64], penalty: float = PENALTY) -> tuple[NDArray[np.float64], float]:
    """Return weights (n_features) and bias for features (n_replies × n_candidates × n_features); the first candidate is true.

    The weights make the true reply the most probable of its candidates (a conditional logit: what recall@1 asks for). A logistic
    regression over their scores then gives the scale and the bias: the log-odds against one other candidate.

    Raises:
        ConfigError: scikit-learn is missing, or there are no replies.
    """
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise ConfigError(f"training needs scikit-learn: `pip install 'fabula[lab]'` ({error})") from error
    if not len(features):
        raise ConfigError("found no real replies to train on; give more posts")
    n_replies, n_candidates, n_features = features.shape
    scale = np.maximum(features.std(axis=(0, 1)), 1e-9)  # features of very different spreads would be penalised unequally
    scaled = features / scale

    def measure_loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        logs = log_softmax(scaled @ weights, axis=1)
        slopes = np.exp(logs)
        slopes[:, 0] -= 1
        gradient = np.einsum("rc,rcf->f", slopes, scaled) / n_replies + 2 * penalty * weights
        return float(-logs[:, 0].mean() + penalty * weights @ weights), gradient

    weights = minimize(measure_loss, np.zeros(n_features), jac=True, method="L-BFGS-B").x
    true = np.zeros((n_replies, n_candidates), bool)
    true[:, 0] = True
    balance = np.where(true, n_candidates - 1, 1).ravel()  # one other for each true reply
    layer = LogisticRegression(C=1e6).fit((scaled @ weights).reshape(-1, 1), true.ravel(), sample_weight=balance)
    return layer.coef_[0, 0] * weights / scale, float(layer.intercept_[0])


def find_themes(vectors: NDArray[np.floating], count: int) -> NDArray[np.float64]:
    """Return the directions, of length 1, of at most `count` clusters of posts' vectors (n_posts × n_dimensions), by k-means.

    Raises:
        ConfigError: scikit-learn is missing.
    """
    try:
        from sklearn.cluster import KMeans
    except ImportError as error:
        raise ConfigError(f"training needs scikit-learn: `pip install 'fabula[lab]'` ({error})") from error
    found = KMeans(min(count, len(vectors)), n_init=1, random_state=0).fit(vectors.astype(np.float64)).cluster_centers_
    themes: NDArray[np.float64] = found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12)
    return themes
