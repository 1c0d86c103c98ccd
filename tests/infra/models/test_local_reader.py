"""A model in a folder as a reader: it answers alike each time, says who it is and what it cost, and a wrong folder is told."""

from pathlib import Path

import pytest

from core.errors import ConfigError
from core.reading.questions import NoAnswerError, Question
from infra.models.local_reader import LocalReader
from tests.tiny_transformer import save_tiny_writer

TEMPLATE = "{% for message in messages %}{{ message['content'] }} {% endfor %}"
QUESTION = Question("test-kind", 1, "U1", "the lamp is old", "and the roof is old", {"type": "object"}, 5)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GPT-2 of one layer that reads 64 words, with a chat template."""
    folder = tmp_path_factory.mktemp("reader")
    save_tiny_writer(folder, ["the lamp is old and the roof is wet"])
    (folder / "chat_template.jinja").write_text(TEMPLATE, "utf-8")
    return folder


def test_a_folder_answers_the_same_again_and_counts_question_and_answer(folder: Path) -> None:
    first, again = (LocalReader(folder, "mine").answer(QUESTION, 3) for _ in range(2))
    assert first == again
    assert first.digest == QUESTION.digest
    assert first.model.startswith(f"{folder.name}@")
    assert 1 <= len(first.text.split()) <= QUESTION.most_tokens, "the question is no part of the answer"
    assert first.tokens is not None
    assert 9 < first.tokens <= 9 + QUESTION.most_tokens


def test_other_weights_have_another_name(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / folder.name
    save_tiny_writer(other, ["the lamp is old and the roof is dry"])
    (other / "chat_template.jinja").write_text(TEMPLATE, "utf-8")
    assert LocalReader(other, "mine").answer(QUESTION, 3).model != LocalReader(folder, "mine").answer(QUESTION, 3).model


def test_a_question_that_is_too_long_for_the_model_is_refused(folder: Path) -> None:
    long = Question("test-kind", 1, "U1", "the lamp " * 40, "is old", {"type": "object"}, 5)
    with pytest.raises(NoAnswerError, match="reads 64 tokens; the question has 82 tokens and an answer of 5") as caught:
        LocalReader(folder, "mine").answer(long, 3)
    assert (caught.value.refused, caught.value.billed) == (True, 0)


def test_a_folder_without_a_model_that_answers_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is no folder"):
        LocalReader(tmp_path / "nowhere", "mine")
    with pytest.raises(ConfigError, match="cannot be loaded"):
        LocalReader(tmp_path, "mine")
    save_tiny_writer(tmp_path, ["the lamp is old"])
    with pytest.raises(ConfigError, match="has no chat template"):
        LocalReader(tmp_path, "mine")
    (tmp_path / "chat_template.jinja").write_text("{{ raise_exception('no system message') }}", "utf-8")
    with pytest.raises(ConfigError, match="no system message"):
        LocalReader(tmp_path, "mine").answer(QUESTION, 3)
