"""A learned ranker of sentences: its fit and quality, and which sentences to judge next.

A logistic regression on sentence vectors and the score's parts, with calibrated probabilities.

Reference: Rooms, section 9 (a model that recognises room descriptions, as future work).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from core.errors import ConfigError
from core.rooms.config import ScoreWeights
from core.rooms.score import SCORE_PARTS, Part, count_words, cut_tokens, score_parts, tag_word

FOLDS = 5
STRENGTH = 0.01
"""Inverse strength of the regularisation (scikit-learn's C): there are more features than positive examples."""
VECTOR_SCALE = 1 / 7
"""What stands for the deviation of each dimension of a sentence vector, so that all 384 weigh about as the other features do.

Their real deviation is about .05. Average precision on CRD3's weak labels is within .002 for 1/8 to 1/6, and falls by .008 with
the real one.
"""
TAGS = ("DET", "PRON", "POSS", "THERE", "ADP", "AUX", "CONJ", "NUM", "ADV", "VERB", "ADJ", "INTJ", "NOUN", "PUNCT")
"""Coarse tags (`core.rooms.score`) whose share of a sentence is a feature."""
FIRST_PERSON = frozenset({"i", "i'm", "i've", "i'll", "i'd", "me", "my", "we", "we're", "we've", "we'll", "us", "our"})
_MOST_ITERATIONS = 1_000
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RoomRanker:
    """A fitted ranker: `features` names its columns in order; `means`, `scales` and `weights` have one value for each.

    The probability of a row x is expit(slope · (weights · (x − means) / scales + intercept) + offset).
    """

    features: tuple[str, ...]
    means: Matrix
    scales: Matrix
    weights: Matrix
    intercept: float
    slope: float
    offset: float

    def rank(self, rows: Matrix) -> Matrix:
        """Return the probability that each row (n_rows × n_features) is a room description (n_rows)."""
        found: Matrix = expit(self.slope * self.decide(rows) + self.offset)
        return found

    def decide(self, rows: Matrix) -> Matrix:
        """Return the decision value of each row before calibration."""
        if rows.shape[1] != len(self.features):
            raise ConfigError(
                f"the ranker has {len(self.features)} features, and the sentences have {rows.shape[1]}; train it anew"
            )
        values: Matrix = ((rows - self.means) / self.scales) @ self.weights + self.intercept
        return values


_PLAIN = (*SCORE_PARTS, "score", "words", *(f"tag_{tag}" for tag in TAGS), "first_person")


def name_features(dimensions: int) -> tuple[str, ...]:
    """Return the names of the features in order: parts of the score, score, words, shares of tags, dimensions of the vector."""
    return (*_PLAIN, *(f"vector_{number}" for number in range(dimensions)))


def make_features(texts: Sequence[str], parts: Sequence[Sequence[Part]], vectors: NDArray[np.float32]) -> Matrix:
    """Return the features of sentences (n × features), in the order of `name_features`; counts as log(1 + n)."""
    rows = np.zeros((len(texts), len(_PLAIN)))
    tags = len(SCORE_PARTS) + 2
    weights = ScoreWeights()
    for row, text, found in zip(rows, texts, parts, strict=True):
        for part in found:
            row[SCORE_PARTS.index(part.name)] = np.log1p(part.count)
        row[tags - 2] = score_parts(found, weights)
        row[tags - 1] = np.log1p(count_words(text))
        tokens = [token.lower() for token in cut_tokens(text)]
        found_tags = [tag_word(token) for token in tokens]
        row[tags:-1] = [found_tags.count(tag) / max(len(tokens), 1) for tag in TAGS]
        row[-1] = sum(token in FIRST_PERSON for token in tokens) / max(len(tokens), 1)
    return np.hstack([rows, vectors.astype(np.float64)])


def fit_ranker(rows: Matrix, labels: NDArray[np.bool_], groups: Sequence[str], features: tuple[str, ...]) -> RoomRanker:
    """Fit a ranker; probabilities are calibrated on decision values of folds that the model was not fitted on (Platt, 1999).

    Args:
        rows: features (n × n_features).
        labels: which rows are room descriptions (n).
        groups: the episode of each row: rows of one episode are in one fold.
        features: names of the columns.
    """
    folds = divide_folds(labels, groups)
    held_out = np.zeros(len(rows))
    for test in folds:
        held_out[test] = _fit(rows[~test], labels[~test], features).decide(rows[test])
    from sklearn.linear_model import LogisticRegression  # part of the extra `embeddings`

    platt = LogisticRegression(C=1e6, max_iter=_MOST_ITERATIONS).fit(held_out[:, None], labels)
    return replace(_fit(rows, labels, features), slope=float(platt.coef_[0, 0]), offset=float(platt.intercept_[0]))


def divide_folds(labels: NDArray[np.bool_], groups: Sequence[str]) -> list[NDArray[np.bool_]]:
    """Return `FOLDS` masks (n) of rows: every row in one fold, every group in one fold, both classes outside each."""
    from sklearn.model_selection import StratifiedGroupKFold

    if len(set(groups)) < FOLDS or min(int(labels.sum()), int((~labels).sum())) < FOLDS:
        raise ConfigError(
            f"found {int(labels.sum())} room descriptions and {int((~labels).sum())} others from {len(set(groups))} episodes; "
            f"expected at least {FOLDS} of each"
        )
    folds = []
    for _, test in StratifiedGroupKFold(FOLDS, shuffle=True, random_state=0).split(np.zeros(len(labels)), labels, groups):
        mask = np.zeros(len(labels), bool)
        mask[test] = True
        if len({*labels[~mask].tolist()}) < 2:
            raise ConfigError("all room descriptions come from one episode; label sentences of more episodes")
        folds.append(mask)
    return folds


def _fit(rows: Matrix, labels: NDArray[np.bool_], features: tuple[str, ...]) -> RoomRanker:
    from sklearn.linear_model import LogisticRegression

    means, scales = rows.mean(0), rows.std(0)
    scales[scales == 0] = 1.0
    scales[[name.startswith("vector_") for name in features]] = VECTOR_SCALE
    fitted = LogisticRegression(C=STRENGTH, class_weight="balanced", max_iter=_MOST_ITERATIONS)
    fitted.fit((rows - means) / scales, labels)
    return RoomRanker(features, means, scales, fitted.coef_[0], float(fitted.intercept_[0]), 1.0, 0.0)


RESAMPLES = 500
_SEED = 15


@dataclass(frozen=True, slots=True)
class RankingQuality:
    """Average precision with its 95 % interval over resampled episodes, precision at 100, Brier score of probabilities."""

    average_precision: float
    low: float
    high: float
    precision_at_100: float
    brier: float | None


def rate_ranking(
    labels: NDArray[np.bool_], values: NDArray[np.float64], groups: Sequence[str], probabilities: bool = False
) -> RankingQuality:
    """Return the quality of ranking sentences by `values`, the highest first; sentences of equal value share their places."""
    from sklearn.metrics import average_precision_score

    chosen = np.unique(np.asarray(groups), return_inverse=True)[1]
    generator = np.random.default_rng(_SEED)
    count = int(chosen.max()) + 1
    found = []
    for _ in range(RESAMPLES):
        weights = np.bincount(generator.integers(0, count, count), minlength=count)[chosen].astype(float)
        if weights[labels].sum():
            found.append(average_precision_score(labels, values, sample_weight=weights))
    low, high = np.quantile(found, [0.025, 0.975])
    brier = float(np.mean((values - labels) ** 2)) if probabilities else None
    average = float(average_precision_score(labels, values))
    return RankingQuality(average, float(low), float(high), precision_at(labels, values, 100), brier)


def precision_at(labels: NDArray[np.bool_], values: NDArray[np.float64], count: int) -> float:
    """Return the share of positives among the `count` highest; of those that tie for the last places, the expected share."""
    count = min(count, len(values))
    least = np.sort(values)[-count]
    above, tied = values > least, values == least
    missing = count - int(above.sum())
    return float((labels[above].sum() + missing * labels[tied].mean()) / count)


MOST_CANDIDATES = 5_000
"""Only the most uncertain sentences are compared with each other."""


def choose_next(
    probabilities: NDArray[np.float64], vectors: NDArray[np.float32], judged: NDArray[np.float32], count: int
) -> list[int]:
    """Return the indices of the sentences to judge next, the most useful first.

    The use of a sentence is 1 − |2p − 1| times 1 − its highest cosine similarity to a sentence that is judged or chosen before.
    Time O(count · n) for n sentences.

    Args:
        probabilities: that each sentence is a room description (n).
        vectors: of the sentences, of length 1 (n × dimensions).
        judged: vectors of those that are judged (m × dimensions).
        count: how many to choose.
    """
    uncertain = 1 - np.abs(2 * probabilities - 1)
    candidates = np.argsort(-uncertain, kind="stable")[:MOST_CANDIDATES]
    own = vectors[candidates]
    nearest = (own @ judged.T).max(1) if len(judged) else np.zeros(len(candidates), np.float32)
    chosen: list[int] = []
    free = np.ones(len(candidates), bool)
    for _ in range(min(count, len(candidates))):
        use = np.where(free, uncertain[candidates] * (1 - nearest), -np.inf)
        best = int(np.argmax(use))
        free[best] = False
        chosen.append(int(candidates[best]))
        nearest = np.maximum(nearest, own @ own[best])
    return chosen
