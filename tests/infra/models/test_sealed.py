"""A trained file that is written anew is read anew, also within one process."""

from pathlib import Path
from typing import Any

import pytest

from infra.models.sealed import (
    REPLY_FORMAT,
    STARTER_FORMAT,
    ReplyModel,
    StarterModel,
    open_classifier,
    open_model,
    write_classifier,
    write_model,
)
from infra.models.sentence_embedder import SentenceEmbedder
from tests.tiny_transformer import save_tiny_transformer


@pytest.fixture(scope="module")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> SentenceEmbedder:
    return SentenceEmbedder(save_tiny_transformer(tmp_path_factory.mktemp("model"), "lamp"))


def seal(embedder: SentenceEmbedder, bias: float) -> dict[str, Any]:
    """Return what a trained file of either kind says: its sentence model, its training and its weights."""
    return {
        "embedding_model": embedder.name,
        "embedding_checksum": embedder.checksum,
        "data": "d",
        "trained_on": {},
        "metrics": {},
        "features": ["a"],
        "weights": [0.0],
        "bias": bias,
    }


def test_a_classifier_trained_again_is_the_one_that_decides(embedder: SentenceEmbedder, tmp_path: Path) -> None:
    for bias in (1.0, 22.5):
        sealed = seal(embedder, bias)
        model = StarterModel(format=STARTER_FORMAT, labels="given", means=[0.0], scales=[1.0], **sealed)
        write_classifier(model, tmp_path / "model.json")
        found = open_classifier(str(tmp_path / "model.json"), embedder)
        assert found.bias == bias
        assert open_classifier(str(tmp_path / "model.json"), embedder) is found


def test_a_reply_scorer_trained_again_is_the_one_that_scores(embedder: SentenceEmbedder, tmp_path: Path) -> None:
    for bias in (1.0, 22.5):
        space: dict[str, Any] = {"centre": [0.0], "whitening": [[1.0]], "rarity": {}, "unknown": 1.0, "themes": [[0.0]]}
        model = ReplyModel(format=REPLY_FORMAT, **seal(embedder, bias), **space)
        write_model(model, tmp_path / "model.json")
        assert open_model(str(tmp_path / "model.json"), embedder).bias == bias
