"""Trained models as JSON files that carry their own checksum: what is read is what was written, and never a pickle."""

import hashlib
import json
from dataclasses import asdict, replace
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
