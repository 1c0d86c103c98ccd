"""Fits the linear layer of the reply scorer with scikit-learn."""

import numpy as np
from numpy.typing import NDArray

from core.errors import ConfigError

PENALTY = 1.0
"""C of scikit-learn's logistic regression; with some twenty features and thousands of requests it hardly matters."""


def fit_layer(
    features: NDArray[np.float64], true: NDArray[np.bool_], penalty: float = PENALTY
) -> tuple[NDArray[np.float64], float]:
    """Return weights (n_features) and bias of a logistic regression on features (n_requests × n_features).

    Raises:
        ConfigError: scikit-learn is missing, or all requests are true, or all false.
    """
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise ConfigError(f"training needs scikit-learn: `pip install 'fabula[embeddings]'` ({error})") from error
    if true.all() or not true.any():
        raise ConfigError(f"found {int(true.sum())} real replies of {len(true)}; expected real and others, from more posts")
    scale = np.maximum(features.std(axis=0), 1e-9)  # features of very different spreads would be penalised unequally
    layer = LogisticRegression(C=penalty, max_iter=300).fit(features / scale, true)
    return layer.coef_[0] / scale, float(layer.intercept_[0])
