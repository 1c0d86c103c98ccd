"""The trained classifier of discussion starters as a file."""

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

from core.errors import ConfigError
from infra.models.sealed import check_vectors, mark_file, read_sealed, write_sealed
from infra.models.sentence_embedder import SentenceEmbedder

FORMAT = "fabula starter classifier 1"


@dataclass(frozen=True, slots=True)
class StarterModel:
    """A fitted classifier (`core.threads.starters.StarterLayer`), and where it comes from: `features` names its columns.

    `labels` says whether the labels were given or weak ones. `data` is the SHA-256 over posts and labels, `trained_on` counts
    them. `metrics` are from cross-validation. `checksum` is the SHA-256 of everything else.
    """

    format: str
    embedding_model: str
    embedding_checksum: str
    labels: str
    data: str
    trained_on: dict[str, int]
    metrics: dict[str, Any]
    features: list[str]
    means: list[float]
    scales: list[float]
    weights: list[float]
    bias: float
    checksum: str = ""


def write_classifier(model: StarterModel, path: Path) -> None:
    """Write a classifier as JSON; ConfigError where the file cannot be written."""
    write_sealed(model, path)


def read_classifier(path: str) -> StarterModel:
    """Read a classifier.

    Raises:
        ConfigError: the file is missing, no classifier, or another than was written.
    """
    model = read_sealed(path, StarterModel, FORMAT, "starter classifier")
    sizes = {len(part) for part in (model.features, model.means, model.scales, model.weights)}
    numbers = chain(model.means, model.scales, model.weights, [model.bias])
    if len(sizes) != 1 or not all(map(math.isfinite, numbers)) or min(model.scales, default=0) <= 0:
        raise ConfigError(f"starter classifier {path}: its numbers do not fit its features; train it again")
    return model


def open_classifier(path: str, embedder: SentenceEmbedder) -> StarterModel:
    """Return a classifier for the vectors of `embedder`; it is read once a process, unless the file changes.

    Raises:
        ConfigError: as `read_classifier`, or it was trained on the vectors of another sentence model.
    """
    model = _read_cached(path, mark_file(path))
    check_vectors(model, embedder, path, "starter classifier")
    return model


@lru_cache(maxsize=4)
def _read_cached(path: str, _mark: tuple[int, ...]) -> StarterModel:
    """Read a file again where `_mark` says that it was written anew."""
    return read_classifier(path)
