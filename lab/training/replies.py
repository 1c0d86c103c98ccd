"""Training the reply scorer on the posts of a source: real replies against those of other posts of the same forum."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import log_softmax

from core.errors import ConfigError
from core.threads.config import ThreadsConfig
from core.threads.dialogues import Sentences
from core.threads.scoring import Embed, EmbeddingScorer, ReplyScorer, ScoreRequest, SentenceVectors
from core.threads.trained_scoring import FEATURES, ReplyLayer, ReplyMeasures, ReplySpace, TrainedScorer, learn_space
from infra.models.sealed import ReplyModel, round_numbers, write_model
from infra.models.sentence_embedder import SentenceEmbedder, StoredEmbedder
from infra.store.objects import Store
from lab.training.reply_pairs import CANDIDATES, ReplyPair, draw_others, draw_pairs, is_held_out, list_said, measure_recall

THEMES = 128
"""Clusters of posts that replies are compared with; at most a quarter of the posts."""
PENALTY = 1e-4
"""Of the squares of the weights; with some twenty features and thousands of replies it hardly matters."""
_TOGETHER = 2_048
"""Sentences that are embedded, kept and told of together."""
Tell = Callable[[str], None]
"""Tells a person how far the training is."""


def train_reply_scorer(
    sources: Sequence[str], out: str, config: ThreadsConfig, limit: int, store: str | None = None, tell: Tell = lambda _: None
) -> dict[str, Any]:
    """Train a scorer on at most `limit` pairs, measure it on held-out posts, write it to `out`, and return what was measured.

    The sentences' vectors are kept in the store of that URL: another training embeds only what is new.
    """
    tell("reading the posts")
    pairs = draw_pairs(sources, config, limit)
    training = [pair for pair in pairs if not is_held_out(pair.post)]
    testing = [pair for pair in pairs if is_held_out(pair.post)]
    embedder = SentenceEmbedder(config.scorer.embedding_model)
    vectors = SentenceVectors(keep_vectors(store, embedder))
    try:
        negatives, candidates = draw_others(training, CANDIDATES), draw_others(testing, CANDIDATES)
    except ValueError as error:
        raise ConfigError(f"{', '.join(sources)}: {error}") from error
    embed_sentences(vectors, list_said(pairs), tell)
    layer = _fit(training, negatives, vectors, tell)
    scorers: dict[str, ReplyScorer] = {"reply": TrainedScorer(vectors, layer), "cosine": EmbeddingScorer(vectors)}
    tell(f"measuring recall on {len(testing):,} replies to held-out posts")
    metrics = {"recall_at_1_of_10": measure_recall(testing, candidates, scorers)}
    model = ReplyModel(
        embedding_model=embedder.name,
        embedding_checksum=embedder.checksum,
        data=hash_rows((pair.post, pair.context, pair.reply) for pair in sorted(pairs, key=lambda pair: (pair.post, pair.reply))),
        trained_on={"pairs": len(training), "posts": len({pair.post for pair in training})},
        metrics=metrics,
        features=list(FEATURES),
        weights=layer.weights.tolist(),
        bias=layer.bias,
        centre=layer.space.centre.tolist(),
        whitening=layer.space.whitening.tolist(),
        rarity=dict(layer.space.rarity),
        unknown=layer.space.unknown,
        themes=layer.space.themes.tolist(),
    )
    write_model(model, Path(out))
    return {"file": out, "trained_on": model.trained_on, **metrics}


@contextmanager
def needing_sklearn() -> Iterator[None]:
    """Turn an ImportError into ConfigError, which says what to install."""
    try:
        yield
    except ImportError as error:
        raise ConfigError(f"training needs scikit-learn: `pip install 'fabula[lab]'` ({error})") from error


def keep_vectors(store: str | None, embedder: SentenceEmbedder) -> Embed:
    """Return the embedder with its vectors kept in the store of that URL; the embedder alone where none is named."""
    return embedder if store is None else StoredEmbedder(Store(store), "threads", "training", embedder)


def embed_sentences(vectors: SentenceVectors, sentences: Sequence[str], tell: Tell) -> None:
    """Embed sentences, some thousands at a time: what was embedded stays where the training is broken off."""
    began = monotonic()
    for start in range(0, len(sentences), _TOGETHER):
        vectors.learn(sentences[start : start + _TOGETHER])
        done = min(start + _TOGETHER, len(sentences))
        left = (monotonic() - began) * (len(sentences) - done) / done
        tell(f"vectors of {done:,} of {len(sentences):,} sentences, about {left:,.0f} s left")


def _fit(
    pairs: Sequence[ReplyPair], negatives: Sequence[Sequence[Sentences]], vectors: SentenceVectors, tell: Tell
) -> ReplyLayer:
    """Return the layer that tells the true replies of pairs from others; its space is that of the pairs' sentences."""
    texts = list(dict.fromkeys(pair.reply for pair in pairs))
    space = _round_space(learn_space(vectors.stack_sentences(list_said(pairs)).astype(np.float64), texts))
    posts = list(dict.fromkeys(pair.context[0] for pair in pairs))
    tell(f"finding the themes of {len(posts):,} posts")
    themes = find_themes(ReplyMeasures(vectors, space).whiten_utterances(posts), max(1, min(THEMES, len(posts) // 4)))
    space = replace(space, themes=round_numbers(themes))
    measure = ReplyMeasures(vectors, space)
    asked = [
        [pair.request, *(ScoreRequest(pair.context, other) for other in found)]
        for pair, found in zip(pairs, negatives, strict=True)
    ]
    features = np.empty((len(asked), CANDIDATES + 1, len(FEATURES)))
    for place, requests in enumerate(asked):
        if place % _TOGETHER == 0:
            tell(f"measured {place:,} of {len(asked):,} replies, each with {CANDIDATES} others")
        features[place] = measure(requests)
    weights, bias = fit_layer(features)
    return ReplyLayer(space, round_numbers(weights), float(round_numbers(np.asarray(bias))))


def _round_space(space: ReplySpace) -> ReplySpace:
    """Return the space as its file will hold it: what is measured is the scorer that is written."""
    rarity = {stem: round(value, 4) for stem, value in space.rarity.items()}
    whitening = round_numbers(space.whitening)
    return ReplySpace(round_numbers(space.centre), whitening, rarity, round(space.unknown, 4), space.themes)


def hash_rows(rows: Iterable[tuple[object, ...]]) -> str:
    """Return 64 hexadecimal digits that identify the rows of a training, in order."""
    digest = hashlib.sha256()
    for row in rows:
        digest.update(repr(row).encode("utf-8", "replace"))
    return digest.hexdigest()


def fit_layer(features: NDArray[np.float64], penalty: float = PENALTY) -> tuple[NDArray[np.float64], float]:
    """Return weights (n_features) and bias for features (n_replies × n_candidates × n_features); the first candidate is true.

    The weights make the true reply the most probable of its candidates (a conditional logit: what recall@1 asks for). A logistic
    regression over their scores then gives the scale and the bias: the log-odds against one other candidate.
    """
    with needing_sklearn():
        from sklearn.linear_model import LogisticRegression

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
    """Return the directions, of length 1, of at most `count` clusters of posts' vectors (n_posts × n_dimensions), by k-means."""
    with needing_sklearn():
        from sklearn.cluster import KMeans

    found = KMeans(min(count, len(vectors)), n_init=1, random_state=0).fit(vectors.astype(np.float64)).cluster_centers_
    themes: NDArray[np.float64] = found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12)
    return themes
