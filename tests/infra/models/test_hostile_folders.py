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


def load_sentences(folder: str) -> object:
    return SentenceEmbedder(folder)(TEXTS)


def load_generator(folder: str) -> object:
    return ReplyGenerator(folder, 4)([(("Who barks?",),)])


MODELS: dict[str, tuple[Callable[[Path], str], Callable[[str], object]]] = {
    "sentences": (save_tiny_transformer, load_sentences),
    "next sentence": (save_tiny_next_sentence, load_next_sentence),
    "generator": (lambda folder: save_tiny_encoder_decoder(folder, TEXTS), load_generator),
    "writer": (lambda folder: save_tiny_writer(folder, TEXTS), language_models.load_causal_model),
    "encoder": (lambda folder: save_tiny_encoder(folder, TEXTS), lambda folder: load_transformer(folder, "encoder", "plain", 0)),
    "summariser": (
        lambda folder: save_tiny_encoder_decoder(folder, TEXTS),
        lambda folder: load_transformer(folder, "encoder-decoder", "plain", 0),
    ),
}


def pickle_plainly(payload: Payload) -> bytes:
    return pickle.dumps({"weight": payload})


def pickle_with_torch(payload: Payload) -> bytes:
    import torch

    buffer = io.BytesIO()
    torch.save({"weight": payload}, buffer)
    return buffer.getvalue()


def list_weights(folder: Path) -> list[Path]:
    found = list(folder.rglob("*.safetensors"))
    assert found
    return found


def replace_weights(folder: Path, content: bytes) -> None:
    for path in list_weights(folder):
        path.with_name("pytorch_model.bin").write_bytes(content)
        path.unlink()


def replace_by_parts(folder: Path, content: bytes) -> None:
    for path in list_weights(folder):
        path.with_name("pytorch_model-00001-of-00001.bin").write_bytes(content)
        index = {"metadata": {"total_size": 8}, "weight_map": {"weight": "pytorch_model-00001-of-00001.bin"}}
        path.with_name("pytorch_model.bin.index.json").write_text(json.dumps(index))
        path.unlink()


def disguise_weights(folder: Path, content: bytes) -> None:
    for path in list_weights(folder):
        path.write_bytes(content)


def add_beside(folder: Path, content: bytes) -> None:
    names = ("pytorch_model.bin", "optimizer.pt", "scheduler.pt", "training_args.bin", "rng_state.pth", "model.pkl", "vocab.pkl")
    for path in list_weights(folder):
        for name in (*names, "tokenizer.joblib"):
            path.with_name(name).write_bytes(content)


def add_dense(folder: Path, content: bytes) -> None:
    """Let a sentence model have one more layer, whose weights are a pickle."""
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
    ("place", "pack"),
    [
        (replace_weights, pickle_plainly),
        (replace_weights, pickle_with_torch),
        (replace_by_parts, pickle_with_torch),
        (disguise_weights, pickle_plainly),
        (add_beside, pickle_plainly),
        (add_dense, pickle_with_torch),
    ],
)
def test_a_pickle_in_a_models_folder_is_never_unpickled(
    whole: tuple[Path, Callable[[str], object]],
    tmp_path: Path,
    place: Callable[[Path, bytes], None],
    pack: Callable[[Payload], bytes],
) -> None:
    folder, load = whole
    trace = tmp_path / "trace"
    shutil.copytree(folder, tmp_path / "model")
    place(tmp_path / "model", pack(Payload(trace)))
    try:
        load(str(tmp_path / "model"))
        failed = False
    except Exception:  # what it says is the subject of other tests
        failed = True
    assert not trace.exists()
    assert failed or place in (add_beside, add_dense)
    pickle.loads(pickle_plainly(Payload(trace)))
    assert trace.exists(), "the payload does nothing, so this test shows nothing"


def name_code(folder: Path) -> None:
    """Let every settings file of a folder name code that lies beside it."""
    for path in [*folder.rglob("*config.json")]:
        told = json.loads(path.read_text())
        kinds = ("AutoConfig", "AutoModel", "AutoModelForCausalLM", "AutoModelForSeq2SeqLM", "AutoModelForNextSentencePrediction")
        told["auto_map"] = dict.fromkeys(kinds, "evil.Evil") | {"AutoTokenizer": ["evil.Evil", "evil.Evil"]}
        told |= {"trust_remote_code": True, "tokenizer_class": "Evil", "model_type": "evil"}
        path.write_text(json.dumps(told))


def name_module(folder: Path) -> None:
    add_module(folder, "", "evil.Evil")


def name_own_module(folder: Path) -> None:
    """Name a module by its name alone, beside settings that ask to be trusted."""
    for path in folder.rglob("*config*.json"):
        path.write_text(json.dumps(json.loads(path.read_text()) | {"trust_remote_code": True}))
    add_module(folder, ".", "evil.Evil")


@pytest.mark.parametrize("name", [name_code, name_module, name_own_module])
def test_code_that_a_models_folder_names_never_runs(
    whole: tuple[Path, Callable[[str], object]], tmp_path: Path, name: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, load = whole
    trace = tmp_path / "trace"
    shutil.copytree(folder, tmp_path / "model")
    name(tmp_path / "model")
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
