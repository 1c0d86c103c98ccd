"""Tiny models that score and write replies and read questions: batches, cut contexts, and what is refused."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.errors import ConfigError
from core.reading.questions import NoAnswerError, Question
from core.threads.scoring import ScoreRequest
from infra.models.language_models import NextSentenceScorer, ReplyGenerator, Sampling, sample_texts
from infra.models.local_reader import LocalReader
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


@pytest.mark.parametrize("save", [save_tiny_writer, save_tiny_encoder_decoder])
def test_replies_are_generated_once_and_are_the_same_again(tmp_path: Path, save: Callable[[Path, list[str]], str]) -> None:
    model = save(tmp_path / "writer", SAID)
    conversation = (("the lamp is old",), ("the roof is wet",))
    made = ReplyGenerator(model, 5)
    (reply,) = made([conversation])
    assert made([conversation, conversation]) == [reply, reply]
    assert ReplyGenerator(model, 5)([conversation]) == [reply]
    assert 1 <= len(" ".join(reply).split()) <= 5


def test_a_model_with_encoder_and_decoder_reads_the_end_of_a_conversation(tmp_path: Path) -> None:
    made = ReplyGenerator(save_tiny_encoder_decoder(tmp_path / "both", SAID), 5)
    one, same = made([(("lamp " * count + "the roof is wet",),) for count in (40, 60)])
    assert one == same  # the model reads 16 word pieces: the last ones
    others = made([((text,),) for text in ("the lamp", "old roof", "wet wet wet", "is and is", "roof")])
    assert len({one, *others}) > 1


SAID = ["the lamp is old and the roof is wet"]
TEMPLATE = "{% for message in messages %}{{ message['content'] }} {% endfor %}"
QUESTION = Question("test-kind", 1, "U1", "the lamp is old", "and the roof is old", {"type": "object"}, 5)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_reader(tmp_path_factory.mktemp("reader"), SAID)


def write_reader(folder: Path, said: list[str]) -> Path:
    """Write a GPT-2 of one layer that reads 64 words, with a chat template."""
    save_tiny_writer(folder, said)
    (folder / "chat_template.jinja").write_text(TEMPLATE, "utf-8")
    return folder


def test_a_folder_answers_the_same_again_and_counts_and_other_weights_have_another_name(folder: Path, tmp_path: Path) -> None:
    first, again = (LocalReader(folder, "mine").answer(QUESTION, 3) for _ in range(2))
    assert first == again
    assert first.digest == QUESTION.digest
    assert first.model.startswith(f"{folder.name}@")
    assert 1 <= len(first.text.split()) <= QUESTION.most_tokens, "the question is no part of the answer"
    assert first.tokens is not None
    assert 9 < first.tokens <= 9 + QUESTION.most_tokens
    other = write_reader(tmp_path / folder.name, ["the lamp is old and the roof is dry"])
    assert LocalReader(other, "mine").answer(QUESTION, 3).model != first.model


def test_a_question_that_is_too_long_for_the_model_is_refused(folder: Path) -> None:
    long = Question("test-kind", 1, "U1", "the lamp " * 40, "is old", {"type": "object"}, 5)
    with pytest.raises(NoAnswerError, match="reads 64 tokens; the question has 82 tokens and an answer of 5") as caught:
        LocalReader(folder, "mine").answer(long, 3)
    assert (caught.value.refused, caught.value.billed) == (True, 0)


def test_a_folder_without_a_model_is_told(tmp_path: Path) -> None:
    for call, told in (
        (lambda: NextSentenceScorer(str(tmp_path))([ScoreRequest((("a",),), ("b",))]), "cannot be loaded"),
        (lambda: NextSentenceScorer("")([ScoreRequest((("a",),), ("b",))]), r"set scorer\.model"),
        (lambda: ReplyGenerator(str(tmp_path), 5)([(("a",),)]), "cannot be loaded"),
        (lambda: LocalReader(tmp_path / "nowhere", "mine"), "is no folder"),
        (lambda: LocalReader(tmp_path, "mine"), "cannot be loaded"),
    ):
        with pytest.raises(ConfigError, match=told):
            call()
    save_tiny_writer(tmp_path, ["the lamp is old"])
    with pytest.raises(ConfigError, match="has no chat template"):
        LocalReader(tmp_path, "mine")
    (tmp_path / "chat_template.jinja").write_text("{{ raise_exception('no system message') }}", "utf-8")
    with pytest.raises(ConfigError, match="no system message"):
        LocalReader(tmp_path, "mine").answer(QUESTION, 3)


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
