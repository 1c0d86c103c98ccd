"""Sentence vectors in the store: each text is embedded once per unit and model."""

from collections.abc import Sequence
from typing import cast
from uuid import uuid4

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from infra.models.sentence_embedder import SentenceEmbedder
from infra.models.vectors import StoredEmbedder
from infra.store.objects import Store

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
    embed = stored(store, model)
    texts = ["Jack runs.", "Mary waits.", "Jack runs."]
    vectors = embed(texts)
    assert vectors.dtype == np.float32
    assert np.array_equal(vectors, [vector(text) for text in texts])
    assert embed.computed == 2

    again = stored(store, model)
    assert np.array_equal(
        again(["Mary waits.", "Who?", "Jack runs."]), [vector(t) for t in ("Mary waits.", "Who?", "Jack runs.")]
    )
    assert again.computed == 1
    assert model.asked == [["Jack runs.", "Mary waits."], ["Who?"]]
    assert len(list(store.list_keys("artifacts/scripts/vectors/fox"))) == 2


def test_nothing_is_read_or_written_where_nothing_is_asked(store: Store) -> None:
    model = Letters()
    embed = stored(store, model)
    assert embed([]).shape[0] == 0
    assert (embed.computed, model.asked, list(store.list_keys("artifacts"))) == (0, [], [])


def test_models_and_units_do_not_share_vectors(store: Store) -> None:
    first, other = Letters(), Letters("b" * 64)
    stored(store, first)(["Jack runs."])
    for model, unit in ((other, "fox"), (first, "goose")):
        embed = stored(store, model, unit)
        embed(["Jack runs."])
        assert embed.computed == 1


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
