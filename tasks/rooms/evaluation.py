"""Rates the score and the learned ranker on labelled sentences, trains the ranker, and lists what to judge next."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from core.errors import ConfigError
from core.fingerprints import canonicalise
from core.rooms.config import AnalysisConfig, RoomsConfig, ScoreWeights
from core.rooms.ranker import divide_folds, fit_ranker, make_features, name_features
from core.rooms.ranking_quality import rate_ranking
from core.rooms.review import choose_likely, choose_next
from core.rooms.review_yield import Reviewed, YieldCurves, simulate_yield
from core.rooms.score import score_parts
from infra.models.sentence_embedder import SentenceEmbedder
from infra.store.objects import Store
from infra.store.releases import read_manifest
from tasks.rooms.build import find_text_parts
from tasks.rooms.labels import QUESTION, Labels, join_labels, read_gold, read_judged, read_sentences
from tasks.rooms.rankers import load_ranker, save_ranker

RankOrder = Literal["useful", "likely"]
MOST_RANKED = 20_000
"""Sentences that are embedded to choose those to judge next: the best by score, and as many others at random."""


@dataclass(frozen=True, slots=True)
class RankedFeatures:
    """Sentences made ready: the score of each (n), and its features (n × n_features)."""

    scores: NDArray[np.float64]
    rows: NDArray[np.float64]
    vectors: NDArray[np.float32]


def make_ready(
    texts: Sequence[str], analysis: AnalysisConfig, weights: ScoreWeights, embedder: SentenceEmbedder
) -> RankedFeatures:
    """Return the scores, features and vectors of sentences.

    Raises:
        ConfigError: the extra `embeddings`, or what the analysis names, is missing.
    """
    parts = find_text_parts(texts, analysis)
    vectors = embedder(texts)
    scores = np.array([score_parts(found, weights) for found in parts])
    return RankedFeatures(scores, make_features(texts, parts, vectors), vectors)


def evaluate_rooms(gold: str, config: RoomsConfig) -> dict[str, Any]:
    """Return the quality of the score, of sentence vectors alone, and of the ranker, as JSON values.

    Each is rated on sentences of episodes that it was not fitted on (5 folds by episode). Sentences of an unsure kind are
    reported apart: the share that the score keeps, and the mean probability by a ranker fitted on all others.

    Raises:
        ConfigError: there are no labels, too few, or the extra `embeddings` is missing.
    """
    labels = read_gold(gold)
    sure = [each for each in labels.sentences if not each.apart]
    unsure = [each for each in labels.sentences if each.apart]
    embedder = SentenceEmbedder(config.analysis.embedding_model)
    ready = make_ready([each.text for each in sure], config.analysis, config.weights, embedder)
    rooms, groups = np.array([each.room for each in sure]), [each.episode for each in sure]
    features = name_features(ready.vectors.shape[1])
    first = features.index("vector_0")
    ranked = cross_validate(ready.rows, rooms, groups, features)
    embedded = cross_validate(ready.rows[:, first:], rooms, groups, features[first:])
    least = config.selection.min_score
    figures: dict[str, Any] = {
        "sentences": len(sure),
        "rooms": int(rooms.sum()),
        "episodes": len(set(groups)),
        "analysis": config.analysis.label,
        "score": asdict(rate_ranking(rooms, ready.scores, groups)),
        "vectors": asdict(rate_ranking(rooms, embedded, groups, probabilities=True)),
        "ranker": asdict(rate_ranking(rooms, ranked, groups, probabilities=True)),
        "kept_by_score": {
            "rooms": float(np.mean(ready.scores[rooms] >= least)),
            "others": float(np.mean(ready.scores[~rooms] >= least)),
        },
        "apart": {},
        "refused": list(labels.refused),
    }
    if unsure:
        fitted = fit_ranker(ready.rows, rooms, groups, features)
        apart = make_ready([each.text for each in unsure], config.analysis, config.weights, embedder)
        probabilities = fitted.rank(apart.rows)
        for kind in sorted({each.kind for each in unsure}):
            chosen = np.array([each.kind == kind for each in unsure])
            figures["apart"][kind] = {
                "sentences": int(chosen.sum()),
                "kept_by_score": float(np.mean(apart.scores[chosen] >= least)),
                "mean_probability": float(probabilities[chosen].mean()),
            }
    return figures


YIELD_BATCH, YIELD_BATCHES, YIELD_SEEDS = 50, 10, 4
"""A simulated review: sentences between two trainings, how many trainings, and simulations of each fold."""


def evaluate_yield(gold: str, config: RoomsConfig) -> YieldCurves:
    """Return what a review of the labelled sentences would find in each order; those of an unsure kind are left out.

    Raises:
        ConfigError: there are no labels, too few, or the extra `embeddings` is missing.
    """
    sure = [each for each in read_gold(gold).sentences if not each.apart]
    embedder = SentenceEmbedder(config.analysis.embedding_model)
    ready = make_ready([each.text for each in sure], config.analysis, config.weights, embedder)
    rooms, groups = np.array([each.room for each in sure]), [each.episode for each in sure]
    reviewed = Reviewed(rooms, groups, ready.scores, ready.rows, ready.vectors, name_features(ready.vectors.shape[1]))
    return simulate_yield(reviewed, YIELD_BATCH, YIELD_BATCHES, YIELD_SEEDS)


def cross_validate(
    rows: NDArray[np.float64], labels: NDArray[np.bool_], groups: Sequence[str], features: tuple[str, ...]
) -> NDArray[np.float64]:
    """Return the probability of each row by a ranker that was fitted and calibrated without its fold."""
    found = np.zeros(len(rows))
    for test in divide_folds(labels, groups):
        kept = [group for group, out in zip(groups, test, strict=True) if not out]
        ranker = fit_ranker(rows[~test], labels[~test], kept, features)
        found[test] = ranker.rank(rows[test])
    return found


def train_ranker(gold: str | None, store_url: str, dataset: str, judgements: str | None, config: RoomsConfig) -> dict[str, Any]:
    """Train a ranker on gold labels and judgements, put it into the store, and return its version and figures.

    Raises:
        ConfigError: there are too few labels, or the extra `embeddings` is missing.
    """
    store = Store(store_url)
    labels = _gather_labels(gold, store, dataset, judgements)
    sure = [each for each in labels.sentences if not each.apart]
    if not sure:
        raise ConfigError("found no labels: name a folder with --gold, or judge sentences that fabula rank rooms lists")
    embedder = SentenceEmbedder(config.analysis.embedding_model)
    ready = make_ready([each.text for each in sure], config.analysis, config.weights, embedder)
    rooms, groups = np.array([each.room for each in sure]), [each.episode for each in sure]
    features = name_features(ready.vectors.shape[1])
    ranker = fit_ranker(ready.rows, rooms, groups, features)
    quality = rate_ranking(rooms, cross_validate(ready.rows, rooms, groups, features), groups, probabilities=True)
    facts = {
        "data_sha256": labels.checksum,
        "sentences": len(sure),
        "rooms": int(rooms.sum()),
        "analysis": canonicalise(config.analysis),
        "quality": asdict(quality),
    }
    version = save_ranker(store, ranker, embedder, facts)
    return {"version": version, **facts, "refused": list(labels.refused)}


def rank_sentences(
    store_url: str, dataset: str, judgements: str | None, count: int, seed: int, order: RankOrder = "useful"
) -> dict[str, Any]:
    """Return the sentences of a release to judge next, by the latest ranker of the store.

    `order` is "useful" (`choose_next`) or "likely" (the highest probability first).

    Raises:
        ConfigError: there is no release or no ranker, or the extra `embeddings` is missing.
    """
    store = Store(store_url)
    analysis = AnalysisConfig()
    embedder = SentenceEmbedder(analysis.embedding_model)
    judged = read_judged(store, dataset, judgements)
    known = {each.text for each in judged.sentences}
    rows = _draw([row for row in read_sentences(store, dataset) if row["text"] not in known], seed)
    if not rows:
        return {"ranker": None, "sentences": [], "refused": list(judged.refused)}
    ready = make_ready([row["text"] for row in rows], analysis, ScoreWeights(), embedder)
    ranker, facts = load_ranker(store, name_features(ready.vectors.shape[1]), embedder)
    if facts["analysis"] != canonicalise(analysis):
        raise ConfigError(f"ranker {facts['version']} was trained with another analysis of sentences; train it again")
    probabilities = ranker.rank(ready.rows)
    before = embedder([each.text for each in judged.sentences]) if judged.sentences else ready.vectors[:0]
    version = (read_manifest(store, dataset) or {})["version"]
    places = (
        choose_likely(probabilities, count) if order == "likely" else choose_next(probabilities, ready.vectors, before, count)
    )
    chosen = [
        {
            "item": rows[place]["id"],
            "dataset": dataset,
            "version": version,
            "question": QUESTION,
            "position": position,
            "text": rows[place]["text"],
            "probability": float(probabilities[place]),
            "score": float(rows[place]["score"]),
        }
        for position, place in enumerate(places, 1)
    ]
    return {"ranker": facts["version"], "sentences": chosen, "refused": list(judged.refused)}


def _gather_labels(gold: str | None, store: Store, dataset: str, judgements: str | None) -> Labels:
    parts = [read_gold(gold)] if gold is not None else []
    if judgements is not None or store.list_keys(f"reviews/{dataset}"):
        parts.append(read_judged(store, dataset, judgements))
    return join_labels(parts)


def _draw(rows: list[dict[str, Any]], seed: int) -> list[dict[str, Any]]:
    """Return at most `MOST_RANKED` rows: those of the highest score, and as many others at random."""
    if len(rows) <= MOST_RANKED:
        return rows
    ordered = sorted(rows, key=lambda row: -row["score"])
    half = MOST_RANKED // 2
    others = np.random.default_rng(seed).choice(len(rows) - half, half, replace=False)
    return [*ordered[:half], *(ordered[half + int(place)] for place in sorted(others))]
