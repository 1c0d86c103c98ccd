"""Training the classifier of posts that only invite discussion, on labels that the user gives."""

import hashlib
import re
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import ConfigError
from core.text.sentences import make_splitter
from core.threads.config import ThreadsConfig
from core.threads.posts import Post
from core.threads.preparing import score_starter
from core.threads.scoring import SentenceVectors
from core.threads.starters import PLAIN, StarterLayer, StarterMeasures, name_features
from infra.models.sealed import StarterModel, round_numbers, write_model
from infra.models.sentence_embedder import SentenceEmbedder
from infra.named_files import read_named_text
from lab.training.replies import Tell, hash_rows, keep_vectors, needing_sklearn
from lab.training.reply_pairs import hash_post, read_posts
from tasks.threads.evaluation import rate_share

FOLDS = 10
_STRENGTHS = (1e-4, 1e-3, 1e-2, 1e-1)
"""Inverse strengths of the regularisation (scikit-learn's C) of which five folds choose one by their log loss."""
_STRENGTH_FOLDS = 5
_TOGETHER = 256
"""Posts that are embedded and told of together."""
Labels = NDArray[np.bool_]
_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)?")
_CHANGING = re.compile(
    r"\d+|\b(?:jan|febr?|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
)


def train_starter_classifier(
    sources: Sequence[str],
    out: str,
    config: ThreadsConfig,
    labels: str,
    store: str | None = None,
    tell: Tell = lambda _: None,
) -> dict[str, Any]:
    """Train a classifier on the posts that the file `labels` names, write it to `out`, and return what was measured.

    Precision and recall are cross-validated: each post is rated by a classifier that has seen neither it nor another post of its
    title. The rules are measured on the same posts.
    """
    tell("reading the posts")
    found, unknown = _find_labels(sources, config, labels)
    posts, marks = [post for post, _ in found], np.array([label for _, label in found], bool)
    embedder = SentenceEmbedder(config.scorer.embedding_model)
    measure = StarterMeasures(SentenceVectors(keep_vectors(store, embedder)), make_splitter(config.splitter))
    parts = []
    for start in range(0, len(posts), _TOGETHER):
        parts.append(measure(posts[start : start + _TOGETHER]))
        tell(f"measured {min(start + _TOGETHER, len(posts)):,} of {len(posts):,} posts")
    rows = np.vstack(parts) if parts else np.empty((0, 0))
    layer = fit_starters(rows, marks)
    tell(f"cross-validating in {FOLDS} folds")
    scores = _cross_validate(rows, marks, np.array([_find_fold(post) for post in posts]))
    threshold = config.prefilter.starter_threshold
    rules = np.array([score_starter(post) for post in posts]) >= threshold
    metrics = {
        "threshold": threshold,
        "classifier": measure_decisions(scores >= threshold, marks),
        "rules": measure_decisions(rules, marks),
    }
    model = StarterModel(
        embedding_model=embedder.name,
        embedding_checksum=embedder.checksum,
        labels="given",
        data=hash_rows((post.id, post.title, post.text, label) for post, label in sorted(found, key=lambda entry: entry[0].id)),
        trained_on={"posts": len(found), "starters": int(marks.sum())},
        metrics=metrics,
        features=list(name_features((rows.shape[1] - len(PLAIN)) // 2)),
        means=layer.means.tolist(),
        scales=layer.scales.tolist(),
        weights=layer.weights.tolist(),
        bias=layer.bias,
    )
    write_model(model, Path(out))
    return {"file": out, "labels": model.labels, "unknown_labels": unknown, "trained_on": model.trained_on, **metrics}


def measure_decisions(decided: Labels, labels: Labels) -> dict[str, Any]:
    """Return precision and recall of decisions (n_posts), with Wilson's intervals, and F1; None where nothing counts."""
    hits = int((decided & labels).sum())
    precision, recall = rate_share(hits, int(decided.sum())), rate_share(hits, int(labels.sum()))
    rates = {"precision": precision, "recall": recall}
    wrong = int((decided != labels).sum())
    return {
        **{name: None if rate is None else asdict(rate) for name, rate in rates.items()},
        "f1": 2 * hits / (2 * hits + wrong) if hits + wrong else None,
    }


def read_labels(lines: Iterable[str]) -> dict[str, bool]:
    """Return the labels of a file: on each line a post's id and 1 (only invites discussion) or 0, with a tab between.

    In place of an id may stand the first 16 hexadecimal digits of its SHA-256, so that labels can be published without posts.

    Raises ValueError if a line is none, or says something else than a line before it.
    """
    found: dict[str, bool] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        name, _, label = line.strip().partition("\t")
        if label not in ("0", "1"):
            raise ValueError(f"line {number} is {line.strip()[:60]!r}; expected a post's id, a tab, and 0 or 1")
        if found.setdefault(name, label == "1") != (label == "1"):
            raise ValueError(f"line {number}: {name} has another label in a line before it; keep one of them")
    return found


def _find_labels(sources: Sequence[str], config: ThreadsConfig, labels: str) -> tuple[list[tuple[Post, bool]], int]:
    """Return the labelled posts, and how many labels name no post of the sources."""
    try:
        given = read_labels(read_named_text(labels, "labels", "name a file of them").splitlines())
    except ValueError as error:
        raise ConfigError(f"labels {labels}: {error}") from error
    found = []
    for post in read_posts(sources, config):
        label = given.pop(post.id, None)
        label = given.pop(hash_post(post.id).hex()[:16], None) if label is None else label
        if label is not None:
            found.append((post, label))
    if not found:
        raise ConfigError(
            f"labels {labels}: none of its {len(given):,} ids is that of a post in {', '.join(sources)}; found "
            f"{next(iter(given), 'none')[:60]!r}, expected `t3_` and the id in the source, or the first 16 digits of its SHA-256"
        )
    return found, len(given)


def fit_starters(rows: NDArray[np.float64], labels: Labels) -> StarterLayer:
    """Return a logistic regression over features (n_posts × n_features); folds choose the strength of its regularisation.

    Plain features are divided by their deviations; the others have a scale already.
    """
    with needing_sklearn():
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.linear_model import LogisticRegressionCV

    if min(labels.sum(), (~labels).sum()) < _STRENGTH_FOLDS:
        found = f"{labels.sum():,} posts are labelled 1 and {(~labels).sum():,} are labelled 0"
        raise ConfigError(f"{found}; expected at least {_STRENGTH_FOLDS} of each")
    means, scales = rows.mean(axis=0), np.ones(rows.shape[1])
    # a feature that is nearly constant says little
    scales[: len(PLAIN)] = np.maximum(rows[:, : len(PLAIN)].std(axis=0), 1e-2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", FutureWarning)
        fitted = LogisticRegressionCV(
            Cs=list(_STRENGTHS),
            cv=_STRENGTH_FOLDS,
            scoring="neg_log_loss",
            max_iter=500,
            l1_ratios=(0,),
            use_legacy_attributes=False,
        ).fit((rows - means) / scales, labels)
    means, scales, weights = (round_numbers(part) for part in (means, scales, fitted.coef_[0]))
    return StarterLayer(means, scales, weights, float(fitted.intercept_[0]))


def _cross_validate(rows: NDArray[np.float64], labels: Labels, folds: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the score of each post by a classifier that its fold was held out from (n_posts)."""
    scores = np.zeros(len(labels))
    for fold in np.unique(folds):
        held = folds == fold
        try:
            scores[held] = fit_starters(rows[~held], labels[~held]).rate(rows[held])
        except ConfigError as error:
            raise ConfigError(f"without the titles of a fold, {error}; label posts of more titles") from error
    return scores


def _find_fold(post: Post) -> int:
    """Return the fold of a post, by the words of its title without dates: a recurring thread is in one fold."""
    title = " ".join(_WORD.findall(_CHANGING.sub(" ", post.title.lower())))
    return hashlib.sha256((title or post.id).encode("utf-8", "replace")).digest()[0] % FOLDS
