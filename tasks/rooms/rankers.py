"""Keeps rankers of rooms in a store: plain arrays and JSON, with checksums, and never a pickle.

models/room-ranker/<version>/arrays.npz, model.json      models/room-ranker/latest.json
"""

import hashlib
import io
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from core.errors import ConfigError
from core.rooms.ranker import RoomRanker
from infra.models.sentence_embedder import SentenceEmbedder
from infra.store.objects import Store

FOLDER = "models/room-ranker"
_ARRAYS = ("means", "scales", "weights")
_NUMBERS = ("intercept", "slope", "offset")


def save_ranker(store: Store, ranker: RoomRanker, embedder: SentenceEmbedder, facts: Mapping[str, Any]) -> str:
    """Write a ranker and return its version, a hash of its arrays and of everything that it was made from.

    `facts` are JSON values about it: the checksum of its training data, the analysis of its sentences, its figures.
    """
    buffer = io.BytesIO()
    np.savez(buffer, **{name: getattr(ranker, name) for name in _ARRAYS})
    arrays = buffer.getvalue()
    content = {
        "features": list(ranker.features),
        **{name: getattr(ranker, name) for name in _NUMBERS},
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


def load_ranker(store: Store, expected: tuple[str, ...], embedder: SentenceEmbedder) -> tuple[RoomRanker, dict[str, Any]]:
    """Return the latest ranker of a store, and the content of its `model.json`.

    Args:
        store: where it is.
        expected: the names of the features that sentences have now, in order.
        embedder: the model whose vectors they hold.

    Raises:
        ConfigError: there is none, its arrays are not those that were written, or its features or its sentence model differ.
    """
    pointer = store.read_if_there(f"{FOLDER}/latest.json")
    if pointer is None:
        raise ConfigError(f"store {store.url} has no ranker; train one: fabula train room-ranker --gold DIR --store {store.url}")
    version = json.loads(pointer[0])["version"]
    content, found = (store.read_if_there(f"{FOLDER}/{version}/{name}") for name in ("model.json", "arrays.npz"))
    if content is None or found is None:
        raise ConfigError(f"ranker {version} in store {store.url} is incomplete; train it again")
    facts: dict[str, Any] = json.loads(content[0])
    if facts["arrays_sha256"] != found[1]:
        raise ConfigError(
            f"ranker {version}: its arrays have the SHA-256 {found[1]}, not {facts['arrays_sha256']}; train it again"
        )
    if tuple(facts["features"]) != expected:
        raise ConfigError(f"ranker {version}: it was trained on other features, or in another order; train it again")
    if facts["embedding_sha256"] != embedder.checksum:
        raise ConfigError(f"ranker {version}: it was trained with another sentence model than {embedder.name!r}; train it again")
    arrays = np.load(io.BytesIO(found[0]), allow_pickle=False)
    ranker = RoomRanker(expected, *(arrays[name] for name in _ARRAYS), *(float(facts[name]) for name in _NUMBERS))
    return ranker, {**facts, "version": version}
