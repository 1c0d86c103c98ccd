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


MODEL = ReplyModel(
    embedding_model="m", embedding_checksum="e" * 64, data="d" * 64, trained_on={"pairs": 1}, metrics={},
    features=["a", "b"], weights=[0.5, 0.25], bias=0.125, centre=[1.0, 2.0], whitening=[[1.0, 0.0], [0.5, 1.0]],
    rarity={"lamp": 2.5}, unknown=3.0, themes=[[0.6, 0.8]],
)  # fmt: skip


def test_a_scorer_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_model(MODEL, tmp_path / "scorer.json")
    found = read_model(ReplyModel, str(tmp_path / "scorer.json"))
    assert replace(found, checksum="") == MODEL


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"weights": [0.5]}, "1 weights for 2 features"),
        ({"whitening": [[1.0, 0.0], [0.5]]}, "no square of 2"),
        ({"whitening": []}, "no square of 2"),
        ({"centre": []}, "no square of 0"),
        ({"themes": [[1.0]]}, "themes are no vectors of 2"),
    ],
)
def test_a_scorer_of_wrong_shapes_is_refused(change: dict[str, Any], fault: str, tmp_path: Path) -> None:
    write_model(replace(MODEL, **change), tmp_path / "scorer.json")
    with pytest.raises(ConfigError, match=fault):
        read_model(ReplyModel, str(tmp_path / "scorer.json"))


@pytest.mark.parametrize(
    "tamper",
    [
        lambda text: text.replace("0.25", "0.26"),
        lambda text: text.replace(MODEL.format, "another 1"),
        lambda text: text.replace("0.25", "NaN"),
        lambda text: text[:-9],
        lambda _: "[" * 100_000,
        lambda _: "",
    ],
)
def test_a_tampered_scorer_is_refused(tamper: Any, tmp_path: Path) -> None:
    path = tmp_path / "scorer.json"
    write_model(MODEL, path)
    path.write_text(tamper(path.read_text()))
    with pytest.raises(ConfigError, match=r"scorer\.json"):
        read_model(ReplyModel, str(path))
