"""A real model behind a real server reads the example: what it costs is known before, nothing is asked twice, a run hears it."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.reading.questions import NoAnswerError, Question
from flows.cli.main import app
from infra.models.chat_endpoint import ChatEndpoint
from infra.store.objects import Store
from tasks.pipelines import TRANSCRIPTS
from tasks.store.read import list_asked
from tests.integration.llama import CONTEXT, serving_llama
from tests.tasks import in_process

pytestmark = pytest.mark.integration
MODEL = "smollm2"


@pytest.fixture(scope="module")
def endpoint() -> Iterator[ChatEndpoint]:
    with serving_llama() as url:
        yield ChatEndpoint(url=url, model=MODEL, patience=600.0, tries=1)


def test_a_real_model_is_asked_within_its_budget_and_heard(
    endpoint: ChatEndpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(str(tmp_path / "store"))
    in_process.make_example(store, "transcripts")
    for name, value in {"URL": endpoint.url, "SECONDS": "600"}.items():
        monkeypatch.setenv(f"FABULA_MODEL_{name}", value)
    call = ["read", "transcripts", "--model", MODEL, "--store", store.url, "--json"]
    units = list(list_asked(store, "transcripts", MODEL))
    questions = [question for unit in units for question in unit.questions]

    first = json.loads(CliRunner().invoke(app, [*call, "--ask", "--budget", str(questions[0].cost)]).stdout)
    assert (first["open"], first["answered"], first["failures"]) == (len(questions), 1, [])
    assert first["counted"] == pytest.approx(first["estimated"], rel=0.15)
    again = json.loads(CliRunner().invoke(app, [*call, "--ask", "--budget", str(questions[1].cost)]).stdout)
    assert (again["open"], again["answered"]) == (len(questions) - 1, 1), "the first question is not asked again"
    assert again["counted"] == pytest.approx(again["estimated"], rel=0.15)
    assert again["answered_by"] == {MODEL: 2}

    known = next(iter(list_asked(store, "transcripts", MODEL))).known
    for answer in known.values():
        assert answer.text.replace(" ", "").replace("\n", "").startswith('{"spans":[{"sentence":'), "the server obeys the schema"
    settings = Path("examples/transcripts/settings.toml")
    in_process.run(TRANSCRIPTS, settings.parent, store, config_file=settings, reader={"model": MODEL})
    counts = [reference.counts for reference in in_process.read_references(store, "transcripts").values()]
    assert sum(each["answers"] for each in counts) == 2
    assert sum(each["believed"] for each in counts) == 0, "two answers are too few to believe anyone"


def test_the_server_says_what_it_does_not_take(endpoint: ChatEndpoint) -> None:
    answer = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"], "additionalProperties": False}
    question = Question("test-city", 1, "U1", "Answer with JSON.", "What is the capital of France?", answer, 40)
    assert json.loads(endpoint.answer(question, 3).text)["city"] == "Paris"
    odd = replace(question, schema={"type": "no type that there is"})
    with pytest.raises(NoAnswerError, match="status 400"):
        endpoint._ask(odd, 3, odd.form)
    assert "Paris" in replace(endpoint).answer(odd, 3).text, "it refuses the form, and is asked without"
    with pytest.raises(NoAnswerError) as caught:
        endpoint.answer(replace(question, text="the lamp " * CONTEXT), 3)
    assert caught.value.refused
