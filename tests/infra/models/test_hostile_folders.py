"""No file of a model's folder runs anything: no pickle, in whatever file, and no code that the folder's settings name."""

import io
import json
import pickle
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="models need the extra `embeddings`")

from infra.models import language_models
from infra.models.language_models import ReplyGenerator, load_next_sentence
from infra.models.sentence_embedder import SentenceEmbedder
from lab.summarisation.neural.loading import load_transformer
from tests.tiny_transformer import (
    save_tiny_encoder,
    save_tiny_encoder_decoder,
    save_tiny_next_sentence,
    save_tiny_transformer,
    save_tiny_writer,
)

TEXTS = ["The duke opens the gate.", "A dog barks."]
EVIL = "from pathlib import Path\nPath({trace!r}).touch()\nclass Evil:\n    load = classmethod(lambda cls, *_, **__: cls())\n"


class Payload:
    """An object whose pickle makes a file where it is unpickled."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.trace,)


MODELS: dict[str, tuple[Callable[[Path], str], Callable[[str], object]]] = {
    "sentences": (save_tiny_transformer, lambda folder: SentenceEmbedder(folder)(TEXTS)),
    "next sentence": (save_tiny_next_sentence, load_next_sentence),
    "generator": (
        lambda folder: save_tiny_encoder_decoder(folder, TEXTS),
        lambda folder: ReplyGenerator(folder, 4)([(("Who barks?",),)]),
    ),
    "writer": (lambda folder: save_tiny_writer(folder, TEXTS), language_models.load_causal_model),
    "encoder": (lambda folder: save_tiny_encoder(folder, TEXTS), lambda folder: load_transformer(folder, "encoder", "plain", 0)),
    "summariser": (
        lambda folder: save_tiny_encoder_decoder(folder, TEXTS),
        lambda folder: load_transformer(folder, "encoder-decoder", "plain", 0),
    ),
}


def pickle_payload(payload: Payload, by_torch: bool) -> bytes:
    if not by_torch:
        return pickle.dumps({"weight": payload})
    import torch

    buffer = io.BytesIO()
    torch.save({"weight": payload}, buffer)
    return buffer.getvalue()


PART = "pytorch_model-00001-of-00001.bin"
INDEX = json.dumps({"metadata": {"total_size": 8}, "weight_map": {"weight": PART}})
BESIDE = "pytorch_model.bin optimizer.pt scheduler.pt training_args.bin rng_state.pth model.pkl vocab.pkl tokenizer.joblib"


def place_pickle(folder: Path, way: str, content: bytes) -> None:
    """Put a pickle into a folder: as its weights, whole, in parts or by their name, beside them, or as a further layer."""
    weights = [*folder.rglob("*.safetensors")]
    assert weights
    for path in weights:
        names = {"whole": "pytorch_model.bin", "in parts": PART, "disguised": path.name, "beside": BESIDE}.get(way, "")
        for name in names.split():
            path.with_name(name).write_bytes(content)
        if way == "in parts":
            path.with_name("pytorch_model.bin.index.json").write_text(INDEX)
        if way in ("whole", "in parts"):
            path.unlink()
    if way == "layer":
        (folder / "2_Dense").mkdir(exist_ok=True)
        shape = {"in_features": 8, "out_features": 8, "bias": True, "activation_function": "torch.nn.modules.activation.Tanh"}
        (folder / "2_Dense" / "config.json").write_text(json.dumps(shape))
        (folder / "2_Dense" / "pytorch_model.bin").write_bytes(content)
        add_module(folder, "2_Dense", "sentence_transformers.models.Dense")


def add_module(folder: Path, path: str, kind: str) -> None:
    listed = folder / "modules.json"
    modules = json.loads(listed.read_text()) if listed.is_file() else []
    listed.write_text(json.dumps([*modules, {"idx": len(modules), "name": str(len(modules)), "path": path, "type": kind}]))


@pytest.fixture(scope="module", params=MODELS)
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Callable[[str], object]]:
    """A folder with a model that loads, and what loads it."""
    make, load = MODELS[request.param]
    folder = Path(make(tmp_path_factory.mktemp("model")))
    load(str(folder))
    return folder, load


@pytest.mark.parametrize(
    ("way", "by_torch"),
    [("whole", False), ("whole", True), ("in parts", True), ("disguised", False), ("beside", False), ("layer", True)],
)
def test_a_pickle_in_a_models_folder_is_never_unpickled(
    whole: tuple[Path, Callable[[str], object]], tmp_path: Path, way: str, by_torch: bool
) -> None:
    folder, load = whole
    trace = tmp_path / "trace"
    shutil.copytree(folder, tmp_path / "model")
    place_pickle(tmp_path / "model", way, pickle_payload(Payload(trace), by_torch))
    try:
        load(str(tmp_path / "model"))
        failed = False
    except Exception:  # what it says is the subject of other tests
        failed = True
    assert not trace.exists()
    assert failed or way in ("beside", "layer")
    pickle.loads(pickle_payload(Payload(trace), False))
    assert trace.exists(), "the payload does nothing, so this test shows nothing"


def name_code(folder: Path, way: str) -> None:
    """Let the settings of a folder name code that lies beside them: in every file, or as a module of a sentence model."""
    for path in folder.rglob("*config*.json"):
        told = json.loads(path.read_text())
        if way == "settings" and path.name.endswith("config.json"):
            kinds = ("Config", "Model", "ModelForCausalLM", "ModelForSeq2SeqLM", "ModelForNextSentencePrediction")
            told["auto_map"] = {f"Auto{kind}": "evil.Evil" for kind in kinds} | {"AutoTokenizer": ["evil.Evil", "evil.Evil"]}
            told |= {"trust_remote_code": True, "tokenizer_class": "Evil", "model_type": "evil"}
        elif way == "trusted module":
            told["trust_remote_code"] = True
        path.write_text(json.dumps(told))
    if way != "settings":
        add_module(folder, "." if way == "trusted module" else "", "evil.Evil")


@pytest.mark.parametrize("way", ["settings", "module", "trusted module"])
def test_code_that_a_models_folder_names_never_runs(
    whole: tuple[Path, Callable[[str], object]], tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, load = whole
    trace = tmp_path / "trace"
    shutil.copytree(folder, tmp_path / "model")
    name_code(tmp_path / "model", way)
    for place in {path.parent for path in (tmp_path / "model").rglob("*") if path.is_file()}:
        (place / "evil.py").write_text(EVIL.format(trace=str(trace)))
    monkeypatch.chdir(tmp_path / "model")
    monkeypatch.setattr("builtins.input", lambda *_: "y")  # transformers would ask a person
    try:
        load(str(tmp_path / "model"))
    except Exception:  # what it says is the subject of other tests
        pass
    finally:
        sys.modules.pop("evil", None)
    assert not trace.exists()
