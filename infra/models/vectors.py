"""Keeps sentence vectors in the store: each distinct sentence of a unit is embedded once per model."""

import hashlib
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.fingerprints import fingerprint
from infra.models.sentence_embedder import SentenceEmbedder
from infra.store.objects import Store
from infra.tables.codecs import decode_table, encode_table


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
        self._known: dict[str, NDArray[np.float32]] | None = None
        self.computed = 0

    def __call__(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Return one vector of length 1 per text (n_texts × n_dimensions); raises ConfigError as `SentenceEmbedder` does."""
        if not texts:
            return np.empty((0, 0), np.float32)
        known = self._load()
        digests = [_digest(text) for text in texts]
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

    def _load(self) -> dict[str, NDArray[np.float32]]:
        if self._known is None:
            self._known = {}
            for key in self._store.list_keys(self._folder):
                table = decode_table(self._store.read(key))
                vectors = table.column("vector").combine_chunks().flatten().to_numpy().reshape(len(table), -1)
                self._known.update(zip(table.column("digest").to_pylist(), vectors, strict=True))
        return self._known


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
