"""The trained reply scorer as a file: its layer and space as JSON with what it was trained on, never as a pickle."""

import hashlib
import json
import math
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter, ValidationError

from core.errors import ConfigError
from infra.models.sentence_embedder import SentenceEmbedder

FORMAT = "fabula reply scorer 4"
MAX_BYTES = 2**24


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


def seal_model(model: ReplyModel) -> ReplyModel:
    """Return the model with its checksum."""
    return TypeAdapter(ReplyModel).validate_python(asdict(model) | {"checksum": _checksum(model)})


def write_model(model: ReplyModel, path: Path) -> None:
    """Write a model as JSON.

    Raises:
        ConfigError: the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(asdict(seal_model(model)), indent=None) + "\n", encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}; name a file that can be written") from error


def read_model(path: str) -> ReplyModel:
    """Read a model.

    Raises:
        ConfigError: no file is named, it is missing, no reply scorer, or another than was written.
    """
    if not path:
        raise ConfigError("the scorer `reply` needs a file; set scorer.model to it")
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise ConfigError(f"reply scorer {path}: {error.strerror}; name a file that holds one") from error
    if len(content) > MAX_BYTES:
        raise ConfigError(f"reply scorer {path}: {len(content):,} bytes, expected at most {MAX_BYTES:,}")
    try:
        model = TypeAdapter(ReplyModel).validate_json(content)
    except (ValidationError, RecursionError) as error:
        raise ConfigError(f"reply scorer {path} is none ({error}); name a file that holds one") from error
    if model.format != FORMAT or model.checksum != _checksum(model):
        raise ConfigError(f"reply scorer {path} is not what was written; train it again, or take it from where it was made")
    if reason := _find_fault(model):
        raise ConfigError(f"reply scorer {path}: {reason}; train it again")
    return model


def open_model(path: str, embedder: SentenceEmbedder) -> ReplyModel:
    """Return a model for the vectors of `embedder`; it is read once a process.

    Raises:
        ConfigError: as `read_model`, or it was trained on the vectors of another sentence model.
    """
    model = _read_cached(path)
    if model.embedding_checksum != embedder.checksum:
        raise ConfigError(
            f"reply scorer {path} was trained on the vectors of {model.embedding_model}, not of {embedder.name}; "
            "name another, or set scorer.embedding_model"
        )
    return model


def round_numbers(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return an array of numbers of six digits, which keeps the file small."""
    rounded: NDArray[np.float64] = np.vectorize(lambda number: float(f"{number:.6g}"), otypes=[np.float64])(numbers)
    return rounded


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
def _read_cached(path: str) -> ReplyModel:
    return read_model(path)


def _checksum(model: ReplyModel) -> str:
    content = {name: value for name, value in asdict(model).items() if name != "checksum"}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
