"""The scorers of the settings: what each needs on the machine, what identifies it, and how it is made."""

from functools import cache

import numpy as np

from core.errors import ConfigError
from core.text.sentences import make_splitter
from core.threads.config import ScorerConfig, ThreadsConfig
from core.threads.preparing import RateStarter, score_starter
from core.threads.scoring import EmbeddingScorer, ReplyScorer, SentenceVectors, WordsScorer
from core.threads.search import Generate
from core.threads.starters import PLAIN, StarterClassifier, StarterLayer, StarterMeasures, name_features
from core.threads.trained_scoring import FEATURES, ReplyLayer, ReplySpace, TrainedScorer
from infra.models.language_models import NextSentenceScorer, ReplyGenerator
from infra.models.model_folder import check_model, checksum_model
from infra.models.sealed import ReplyModel, StarterModel, open_model, read_model
from infra.models.sentence_embedder import SentenceEmbedder

_open_generator, _open_embedder, _open_next_sentence = cache(ReplyGenerator), cache(SentenceEmbedder), cache(NextSentenceScorer)
"""Models are loaded once a process."""


def make_starter_rater(config: ThreadsConfig, vectors: SentenceVectors | None = None) -> RateStarter:
    """Return what tells posts that only invite discussion: the rules, or the classifier that the settings name."""
    if not config.starter.classifier:
        return score_starter
    embedder = _open_embedder(config.scorer.embedding_model)
    layer = load_starter_layer(config.starter.classifier, embedder)
    return StarterClassifier(layer, StarterMeasures(vectors or SentenceVectors(embedder), make_splitter(config.splitter)))


def load_starter_layer(path: str, embedder: SentenceEmbedder) -> StarterLayer:
    """Return the layer of a classifier's file, for the vectors of `embedder`."""
    model = open_model(StarterModel, path, embedder)
    if tuple(model.features) != name_features((len(model.features) - len(PLAIN)) // 2):
        raise ConfigError(f"starter classifier {path} has other features than this version of fabula measures; train it again")
    return StarterLayer(np.asarray(model.means), np.asarray(model.scales), np.asarray(model.weights), model.bias)


def identify_starter_rater(config: ThreadsConfig) -> str:
    """Return what identifies the results of the classifier of discussion starters; "" for the rules."""
    if not config.starter.classifier:
        return ""
    return f"starter {read_model(StarterModel, config.starter.classifier).checksum}"


def check_scorer(config: ScorerConfig) -> None:
    """Raise ConfigError where something is missing that the scorer needs; no model of torch is loaded."""
    if config.kind in ("reply", "cosine"):
        embedder = SentenceEmbedder(config.embedding_model)
        embedder.check()
        if config.kind == "reply":
            load_layer(config.model, embedder)
    for name, what in ((config.model if config.kind == "nsp" else "", "checkpoint"), (config.generator, "generator")):
        if name:
            check_model(name, what)


def identify_scorer(config: ScorerConfig) -> str:
    """Return what identifies the scorer's results: the checksums of what it is made of."""
    made = checksum_model(config.generator) if config.generator else ""
    if config.kind == "words":
        return f"words 1 {made}"
    if config.kind == "nsp":
        return f"nsp {checksum_model(config.model)} {made}"
    vectors = SentenceEmbedder(config.embedding_model).checksum
    layer = read_model(ReplyModel, config.model).checksum if config.kind == "reply" else ""
    return f"{config.kind} {vectors} {layer} {made}"


def make_scorer(config: ScorerConfig) -> ReplyScorer:
    """Return a scorer for a group of posts."""
    if config.kind == "words":
        return WordsScorer()
    if config.kind == "nsp":
        return _open_next_sentence(config.model)
    embedder = _open_embedder(config.embedding_model)
    vectors = SentenceVectors(embedder)
    if config.kind == "cosine":
        return EmbeddingScorer(vectors)
    return TrainedScorer(vectors, load_layer(config.model, embedder))


def load_layer(path: str, embedder: SentenceEmbedder) -> ReplyLayer:
    """Return the layer of a reply scorer's file, for the vectors of `embedder`."""
    if not path:
        raise ConfigError("the scorer `reply` needs a file; set scorer.model to it")
    model = open_model(ReplyModel, path, embedder)
    if tuple(model.features) != FEATURES:
        raise ConfigError(f"reply scorer {path} has other features than this version of fabula measures; train it again")
    centre, whitening, themes = np.asarray(model.centre), np.asarray(model.whitening), np.asarray(model.themes)
    space = ReplySpace(centre, whitening, model.rarity, model.unknown, themes)
    return ReplyLayer(space, np.asarray(model.weights), model.bias)


def make_generator(config: ScorerConfig) -> Generate | None:
    """Return the generator of replies, None where the settings name none."""
    return _open_generator(config.generator, config.max_generated) if config.generator else None
