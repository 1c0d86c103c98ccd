"""Next-sentence prediction fine-tuned on dialogues of the test, with a model of one layer."""

from pathlib import Path

import numpy as np
import pytest

from core.errors import ConfigError
from core.threads.config import ScorerConfig
from core.threads.spoken import SpokenDialogue
from infra.models.language_models import NextSentenceScorer, load_next_sentence
from lab.training.fine_tuning import FineTuningConfig, draw_turns, fine_tune_next_sentence
from tasks.threads.scorers import make_scorer
from tests.tiny_transformer import note_devices, save_tiny_next_sentence

ASKED, ANSWERED = "gate", "dog"
"""The untrained model prefers the first as a reply."""
FAST = FineTuningConfig(part="all", epochs=6, learning_rate=0.02)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return save_tiny_next_sentence(tmp_path_factory.mktemp("nsp"))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Dialogues of two turns: the first says one thing, the second another. The contexts differ."""
    folder = tmp_path_factory.mktemp("corpus")
    lines = [f"{ASKED} {'the ' * (number % 5)}{'a ' * (number // 5)}__eou__ {ANSWERED} __eou__" for number in range(60)]
    (folder / "dialogues_text.txt").write_text("\n".join(lines), encoding="utf-8")
    (folder / "dialogues_topic.txt").write_text("1\n2\n", encoding="utf-8")
    return str(folder)


def test_a_fine_tuned_model_finds_the_next_turn_of_dialogues_that_it_has_not_seen(
    model: str, corpus: str, tmp_path: Path
) -> None:
    steps: list[tuple[int, int]] = []
    out = tmp_path / "tuned"
    found = fine_tune_next_sentence([corpus], model, str(out), FAST, 200, lambda step, total, _: steps.append((step, total)))
    assert found["before"]["value"] == 0
    assert found["after"]["value"] >= 0.3  # some of the other turns are equal to the true one: nothing scores higher then
    assert found["turns"] + found["held_out_turns"] == 60
    total = FAST.epochs * -(-2 * found["turns"] // FAST.batch)
    assert steps == [(step, total) for step in range(1, total + 1)]
    assert isinstance(make_scorer(ScorerConfig(kind="nsp", model=str(out))), NextSentenceScorer)
    with pytest.raises(ConfigError, match="there already"):
        fine_tune_next_sentence([corpus], model, str(out), FAST, 50)
    assert [path.name for path in tmp_path.iterdir()] == ["tuned"]


def test_only_the_head_and_the_pooler_change_unless_all_is_said(model: str, corpus: str, tmp_path: Path) -> None:
    out = str(tmp_path / "head")
    fine_tune_next_sentence([corpus], model, out, FineTuningConfig(learning_rate=0.1), 20)
    one, other = (dict(load_next_sentence(name)[0].named_parameters()) for name in (model, out))
    changed = {name for name in one if not np.array_equal(one[name].detach().numpy(), other[name].detach().numpy())}
    assert {name.split(".")[0] if name.startswith("cls") else name.split(".")[1] for name in changed} == {"cls", "pooler"}


def test_other_turns_are_of_other_dialogues() -> None:
    said = [(("A", f"one {number}"), ("B", f"two {number}"), ("A", f"three {number}")) for number in range(9)]
    dialogues = [SpokenDialogue("DailyDialog", str(number), turns) for number, turns in enumerate(said)]
    drawn = draw_turns(dialogues, 12)
    assert len(drawn) == 12
    for true, false in drawn:
        (number,) = {text[-1] for utterance in (*true.context, true.reply) for text in utterance}
        assert false.context == true.context
        assert not false.reply[0].endswith(number)
    assert len(draw_turns(dialogues, 100)) == 18


def test_too_few_dialogues_are_refused(model: str, tmp_path: Path) -> None:
    (tmp_path / "dialogues_text.txt").write_text("Hi . __eou__ Hi . __eou__")
    with pytest.raises(ConfigError, match="too few"):
        fine_tune_next_sentence([str(tmp_path)], model, str(tmp_path / "out"), FAST, 50)


def test_it_is_fine_tuned_on_the_gpu_where_there_is_one(
    model: str, corpus: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted = note_devices(monkeypatch)
    with pytest.raises(InterruptedError):
        fine_tune_next_sentence([corpus], model, str(tmp_path / "tuned"), FAST, 20)
    assert len(noted) == 5  # the network, three inputs, the labels
    assert set(noted) == {"meta"}
