"""Training the reply scorer on the posts of a source: real replies against those of other posts of the same forum."""

import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import ConfigError
from core.metrics.alignment_quality import Estimate
from core.threads.config import ThreadsConfig
from core.threads.evaluation import measure_recall
from core.threads.reply_pairs import ReplyPair, draw_others, is_held_out, list_pairs
from core.threads.scoring import EmbeddingScorer, ReplyWeights, ScoreRequest
from infra.models.reply_scorer import FORMAT, ReplyModel, write_model
from infra.models.reply_training import fit_layer
from infra.models.sentence_embedder import SentenceEmbedder
from tasks.threads.corpus import read_clean_posts

PER_POST = 6
"""Pairs of one post, so that long threads do not outweigh the others."""
NEGATIVES = 4
CANDIDATES = 9
"""Replies of other posts that the true one is ranked among."""


def train_reply_scorer(sources: Sequence[str], out: str, config: ThreadsConfig, limit: int) -> dict[str, Any]:
    """Train a scorer on at most `limit` pairs, measure it on held-out posts, write it to `out`, and return what was measured.

    Raises:
        ConfigError: a source does not exist or has too few posts, the embedding model is missing, or `out` cannot be written.
        StoreError: a source could not be read.
    """
    pairs = draw_pairs(sources, config, limit)
    training = [pair for pair in pairs if not is_held_out(pair.post)]
    testing = [pair for pair in pairs if is_held_out(pair.post)]
    embedder = SentenceEmbedder(config.scorer.embedding_model)
    scorer = EmbeddingScorer(embedder)
    try:
        negatives, candidates = draw_others(training, NEGATIVES), draw_others(testing, CANDIDATES)
    except ValueError as error:
        raise ConfigError(f"{', '.join(sources)}: {error}") from error
    requests = [pair.request for pair in training]
    requests += [ScoreRequest(pair.context, other) for pair, found in zip(training, negatives, strict=True) for other in found]
    true = np.arange(len(requests)) < len(training)
    weights, bias = fit_layer(scorer.measure(requests), true)
    trained = scorer.with_weights(ReplyWeights(weights, bias))
    metrics = {
        "recall_at_1_of_10": _describe(measure_recall(testing, candidates, trained)),
        "recall_at_1_of_10_cosine": _describe(measure_recall(testing, candidates, scorer)),
        "held_out_pairs": len(testing),
    }
    model = ReplyModel(
        format=FORMAT,
        embedding_model=embedder.name,
        embedding_checksum=embedder.checksum,
        data=_fingerprint(pairs),
        trained_on={"pairs": len(training), "posts": len({pair.post for pair in training})},
        metrics=metrics,
        weights=[float(f"{weight:.6g}") for weight in weights],
        bias=float(f"{bias:.6g}"),
    )
    write_model(model, Path(out))
    return {"file": out, "trained_on": model.trained_on, **metrics}


def draw_pairs(sources: Sequence[str], config: ThreadsConfig, limit: int, held_out: bool = False) -> list[ReplyPair]:
    """Return at most `limit` pairs of the sources' posts, `held_out`: of those only that no scorer is trained on.

    Raises:
        ConfigError: a source does not exist.
        StoreError: a source could not be read.
    """
    posts = (post for post in read_clean_posts(sources, config) if not held_out or is_held_out(post.id))
    return list(islice((pair for post in posts for pair in list_pairs(post, PER_POST)), limit))


def _describe(estimate: Estimate | None) -> dict[str, float] | None:
    return None if estimate is None else asdict(estimate)


def _fingerprint(pairs: Sequence[ReplyPair]) -> str:
    digest = hashlib.sha256()
    for pair in sorted(pairs, key=lambda pair: (pair.post, pair.reply)):
        digest.update(repr((pair.post, pair.context, pair.reply)).encode())
    return digest.hexdigest()
