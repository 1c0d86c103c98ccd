"""A writer that is trained, stopped, resumed and sampled, with a tiny model that the test makes."""

from pathlib import Path

import pytest

from core.errors import ConfigError
from infra.models.language_models import FINAL, Sampling, sample_texts
from infra.store.objects import LOCAL_TEMPORARY
from lab.training.writer import WriterConfig, train_writer
from tests.tiny_transformer import note_devices, save_tiny_writer

pytest.importorskip("torch", reason="the extra `lab` is not installed")
TEXTS = [f"You enter a {size} room with a {thing}." for size in ("low", "vast", "dark") for thing in ("door", "wall", "bed")]
CONFIG = WriterConfig(epochs=4, batch=3, learning_rate=0.01, checkpoint_steps=2)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A GPT-2 of one layer over whole words, with dropout, so that a resumed training needs the same random numbers."""
    return save_tiny_writer(tmp_path_factory.mktemp("tiny"), TEXTS)


@pytest.fixture(scope="module")
def whole(tiny: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[float]]:
    """A training that was never stopped, and its losses."""
    losses: list[float] = []
    folder = tmp_path_factory.mktemp("whole")
    return train_writer(tiny, TEXTS, folder, CONFIG, lambda _, __, loss: losses.append(loss)), losses


def weights(folder: Path) -> bytes:
    return (folder / "model.safetensors").read_bytes()


def test_a_writer_learns(whole: tuple[Path, list[float]]) -> None:
    folder, losses = whole
    assert len(losses) == 12
    assert losses[-1] < losses[0] - 0.1
    assert sorted(path.name for path in folder.parent.iterdir()) == ["model", "writer.json"]


def test_a_stopped_training_is_resumed_after_its_last_checkpoint(
    tiny: str, whole: tuple[Path, list[float]], tmp_path: Path
) -> None:
    def stop(step: int, _: int, __: float) -> None:
        if step == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_writer(tiny, TEXTS, tmp_path, CONFIG, stop)
    (tmp_path / f".{FINAL}-half").mkdir()  # as a kill in the middle of keeping leaves it
    (tmp_path / f"{LOCAL_TEMPORARY}half").touch()
    losses: list[float] = []
    found = train_writer(tiny, TEXTS, tmp_path, CONFIG, lambda _, __, loss: losses.append(loss))
    assert losses == whole[1]  # those before it was stopped are told once more
    assert weights(found) == weights(whole[0])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model", "writer.json"]


def test_a_finished_training_is_not_repeated_and_another_is_refused(tiny: str, whole: tuple[Path, list[float]]) -> None:
    folder = whole[0].parent
    before = weights(whole[0])
    assert train_writer(tiny, TEXTS, folder, CONFIG, lambda *_: pytest.fail("a step")) == whole[0]
    assert weights(whole[0]) == before
    with pytest.raises(ConfigError, match="another model, data or settings"):
        train_writer(tiny, TEXTS[1:], folder, CONFIG)


def test_texts_begin_with_the_prompt_and_a_seed_gives_the_same(whole: tuple[Path, list[float]]) -> None:
    texts = sample_texts(str(whole[0]), "You enter", Sampling(count=4, max_tokens=8, seed=2))
    assert len(texts) == 4
    assert all(text.startswith("You enter") for text in texts)
    assert sample_texts(str(whole[0]), "You enter", Sampling(count=4, max_tokens=8, seed=2)) == texts


def test_no_model_and_no_texts_are_told(tmp_path: Path, tiny: str) -> None:
    with pytest.raises(ConfigError, match="cannot be loaded"):
        train_writer(str(tmp_path / "nowhere"), TEXTS, tmp_path / "out", CONFIG)
    with pytest.raises(ConfigError, match="no sentences to train on"):
        train_writer(tiny, [], tmp_path / "other", CONFIG)


def test_a_writer_learns_on_the_gpu_where_there_is_one(tiny: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noted = note_devices(monkeypatch)
    with pytest.raises(InterruptedError):
        train_writer(tiny, TEXTS, tmp_path, CONFIG)
    assert len(noted) == 4  # the network, two inputs, the labels
    assert set(noted) == {"meta"}
