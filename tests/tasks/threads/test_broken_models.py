"""A model that is broken ends the run with what is wrong with it: no unit is to blame, and the release before stays."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import ConfigError
from infra.models.language_models import NextSentenceScorer
from infra.models.sentence_embedder import SentenceEmbedder
from infra.store.objects import Store
from tasks.pipelines import THREADS
from tests.lab.training.test_starters import THINGS, write_posts
from tests.tasks import in_process
from tests.tiny_transformer import save_tiny_next_sentence, save_tiny_transformer


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(save_tiny_transformer(tmp_path_factory.mktemp("model"), *THINGS))


def _index_of_absent_weights(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {"x": "model-00001-of-00002.safetensors"}}))


def _put_device(folder: Path) -> None:
    (folder / "config.json").unlink()
    (folder / "config.json").symlink_to("/dev/zero")


def _put_fifo(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    os.mkfifo(folder / "model.safetensors")


def _cut_weights(folder: Path) -> None:
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-100])


SEEN: dict[str, Callable[[Path], object]] = {
    "index is no JSON": lambda folder: (folder / "model.safetensors.index.json").write_text("{"),
    "index of absent weights": _index_of_absent_weights,
    "tokenizer is no JSON": lambda folder: (folder / "tokenizer.json").write_text("]"),
    "tokenizer is nested": lambda folder: (folder / "tokenizer.json").write_text("[" * 100_000),
    "modules name an absent one": lambda folder: (folder / "modules.json").write_text('[{"path": "7_Absent"}]'),
    "config is no UTF-8": lambda folder: (folder / "config.json").write_bytes(b"\xff\xfe\x00"),
    "config is a device": _put_device,
    "weights are a FIFO": _put_fifo,
    "weights are cut": _cut_weights,
}
"""What the look at the files finds, before anything is built."""
INSERTING = {"method": "insert"}
MET: dict[str, Callable[[Path], object]] = {
    "weights are missing": lambda folder: (folder / "model.safetensors").unlink(),
    "config is of no model": lambda folder: (folder / "config.json").write_text('{"model_type": "nosuch"}'),
    "tokenizer is of no model": lambda folder: (folder / "tokenizer.json").write_text("{}"),
    "pooling of no kind": lambda folder: (folder / "1_Pooling" / "config.json").write_text('{"nosuch": 1}'),
    "pooling of another width": lambda folder: (folder / "1_Pooling" / "config.json").write_text('{"embedding_dimension": "x"}'),
}
"""What only loading meets, or the first sentence."""


@pytest.mark.parametrize("broken", SEEN)
def test_what_a_look_at_the_files_finds_is_told_before_anything_is_built(model: Path, tmp_path: Path, broken: str) -> None:
    folder = Path(shutil.copytree(model, tmp_path / "model"))
    SEEN[broken](folder)
    with pytest.raises(ConfigError, match="model"):
        SentenceEmbedder(str(folder)).check()


def test_a_broken_sentence_model_ends_the_run_and_the_release_stays(model: Path, tmp_path: Path, store: Store) -> None:
    source = Path(write_posts(tmp_path / "posts"))
    first = in_process.run(THREADS, source, store, search=INSERTING, scorer={"kind": "cosine", "embedding_model": str(model)})
    assert first.rows["dialogues"] > 0
    for place, (name, damage) in enumerate(({"cut": _cut_weights} | MET).items()):
        folder = Path(shutil.copytree(model, tmp_path / f"model-{place}"))
        damage(folder)
        with pytest.raises(ConfigError, match="model"):
            in_process.run(THREADS, source, store, search=INSERTING, scorer={"kind": "cosine", "embedding_model": str(folder)})
        assert not store.list_keys("quarantine/threads"), name
    assert in_process.find_version(store, "threads") == in_process.name_version(first)


def test_a_broken_checkpoint_ends_the_run(tmp_path: Path, store: Store) -> None:
    source = Path(write_posts(tmp_path / "posts"))
    folder = Path(save_tiny_next_sentence(tmp_path, *THINGS))
    for name, content in (("config.json", '{"model_type": "nosuch"}'), ("tokenizer.json", "]")):
        (folder / name).write_text(content)
        with pytest.raises(ConfigError, match=r"checkpoint|model.s file"):
            in_process.run(THREADS, source, store, search=INSERTING, scorer={"kind": "nsp", "model": str(folder)})
    assert not store.list_keys("quarantine")


def test_a_checkpoint_without_the_head_that_scores_is_refused(model: Path) -> None:
    with pytest.raises(ConfigError, match=r"it lacks 2 weights, such as cls.seq_relationship.bias"):
        NextSentenceScorer(str(model))([((("The lamp.",),), ("A boat.",))])


def test_texts_that_a_model_cannot_take_are_no_fault_of_the_model(model: Path, tmp_path: Path) -> None:
    embedder = SentenceEmbedder(str(model))
    with pytest.raises(Exception) as caught:  # noqa: PT011 -- whatever the library says of it
        embedder([3])  # type: ignore[list-item]
    assert not isinstance(caught.value, ConfigError)
    scorer = NextSentenceScorer(save_tiny_next_sentence(tmp_path))
    with pytest.raises(TypeError):
        scorer([None])  # type: ignore[list-item]
