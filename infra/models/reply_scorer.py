"""The trained reply scorer as a file: its layer and space as JSON with what it was trained on, never as a pickle."""

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

from core.errors import ConfigError
from infra.models.sealed import check_vectors, mark_file, read_sealed, write_sealed
from infra.models.sentence_embedder import SentenceEmbedder

FORMAT = "fabula reply scorer 4"


@dataclass(frozen=True, slots=True)
class ReplyModel:
    """The layer of a reply scorer (`core.threads.trained_scoring`), and where it comes from.

    `features` names the features that `weights` belong to. `centre`, `whitening` (rows), `rarity`, `unknown` and `themes` (rows)
    are its space.

    `embedding_checksum` identifies the sentence model, `data` the posts that it was trained on (SHA-256 over their records),
    `metrics` are those on posts that it was not trained on. `checksum` is the SHA-256 of everything else.
    """

    format: str
    embedding_model: str
    embedding_checksum: str
    data: str
    trained_on: dict[str, int]
    metrics: dict[str, Any]
    features: list[str]
    weights: list[float]
    bias: float
    centre: list[float]
    whitening: list[list[float]]
    rarity: dict[str, float]
    unknown: float
    themes: list[list[float]]
    checksum: str = ""


def write_model(model: ReplyModel, path: Path) -> None:
    """Write a model as JSON; ConfigError where the file cannot be written."""
    write_sealed(model, path)


def read_model(path: str) -> ReplyModel:
    """Read a model.

    Raises:
        ConfigError: no file is named, it is missing, no reply scorer, or another than was written.
    """
    if not path:
        raise ConfigError("the scorer `reply` needs a file; set scorer.model to it")
    model = read_sealed(path, ReplyModel, FORMAT, "reply scorer")
    if reason := _find_fault(model):
        raise ConfigError(f"reply scorer {path}: {reason}; train it again")
    return model


def open_model(path: str, embedder: SentenceEmbedder) -> ReplyModel:
    """Return a model for the vectors of `embedder`; it is read once a process, unless the file changes.

    Raises:
        ConfigError: as `read_model`, or it was trained on the vectors of another sentence model.
    """
    model = _read_cached(path, mark_file(path))
    check_vectors(model, embedder, path, "reply scorer")
    return model


def _find_fault(model: ReplyModel) -> str:
    """Return what is wrong with the shapes or numbers of a model, or ""."""
    dimensions = len(model.centre)
    if len(model.weights) != len(model.features):
        return f"{len(model.weights)} weights for {len(model.features)} features"
    if not dimensions or len(model.whitening) != dimensions or {*map(len, model.whitening)} != {dimensions}:
        return f"the whitening is no square of {dimensions} dimensions"
    if {*map(len, model.themes)} != {dimensions}:
        return f"the themes are no vectors of {dimensions} dimensions"
    numbers = [*model.weights, model.bias, *model.centre, *chain(*model.whitening, *model.themes)]
    numbers += [*model.rarity.values(), model.unknown]
    return "" if all(map(math.isfinite, numbers)) else "a number that is not finite"


@lru_cache(maxsize=4)
def _read_cached(path: str, _mark: tuple[int, ...]) -> ReplyModel:
    """Read a file again where `_mark` says that it was written anew."""
    return read_model(path)
