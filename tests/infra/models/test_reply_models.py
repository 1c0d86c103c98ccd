"""Next-sentence prediction and generated replies with tiny models: scores, batches, cut contexts, and what is refused."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.errors import ConfigError
from core.threads.scoring import ScoreRequest
from infra.models.language_models import NextSentenceScorer, ReplyGenerator, Sampling, sample_texts
from tests.tiny_transformer import note_devices, save_tiny_encoder_decoder, save_tiny_next_sentence, save_tiny_writer


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A BERT of one layer with a head of next-sentence prediction, that reads 16 word pieces."""
    return save_tiny_next_sentence(tmp_path_factory.mktemp("nsp"))


def test_a_batch_scores_as_each_alone_and_long_contexts_lose_their_beginning(checkpoint: str) -> None:
    scorer = NextSentenceScorer(checkpoint)
    replies = [("the dog",), ("a gate", "the dukes"), ("dogs",)]
    asked = [ScoreRequest((("the duke",), ("a dog",)), reply) for reply in replies]
    together = scorer(asked)
    assert together == pytest.approx(np.concatenate([scorer([request]) for request in asked]), abs=1e-6)
    assert len(set(together.round(6))) == 3
    long, longer = (ScoreRequest((("gate",) * count, ("a dog",)), ("the dog",)) for count in (30, 40))
    other_end = ScoreRequest((("gate",) * 30, ("a duke",)), ("the dog",))
    one, same, other = scorer([long, longer, other_end])
    assert one == pytest.approx(same, abs=1e-6)
    assert abs(one - other) > 1e-6


def test_a_checkpoint_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be loaded"):
        NextSentenceScorer(str(tmp_path))([ScoreRequest((("a",),), ("b",))])
    with pytest.raises(ConfigError, match=r"set scorer\.model"):
        NextSentenceScorer("")([ScoreRequest((("a",),), ("b",))])
    with pytest.raises(ConfigError, match="cannot be loaded"):
        ReplyGenerator(str(tmp_path), 5)([(("a",),)])


def test_replies_are_generated_once_and_are_the_same_again(tmp_path: Path) -> None:
    model = save_tiny_writer(tmp_path / "writer", ["the lamp is old and the roof is wet"])
    conversation = (("the lamp is old",), ("the roof",))
    made = ReplyGenerator(model, 5)
    (reply,) = made([conversation])
    assert made([conversation, conversation]) == [reply, reply]
    assert ReplyGenerator(model, 5)([conversation]) == [reply]
    assert len(" ".join(reply).split()) <= 5


def test_a_model_with_encoder_and_decoder_reads_the_end_of_a_conversation_and_says_nothing_of_its_prompt(tmp_path: Path) -> None:
    model = save_tiny_encoder_decoder(tmp_path / "both", ["the lamp is old and the roof is wet"])
    conversation = (("the lamp is old",), ("the roof is wet",))
    made = ReplyGenerator(model, 5)
    (reply,) = made([conversation])
    assert 1 <= len(" ".join(reply).split()) <= 5
    assert ReplyGenerator(model, 5)([conversation]) == [reply]
    ends = [(("lamp " * count + "the roof is wet",),) for count in (40, 60)]
    one, same = made(ends)
    assert one == same  # the model reads 16 word pieces: the last ones
    others = made([((text,),) for text in ("the lamp", "old roof", "wet wet wet", "is and is", "roof")])
    assert len({one, reply, *others}) > 1


@pytest.mark.parametrize(
    "ask",
    [
        lambda folder: NextSentenceScorer(save_tiny_next_sentence(folder))._score([((("a dog",),), ("a gate",))]),
        lambda folder: ReplyGenerator(save_tiny_writer(folder, ["the lamp"]), 5)._generate((("the lamp",),)),
        lambda folder: sample_texts(save_tiny_writer(folder, ["the lamp"]), "the lamp", Sampling(count=1, max_tokens=2)),
    ],
    ids=["scorer", "generator", "sampling"],
)
def test_network_and_input_are_on_the_gpu_where_there_is_one(
    ask: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted = note_devices(monkeypatch)
    with pytest.raises(InterruptedError):
        ask(tmp_path)
    assert len(noted) > 1
    assert set(noted) == {"meta"}
