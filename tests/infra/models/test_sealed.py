"""A trained model is read as it was written, anew where it was written anew, and refused where it is another."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.errors import ConfigError
from infra.models.sealed import ReplyModel, SealedModel, StarterModel, open_model, read_model, write_model
from infra.models.sentence_embedder import SentenceEmbedder
from tests.tiny_transformer import save_tiny_transformer


@pytest.fixture(scope="module")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> SentenceEmbedder:
    return SentenceEmbedder(save_tiny_transformer(tmp_path_factory.mktemp("model"), "lamp"))


MODEL = ReplyModel(
    embedding_model="m", embedding_checksum="e" * 64, data="d" * 64, trained_on={"pairs": 1}, metrics={},
    features=["a", "b"], weights=[0.5, 0.25], bias=0.125, centre=[1.0, 2.0], whitening=[[1.0, 0.0], [0.5, 1.0]],
    rarity={"lamp": 2.5}, unknown=3.0, themes=[[0.6, 0.8]],
)  # fmt: skip


COMMON: dict[str, Any] = {name: getattr(MODEL, name) for name in ("data", "trained_on", "metrics", "features", "weights", "bias")}
STARTER = StarterModel(embedding_model="m", embedding_checksum="e", labels="given", means=[0.0] * 2, scales=[1.0] * 2, **COMMON)


@pytest.mark.parametrize("model", [STARTER, MODEL])
def test_a_model_trained_again_is_the_one_that_decides(model: SealedModel, embedder: SentenceEmbedder, tmp_path: Path) -> None:
    path, kind = tmp_path / "model.json", type(model)
    for bias in (1.0, 22.5):
        written = replace(model, embedding_model=embedder.name, embedding_checksum=embedder.checksum, bias=bias)
        write_model(written, path)
        assert replace(read_model(kind, str(path)), checksum="") == written
        found = open_model(kind, str(path), embedder)
        assert found.bias == bias
        assert open_model(kind, str(path), embedder) is found


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"weights": [0.5]}, "1 weights for 2 features"),
        ({"whitening": [[1.0, 0.0], [0.5]]}, "no square of 2"),
        ({"whitening": []}, "no square of 2"),
        ({"centre": []}, "no square of 0"),
        ({"themes": [[1.0]]}, "themes are no vectors of 2"),
        (lambda text: text.replace("0.25", "0.26"), ""),
        (lambda text: text.replace(MODEL.format, "another 1"), ""),
        (lambda text: text.replace("0.25", "NaN"), ""),
        (lambda text: text[:-9], ""),
        (lambda _: "[" * 100_000, ""),
        (lambda _: "", ""),
    ],
)
def test_a_scorer_of_wrong_shapes_or_a_tampered_one_is_refused(change: Any, fault: str, tmp_path: Path) -> None:
    path = tmp_path / "scorer.json"
    write_model(replace(MODEL, **change) if isinstance(change, dict) else MODEL, path)
    if callable(change):
        path.write_text(change(path.read_text()))
    with pytest.raises(ConfigError, match=fault or r"scorer\.json"):
        read_model(ReplyModel, str(path))
