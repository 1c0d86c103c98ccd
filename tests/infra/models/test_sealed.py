"""A trained file that is written anew is read anew, also within one process."""

from pathlib import Path
from typing import Any

import pytest

from infra.models.sealed import ReplyModel, SealedModel, StarterModel, open_model, write_model
from infra.models.sentence_embedder import SentenceEmbedder
from tests.tiny_transformer import save_tiny_transformer


@pytest.fixture(scope="module")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> SentenceEmbedder:
    return SentenceEmbedder(save_tiny_transformer(tmp_path_factory.mktemp("model"), "lamp"))


SPACE: dict[str, Any] = {"centre": [0.0], "whitening": [[1.0]], "rarity": {}, "unknown": 1.0, "themes": [[0.0]]}
KINDS: list[tuple[type[SealedModel], dict[str, Any]]] = [
    (StarterModel, {"labels": "given", "means": [0.0], "scales": [1.0]}),
    (ReplyModel, SPACE),
]


@pytest.mark.parametrize(("kind", "own"), KINDS)
def test_a_model_trained_again_is_the_one_that_decides(
    kind: type[SealedModel], own: dict[str, Any], embedder: SentenceEmbedder, tmp_path: Path
) -> None:
    for bias in (1.0, 22.5):
        model = kind(
            embedding_model=embedder.name,
            embedding_checksum=embedder.checksum,
            data="d",
            trained_on={},
            metrics={},
            features=["a"],
            weights=[0.0],
            bias=bias,
            **own,
        )
        write_model(model, tmp_path / "model.json")
        found = open_model(kind, str(tmp_path / "model.json"), embedder)
        assert found.bias == bias
        assert open_model(kind, str(tmp_path / "model.json"), embedder) is found
