"""A writer that is trained, killed at any moment, resumed and sampled, with a tiny model that the test makes."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from core.errors import ConfigError
from infra.models.language_models import Sampling, sample_texts
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


KILLED = """
import os, signal, sys
from pathlib import Path
from lab.training import writer
from tests.lab.training.test_writer import CONFIG, TEXTS
def tell(step, steps, loss):
    if step == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)
if sys.argv[4] == "saving":
    replace, saved = Path.replace, []
    def killed(self, target):
        saved.append(target)
        if len(saved) == 4:  # the file that says what is trained, and steps 2, 3 and 4
            os.kill(os.getpid(), signal.SIGKILL)
        return replace(self, target)
    Path.replace = killed
writer.train_writer(sys.argv[1], TEXTS, Path(sys.argv[2]), CONFIG, tell)
"""


@pytest.mark.integration
@pytest.mark.parametrize(("step", "kind"), [("7", "stepping"), ("99", "saving")])
def test_a_killed_training_is_resumed_and_ends_with_the_same_weights(
    tiny: str, whole: tuple[Path, list[float]], tmp_path: Path, repository: Path, step: str, kind: str
) -> None:
    command = [sys.executable, "-c", KILLED, tiny, str(tmp_path / "writer"), step, kind]
    assert subprocess.run(command, cwd=repository, check=False).returncode == -9
    found = train_writer(tiny, TEXTS, tmp_path / "writer", CONFIG)
    # The first steps were taken by another process, which may add in another order, and Adam makes a gradient near 0 as large as
    # any: weights may differ by some hundredths of a step of 0.01; a training that lost its moments differs by whole steps.
    expected = load_file(whole[0] / "model.safetensors")
    resumed = load_file(found / "model.safetensors")
    assert resumed.keys() == expected.keys()
    for name, values in resumed.items():
        np.testing.assert_allclose(values, expected[name], rtol=0.01, atol=2e-3)


def test_a_stopped_training_is_resumed_after_its_last_checkpoint(
    tiny: str, whole: tuple[Path, list[float]], tmp_path: Path
) -> None:
    class Stopped(Exception):  # noqa: N818 -- no error
        pass

    def stop(step: int, _: int, __: float) -> None:
        if step == 7:
            raise Stopped

    with pytest.raises(Stopped):
        train_writer(tiny, TEXTS, tmp_path, CONFIG, stop)
    losses: list[float] = []
    found = train_writer(tiny, TEXTS, tmp_path, CONFIG, lambda _, __, loss: losses.append(loss))
    assert losses == whole[1]  # those before it was stopped are told once more
    assert weights(found) == weights(whole[0])


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
