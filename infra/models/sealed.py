"""Trained models as JSON files that carry their own checksum: what is read is what was written, and never a pickle."""

import hashlib
import json
import math
from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter, ValidationError

from core.errors import ConfigError
from infra.models.sentence_embedder import SentenceEmbedder
from infra.named_files import read_named

MAX_BYTES = 2**24


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedModel(ABC):
    """A linear model on features that sentence vectors give, and where it comes from.

    `features` names the features that `weights` belong to. `embedding_checksum` identifies the sentence model, `data` what the
    model was trained on (SHA-256), which `trained_on` counts. `metrics` are those on what it was not trained on. `checksum` is
    the SHA-256 of everything else, "" before it is written.
    """

    WHAT: ClassVar[str]
    """What a model of this kind is called in messages."""

    format: str
    embedding_model: str
    embedding_checksum: str
    data: str
    trained_on: dict[str, int]
    metrics: dict[str, Any]
    features: list[str]
    weights: list[float]
    bias: float
    checksum: str = ""

    @abstractmethod
    def find_fault(self) -> str:
        """Return what is wrong with the shapes or numbers, or ""."""

    def sum_up(self) -> str:
        """Return the checksum of everything else."""
        content = {name: value for name, value in asdict(self).items() if name != "checksum"}
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyModel(SealedModel):
    """A reply scorer (`core.threads.trained_scoring.ReplyLayer`): `whitening` and `themes` are lists of rows."""

    WHAT = "reply scorer"
    format: Literal["fabula reply scorer 4"] = "fabula reply scorer 4"
    centre: list[float]
    whitening: list[list[float]]
    rarity: dict[str, float]
    unknown: float
    themes: list[list[float]]

    def find_fault(self) -> str:
        """Return what is wrong with the shapes or numbers, or ""."""
        dimensions = len(self.centre)
        if len(self.weights) != len(self.features):
            return f"{len(self.weights)} weights for {len(self.features)} features"
        if not dimensions or len(self.whitening) != dimensions or {*map(len, self.whitening)} != {dimensions}:
            return f"the whitening is no square of {dimensions} dimensions"
        if {*map(len, self.themes)} != {dimensions}:
            return f"the themes are no vectors of {dimensions} dimensions"
        numbers = chain(self.weights, self.centre, *self.whitening, *self.themes, self.rarity.values(), [self.bias, self.unknown])
        return "" if all(map(math.isfinite, numbers)) else "a number that is not finite"


@dataclass(frozen=True, slots=True, kw_only=True)
class StarterModel(SealedModel):
    """A classifier of discussion starters (`core.threads.starters.StarterLayer`); `labels` were "given", or are "weak" ones."""

    WHAT = "starter classifier"
    format: Literal["fabula starter classifier 1"] = "fabula starter classifier 1"
    labels: str
    means: list[float]
    scales: list[float]

    def find_fault(self) -> str:
        """Return what is wrong with the shapes or numbers, or ""."""
        sizes = {len(part) for part in (self.features, self.means, self.scales, self.weights)}
        numbers = chain(self.means, self.scales, self.weights, [self.bias])
        if len(sizes) != 1 or not all(map(math.isfinite, numbers)) or min(self.scales, default=0) <= 0:
            return "its numbers do not fit its features"
        return ""


Model = TypeVar("Model", bound=SealedModel)


def write_model(model: SealedModel, path: Path) -> None:
    """Write a model as JSON, with its checksum; ConfigError where the file cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(asdict(replace(model, checksum=model.sum_up()))) + "\n", encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}; name a file that can be written") from error


def read_model(kind: type[Model], path: str) -> Model:
    """Read a model; ConfigError where it is another than was written."""
    content = read_named(path, kind.WHAT, "name a file that holds one", MAX_BYTES)
    try:
        model = TypeAdapter(kind).validate_json(content)
    except (ValidationError, RecursionError) as error:
        raise ConfigError(f"{kind.WHAT} {path} is none ({error}); name a file that holds one") from error
    if model.checksum != model.sum_up():
        raise ConfigError(f"{kind.WHAT} {path} is not what was written; train it again, or take it from where it was made")
    if fault := model.find_fault():
        raise ConfigError(f"{kind.WHAT} {path}: {fault}; train it again")
    return model


def open_model(kind: type[Model], path: str, embedder: SentenceEmbedder) -> Model:
    """Return a model for the vectors of `embedder`; it is read once a process, unless the file changes."""
    try:
        found = Path(path).stat()
        model: Model = _read_cached(kind, path, (found.st_ino, found.st_size, found.st_mtime_ns))
    except OSError:
        model = read_model(kind, path)  # says what is wrong with the file
    if model.embedding_checksum != embedder.checksum:
        told = f"{kind.WHAT} {path} was trained on the vectors of {model.embedding_model}, not of {embedder.name}"
        raise ConfigError(f"{told}; name another, or set scorer.embedding_model")
    return model


@lru_cache(maxsize=4)
def _read_cached(kind: type[Any], path: str, _mark: tuple[int, ...]) -> Any:  # a cache keeps no type variable
    """Read a file again where `_mark` says that it was written anew."""
    return read_model(kind, path)


def round_numbers(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return an array of numbers of six digits, which keeps the file small."""
    rounded: NDArray[np.float64] = np.vectorize(lambda number: float(f"{number:.6g}"), otypes=[np.float64])(numbers)
    return rounded
