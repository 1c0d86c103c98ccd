"""Training the ranker of room descriptions on labels and judgements; the store keeps it."""

import hashlib
import io
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from core.errors import ConfigError
from core.fingerprints import canonicalise
from core.rooms.config import RoomsConfig
from core.rooms.ranker import RoomRanker, fit_ranker, name_features, rate_ranking
from infra.models.sentence_embedder import SentenceEmbedder
from infra.store.objects import Store
from tasks.rooms.evaluation import ARRAYS, FOLDER, NUMBERS, cross_validate, make_ready
from tasks.rooms.labels import Labels, read_gold, read_judged


def train_ranker(gold: str | None, store_url: str, dataset: str, judgements: str | None, config: RoomsConfig) -> dict[str, Any]:
    """Train a ranker on gold labels and judgements, put it into the store, and return its version and figures."""
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


def save_ranker(store: Store, ranker: RoomRanker, embedder: SentenceEmbedder, facts: Mapping[str, Any]) -> str:
    """Write a ranker and return its version, a hash of its arrays and of everything that it was made from.

    `facts` are JSON values about it: the checksum of its training data, the analysis of its sentences, its figures.
    """
    buffer = io.BytesIO()
    np.savez(buffer, **{name: getattr(ranker, name) for name in ARRAYS})
    arrays = buffer.getvalue()
    content = {
        "features": list(ranker.features),
        **{name: getattr(ranker, name) for name in NUMBERS},
        "arrays_sha256": hashlib.sha256(arrays).hexdigest(),
        "embedding_model": embedder.name,
        "embedding_sha256": embedder.checksum,
        **facts,
    }
    text = json.dumps(content, indent=1, sort_keys=True)
    version = hashlib.sha256(text.encode()).hexdigest()[:16]
    store.write(f"{FOLDER}/{version}/arrays.npz", arrays)
    store.write(f"{FOLDER}/{version}/model.json", text.encode())
    store.write(f"{FOLDER}/latest.json", json.dumps({"version": version}).encode())
    return version


def _gather_labels(gold: str | None, store: Store, dataset: str, judgements: str | None) -> Labels:
    """Return all labels; of a text that is labelled twice the later label counts."""
    parts = [read_gold(gold)] if gold is not None else []
    if judgements is not None or store.list_keys(f"reviews/{dataset}"):
        parts.append(read_judged(store, dataset, judgements))
    by_text = {sentence.text: sentence for part in parts for sentence in part.sentences}
    return Labels(tuple(by_text.values()), tuple(reason for part in parts for reason in part.refused))
