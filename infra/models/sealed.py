"""Trained models as JSON files that carry their own checksum: what is read is what was written, and never a pickle."""

import hashlib
import json
import math
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter, ValidationError

from core.errors import ConfigError
from infra.models.sentence_embedder import SentenceEmbedder
from infra.named_files import read_named

MAX_BYTES = 2**24


class SealedModel(Protocol):
    """A dataclass with the name of its format, and the SHA-256 of everything else in `checksum`."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def format(self) -> str:
        """Name and version of the format."""

    @property
    def checksum(self) -> str:
        """64 hexadecimal digits, empty before it is written."""


class ModelOfVectors(Protocol):
    """A model that was trained on the vectors of one sentence model, and fits no others."""

    @property
    def embedding_model(self) -> str:
        """Name of the sentence model."""

    @property
    def embedding_checksum(self) -> str:
        """Checksum of its weights."""


Model = TypeVar("Model", bound=SealedModel)


def write_sealed(model: SealedModel, path: Path) -> None:
    """Write a model as JSON, with its checksum.

    Raises:
        ConfigError: the file cannot be written.
    """
    sealed = replace(model, checksum=_checksum(model))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(asdict(sealed), indent=None) + "\n", encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}; name a file that can be written") from error


def read_sealed(path: str, kind: type[Model], form: str, what: str) -> Model:
    """Read a model of a format; `what` it is called in messages.

    Raises:
        ConfigError: the file is missing, no such model, or another than was written.
    """
    content = read_named(path, what, "name a file that holds one", MAX_BYTES)
    try:
        model = TypeAdapter(kind).validate_json(content)
    except (ValidationError, RecursionError) as error:
        raise ConfigError(f"{what} {path} is none ({error}); name a file that holds one") from error
    if model.format != form or model.checksum != _checksum(model):
        raise ConfigError(f"{what} {path} is not what was written; train it again, or take it from where it was made")
    return model


def check_vectors(model: ModelOfVectors, embedder: SentenceEmbedder, path: str, what: str) -> None:
    """Check that a model of the file `path` was trained on the vectors of `embedder`; `what` it is called in messages.

    Raises:
        ConfigError: it was trained on the vectors of another sentence model.
    """
    if model.embedding_checksum != embedder.checksum:
        raise ConfigError(
            f"{what} {path} was trained on the vectors of {model.embedding_model}, not of {embedder.name}; "
            "name another, or set scorer.embedding_model"
        )


def mark_file(path: str) -> tuple[int, ...]:
    """Return what tells that a file is another than before: its inode, size and time of change; () where there is none."""
    try:
        found = Path(path).stat()
    except OSError:
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns


def round_numbers(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return an array of numbers of six digits, which keeps the file small."""
    rounded: NDArray[np.float64] = np.vectorize(lambda number: float(f"{number:.6g}"), otypes=[np.float64])(numbers)
    return rounded


def _checksum(model: SealedModel) -> str:
    content = {name: value for name, value in asdict(model).items() if name != "checksum"}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


REPLY_FORMAT = "fabula reply scorer 4"


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
    model = read_sealed(path, ReplyModel, REPLY_FORMAT, "reply scorer")
    if reason := _find_fault(model):
        raise ConfigError(f"reply scorer {path}: {reason}; train it again")
    return model


def open_model(path: str, embedder: SentenceEmbedder) -> ReplyModel:
    """Return a model for the vectors of `embedder`; it is read once a process, unless the file changes.

    Raises:
        ConfigError: as `read_model`, or it was trained on the vectors of another sentence model.
    """
    model = _read_model_cached(path, mark_file(path))
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
def _read_model_cached(path: str, _mark: tuple[int, ...]) -> ReplyModel:
    """Read a file again where `_mark` says that it was written anew."""
    return read_model(path)


STARTER_FORMAT = "fabula starter classifier 1"


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
    model = read_sealed(path, StarterModel, STARTER_FORMAT, "starter classifier")
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
    model = _read_classifier_cached(path, mark_file(path))
    check_vectors(model, embedder, path, "starter classifier")
    return model


@lru_cache(maxsize=4)
def _read_classifier_cached(path: str, _mark: tuple[int, ...]) -> StarterModel:
    """Read a file again where `_mark` says that it was written anew."""
    return read_classifier(path)
