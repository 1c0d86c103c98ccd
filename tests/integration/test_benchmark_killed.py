"""A fine-tuning that is killed through `fabula benchmark`: the same command takes it up, and it ends like a calm one."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest

from infra.store.objects import Store
from infra.store.releases import choose_release
from lab.summarisation.results import list_results
from lab.summarisation.rows import SplitRows, open_release
from tests.integration.conftest import BIN
from tests.integration.fault_runs import Command, kill, list_left, wait_until
from tests.tiny_transformer import save_tiny_summariser

pytest.importorskip("torch", reason="the extra `embeddings` is not installed")
pytestmark = pytest.mark.integration
DATASET = "transcripts"
SETTINGS = """
[systems.tiny]
system = "generation"
model = "{model}"
view = "plain"
max_input = 64
max_output = 8
beams = 2
[systems.tiny.training]
epochs = 40
batch = 4
learning_rate = 0.003
patience = 40
checkpoint_steps = 3
"""


@dataclass(frozen=True, slots=True)
class Tuning:
    """A store with a release, and the call that fine-tunes a tiny BART on it."""

    store: Path
    settings: Path

    def words(self, store: Path) -> list[str]:
        options = ("--settings", str(self.settings), "--limit", "4", "--no-bert", "--workers", "1", "--json")
        return [str(BIN / "fabula"), "benchmark", DATASET, "--store", str(store), *options]


@pytest.fixture(scope="module")
def tuning(command: Command, repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Tuning:
    store, source, folder = tmp_path_factory.mktemp("store"), repository / "examples" / DATASET, tmp_path_factory.mktemp("tiny")
    call = ["run", DATASET, "--source", str(source), "--config", str(source / "settings.toml"), "--store", str(store)]
    finish(command, [str(BIN / "fabula"), *call, "--in-process"])
    texts = [text for row in SplitRows(open_release(str(store), DATASET), "train") for text in (row.text, row.summary)]
    settings = folder / "settings.toml"
    settings.write_text(SETTINGS.format(model=save_tiny_summariser(folder / "model", texts)), encoding="utf-8")
    return Tuning(store, settings)


def finish(command: Command, words: list[str]) -> str:
    """Run a command to its good end, and return what it prints."""
    process = command.call(words)
    out, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    return out


def read_run(store: Path) -> Mapping[str, Any]:
    opened = Store(str(store))
    (result,) = list_results(opened, DATASET, choose_release(opened, DATASET).version)
    return result


def list_checkpoints(store: Path) -> list[str]:
    return sorted(path.name for path in (store / "benchmarks").glob("*/*/checkpoints/*/*"))


def test_a_killed_fine_tuning_is_resumed_evaluated_and_like_a_calm_one(command: Command, tuning: Tuning, tmp_path: Path) -> None:
    calm, killed = tmp_path / "calm", tmp_path / "killed"
    for store in (calm, killed):
        copytree(tuning.store, store)
    finish(command, [*tuning.words(calm), "--in-process"])

    process = command.call(tuning.words(killed))
    wait_until(lambda: "training-last.safetensors" in list_checkpoints(killed), process)
    kill(process)
    wait_until(lambda: not list_left(process))  # its workers and its Prefect server go with it
    assert "training-finished.safetensors" not in list_checkpoints(killed)

    told = json.loads(finish(command, tuning.words(killed)))
    assert told["computed"] == ["tiny"]
    found, expected = read_run(killed), read_run(calm)
    training, undisturbed = found["prepared"]["training"], expected["prepared"]["training"]
    assert 0 < training["resumed_after"] < training["steps"] == undisturbed["steps"]
    assert list_checkpoints(killed) == ["training-finished.safetensors"]
    losses, calm_losses = ([point["loss"] for point in run["curves"]] for run in (found, expected))
    np.testing.assert_allclose(losses, calm_losses, atol=2e-3)  # another process may add in another order
    for name in ("rouge1.f1", "rougeLsum.f1", "meteor"):
        assert found["measures"][name]["value"] == pytest.approx(expected["measures"][name]["value"], abs=0.05), name
