"""Encoder-decoders that are fine-tuned, killed, resumed and evaluated, with tiny models that the tests make."""

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.errors import ConfigError
from core.metrics.coded_texts import RougeCoder
from core.metrics.rouge import score_rouge
from core.scripts.views import START, Line, View
from lab.summarisation.neural.examples import measure_truncation
from lab.summarisation.neural.generation import GenerationSummariser
from lab.training.checkpoints import Checkpoint, CheckpointPlace
from lab.training.network import FINISHED, LAST, TrainingCurve
from tests.lab.summarisation.neural.tiny import configure, keep_in, list_kept, list_texts, make_examples
from tests.tiny_transformer import save_tiny_summariser

pytest.importorskip("torch", reason="the extra `lab` is not installed")
EXAMPLES = make_examples()
HELD_OUT = EXAMPLES[::5]
Whole = tuple[Path, TrainingCurve, list[str]]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A BART of one layer a side over whole words, with dropout, so that a resumed training needs the same random numbers."""
    return save_tiny_summariser(tmp_path_factory.mktemp("tiny"), list_texts(EXAMPLES))


@pytest.fixture(scope="module")
def whole(tiny: str, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """A training that was never stopped: its store, its curve, and what the model writes then."""
    folder = tmp_path_factory.mktemp("whole")
    summariser = GenerationSummariser(configure(tiny), keep_in(folder))
    curve = summariser.train(EXAMPLES, HELD_OUT)
    return folder, curve, summariser.summarise([example.lines for example in HELD_OUT])


def read_weights(folder: Path, name: str = FINISHED) -> Checkpoint:
    found = CheckpointPlace(keep_in(folder), "training").read(name)
    assert found is not None
    return found


def measure_rouge(written: list[str]) -> float:
    code = RougeCoder()
    scores = [score_rouge(code(one.summary), code(text)).rouge1.f1 for one, text in zip(HELD_OUT, written, strict=True)]
    return float(np.mean(scores))


def test_the_losses_fall_and_the_figures_say_where_they_were_taken(whole: Whole) -> None:
    curve = whole[1]
    assert len(curve.losses) == 16
    assert curve.losses[-1] < curve.losses[0] - 0.5
    assert [epoch.step for epoch in curve.epochs] == [4, 8, 12, 16]
    assert curve.epochs[-1].figure < curve.epochs[0].figure
    assert (curve.best_step, curve.stopped_early, curve.resumed_after, curve.precision) == (16, False, 0, "float32")


KILLED = """
import os, signal, sys
from pathlib import Path
from lab.summarisation.neural.generation import GenerationSummariser
from tests.lab.summarisation.neural.tiny import configure, keep_in, make_examples
files = keep_in(Path(sys.argv[2]))
def tell(step, figures):
    if step == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)
if sys.argv[4] == "saving":
    replace = Path.replace
    def killed(self, target):
        if "-last" in str(target) and os.path.exists(target):
            os.kill(os.getpid(), signal.SIGKILL)
        return replace(self, target)
    Path.replace = killed
examples = make_examples()
GenerationSummariser(configure(sys.argv[1]), files).train(examples, examples[::5], tell)
"""


@pytest.mark.integration
@pytest.mark.parametrize(("step", "kind", "done"), [("7", "stepping", 6), ("99", "saving", 2)])
def test_a_killed_fine_tuning_is_resumed_and_evaluated_like_one_that_was_not(
    tiny: str, whole: Whole, tmp_path: Path, repository: Path, step: str, kind: str, done: int
) -> None:
    command = [sys.executable, "-c", KILLED, tiny, str(tmp_path), step, kind]
    assert subprocess.run(command, cwd=repository, check=False).returncode == -9
    told: list[int] = []
    summariser = GenerationSummariser(configure(tiny), keep_in(tmp_path))
    curve = summariser.train(EXAMPLES, HELD_OUT, lambda step, _: told.append(step))
    assert (curve.resumed_after, told) == (done, list(range(1, 17)))  # the curve is whole, with the steps before the kill
    # The first steps were taken by another process, which may add in another order, and Adam makes a gradient near 0 as large as
    # any: weights may differ by a fifth of a step of 0.01. A training that lost its moments differs by whole steps.
    np.testing.assert_allclose(curve.losses, whole[1].losses, atol=2e-3)
    expected, resumed = read_weights(whole[0]).tensors, read_weights(tmp_path).tensors
    assert resumed.keys() == expected.keys()
    for name, values in resumed.items():
        np.testing.assert_allclose(values.numpy(), expected[name].numpy(), rtol=0.01, atol=2e-3)
    written = summariser.summarise([example.lines for example in HELD_OUT])
    assert measure_rouge(written) == pytest.approx(measure_rouge(whole[2]), abs=0.05)


def test_a_stopped_fine_tuning_goes_on_after_its_last_checkpoint_and_ends_with_the_same_weights(
    tiny: str, whole: Whole, tmp_path: Path
) -> None:
    def stop(step: int, _: Mapping[str, float]) -> None:
        if step == 11:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        GenerationSummariser(configure(tiny), keep_in(tmp_path)).train(EXAMPLES, HELD_OUT, stop)
    assert read_weights(tmp_path, LAST).state["epochs"][-1]["step"] == 8
    summariser = GenerationSummariser(configure(tiny), keep_in(tmp_path))
    assert summariser.train(EXAMPLES, HELD_OUT) == replace(whole[1], resumed_after=10)
    assert all(
        bool((read_weights(whole[0]).tensors[name] == value).all()) for name, value in read_weights(tmp_path).tensors.items()
    )
    assert summariser.summarise([example.lines for example in HELD_OUT]) == whole[2]
    assert list_kept(tmp_path) == ["training-finished.safetensors"]


def test_a_finished_fine_tuning_is_read_and_not_repeated(tiny: str, whole: Whole) -> None:
    before = keep_in(whole[0]).read("training-finished.safetensors")
    summariser = GenerationSummariser(configure(tiny), keep_in(whole[0]))
    assert summariser.train(EXAMPLES, HELD_OUT) == whole[1]
    assert keep_in(whole[0]).read("training-finished.safetensors") == before
    assert summariser.summarise([example.lines for example in HELD_OUT]) == whole[2]
    with pytest.raises(ConfigError, match="are of another one"):
        GenerationSummariser(configure(tiny), keep_in(whole[0])).train(EXAMPLES[1:], HELD_OUT)


def test_a_training_that_gets_no_better_ends_with_the_weights_of_its_best_epoch(tiny: str, tmp_path: Path) -> None:
    config = configure(tiny)
    config = replace(config, training=replace(config.training, epochs=40, learning_rate=0.02, patience=1, decay=False))
    wrong = [replace(example, sentences=("Good work .",) * 2) for example in HELD_OUT]  # the better it learns, the worse here
    summariser = GenerationSummariser(config, keep_in(tmp_path))
    curve = summariser.train(EXAMPLES, wrong)
    assert curve.stopped_early
    assert len(curve.epochs) == next(place for place, epoch in enumerate(curve.epochs, 1) if epoch.step == curve.best_step) + 1
    best = min(epoch.figure for epoch in curve.epochs)
    assert summariser._validate([summariser._encode(example) for example in wrong]) == pytest.approx(best, rel=1e-4)


def test_training_data_comes_after_pre_training_data(tiny: str, tmp_path: Path) -> None:
    general, special = EXAMPLES[4:], EXAMPLES[:4]
    twice = GenerationSummariser(configure(tiny), keep_in(tmp_path))
    twice.train(general, (), stage="pre-training")
    first = twice.train(special, ()).losses[0]
    assert list_kept(tmp_path) == ["pre-training-finished.safetensors", "training-finished.safetensors"]
    with pytest.raises(ConfigError, match="it differs in before"):
        GenerationSummariser(configure(tiny), keep_in(tmp_path)).train(special, ())
    plain = GenerationSummariser(configure(tiny), keep_in(tmp_path / "plain"))
    assert first < plain.train(special, ()).losses[0] - 0.5


@pytest.mark.parametrize("kind", ["t5", "pegasus", "led", "bert2bert"])
def test_any_encoder_decoder_can_be_fine_tuned(kind: str, tmp_path: Path) -> None:
    model = save_tiny_summariser(tmp_path / "model", list_texts(EXAMPLES), kind)
    config = configure(model)
    config = replace(config, training=replace(config.training, epochs=2))
    summariser = GenerationSummariser(config, keep_in(tmp_path / "store"))
    curve = summariser.train(EXAMPLES, HELD_OUT)
    assert curve.epochs[-1].figure < curve.epochs[0].figure
    assert all(summariser.summarise([example.lines for example in HELD_OUT]))


@pytest.mark.parametrize(("view", "seen"), [("plain", ()), ("both", ("[START]", "[SEP]", "[END]"))])
def test_separators_are_one_token_each(tiny: str, tmp_path: Path, view: View, seen: tuple[str, ...]) -> None:
    summariser = GenerationSummariser(configure(tiny, view=view), keep_in(tmp_path))
    network, tokenizer = summariser._load()
    tokens = tokenizer.convert_ids_to_tokens(summariser._encode_dialogue(EXAMPLES[0].lines))
    assert tuple(dict.fromkeys(token for token in tokens if token.startswith("["))) == seen
    assert network.get_input_embeddings().num_embeddings == len(tokenizer)
    assert (START in tokenizer.get_vocab()) == (view == "both")


def test_what_the_limit_cuts_is_told(tiny: str, tmp_path: Path) -> None:
    summariser = GenerationSummariser(configure(tiny, view="plain", max_input=8), keep_in(tmp_path))
    short, long = [Line("", "I found the door .")], [Line("", "I found the door . " * 3)]
    found = measure_truncation(summariser.measure_sizes([short, long]), summariser.limit())
    assert found == {"limit": 8, "dialogues": 2, "cut": 1, "size": 20, "lost": pytest.approx(7 / 20)}
    wide = GenerationSummariser(configure(tiny, max_input=1024), keep_in(tmp_path))
    assert wide.limit() == 64, "the model has 64 positions"


def test_nothing_imports_torch_before_a_model_is_used(repository: Path) -> None:
    code = "import sys, lab.summarisation.neural.generation, lab.summarisation.neural.settings; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=repository, check=False).returncode == 0
