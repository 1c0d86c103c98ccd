"""Questions about landed episodes go out as a batch file, and answers come back: once, and only where they belong."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.errors import ConfigError
from core.reading.questions import write_batch
from flows.cli.main import app
from infra.store.answers import find_answers, keep_answer
from infra.store.objects import Store
from infra.store.takedown import add_takedown
from tasks.pipelines import SCRIPTS, TRANSCRIPTS
from tasks.store.read import ask_endpoint, list_asked, take_answers
from tasks.store.void import VoidObjects
from tests.chat_stand_in import stand_in
from tests.tasks import in_process
from tests.tasks.conftest import Example

MODEL = "some/model"


def answer(line: str, text: str | None = None, status: int = 200) -> str:
    """Return the line of a batch's answers for a line of its questions; without a `text` every sentence is in no turn."""
    asked = json.loads(line)
    told = asked["body"]["messages"][1]["content"].split("\n\nTurns:")[0]
    numbers = [int(part.split("<")[1].split(">")[0]) for part in told.splitlines()[1:]]
    spans = {"spans": [{"sentence": number, "start": None, "end": None} for number in numbers]}
    body = {"model": "model-2026", "choices": [{"message": {"content": text or json.dumps(spans)}}], "usage": {"total_tokens": 9}}
    return json.dumps({"custom_id": asked["custom_id"], "response": {"status_code": status, "body": body}})


def test_answers_are_taken_once_and_heard_by_the_next_run(run_example: Callable[..., Example]) -> None:
    example = run_example(TRANSCRIPTS)
    store, settings = example.store, example.source / "settings.toml"
    units = list(list_asked(store, "transcripts", MODEL))
    assert [unit.unit for unit in units] == sorted(example.references)
    lines = list(write_batch((question for unit in units for question in unit.left), MODEL))
    assert len({json.loads(line)["custom_id"] for line in lines}) == len(lines) >= len(units)

    back = [
        answer(lines[0], status=500),
        *map(answer, lines[1:]),
        answer(lines[1].replace('"custom_id": "', '"custom_id": "0')),
        "{",
    ]
    taken = take_answers(store, "transcripts", MODEL, "answers.jsonl", back)
    assert (taken.taken, taken.known, taken.foreign) == (len(lines) - 1, 0, 1)
    assert taken.answered_by == {"model-2026": len(lines) - 1}
    assert [text.split(":")[0] for text in taken.refused] == ["answers.jsonl, line 1", f"answers.jsonl, line {len(back)}"]
    again = take_answers(store, "transcripts", MODEL, "answers.jsonl", [answer(lines[0], "I do not know."), *back[1:3]])
    assert (again.taken, again.known) == (1, 2)
    assert not [question for unit in list_asked(store, "transcripts", MODEL) for question in unit.left]

    before = example.summary
    heard = in_process.run(TRANSCRIPTS, example.source, store, config_file=settings, reader={"model": MODEL})
    assert {*heard.computed} == {*example.references}
    unread = [
        notice.what for reference in in_process.read_references(store, "transcripts").values() for notice in reference.notices
    ]
    assert "answer(s) that cannot be read" in unread
    assert "answer(s) of a reader who is not believed" in unread
    assert in_process.name_version(before) != in_process.name_version(heard), "the settings name a reader"
    assert not in_process.run(TRANSCRIPTS, example.source, store, config_file=settings, reader={"model": MODEL}).computed


def test_an_endpoint_is_asked_within_the_budget_and_never_twice(episodes: Example) -> None:
    store, model = episodes.store, "asked"
    open_questions = [each for unit in list_asked(store, "transcripts", model) for each in unit.left]
    costs = [question.cost for question in open_questions]
    with stand_in() as server:
        server.say("Nobody knows.", None)  # it does not count tokens: the estimate counts
        first = ask_endpoint(store, model, server.endpoint, open_questions, sum(costs[:2]), lambda _: None)
        assert (first.answers, first.tokens, first.given_up) == (2, sum(costs[:2]), False)
        assert [body["response_format"] for body in server.asked] == [question.form for question in open_questions[:2]]
        left = [each for unit in list_asked(store, "transcripts", model) for each in unit.left]
        assert left == open_questions[2:]
        rest = ask_endpoint(store, model, server.endpoint, left, sum(costs), lambda _: None)
        assert (rest.answers, len(server.asked)) == (len(left), len(open_questions))
    assert not [each for unit in list_asked(store, "transcripts", model) for each in unit.left]


def test_a_budget_that_is_too_small_for_a_question_is_told(episodes: Example) -> None:
    questions = next(list_asked(episodes.store, "transcripts", "poor")).left
    with stand_in() as server, pytest.raises(ConfigError, match=f"give at least {min(each.cost for each in questions):,}"):
        ask_endpoint(episodes.store, "poor", server.endpoint, questions, 10, lambda _: None)


def test_what_another_model_of_the_same_file_name_says_is_not_its_answer(episodes: Example) -> None:
    (question, *_) = next(list_asked(episodes.store, "transcripts", "a/b")).questions
    keep_answer(episodes.store, "a/b", question, "{}")
    assert find_answers(episodes.store, "a/b", [question])
    assert not find_answers(episodes.store, "a-b", [question])


def test_answers_about_what_is_taken_down_are_found_for_removal(run_example: Callable[..., Example]) -> None:
    example = run_example(TRANSCRIPTS)
    for unit in list_asked(example.store, "transcripts", MODEL):
        keep_answer(example.store, MODEL, unit.questions[0], "{}")
    add_takedown(example.store, "transcripts", ["S01E01"], "asked for", "2026-11-24T00:00:00+00:00")
    found = [entry.key for kind, entry in VoidObjects(example.store).find_records() if kind == "answers"]
    assert len(found) == 1
    assert example.store.read_json(found[0])["item"] == "S01E01"


def test_an_endpoint_that_falls_silent_is_given_up_and_what_it_said_stays(episodes: Example) -> None:
    store, model = episodes.store, "silent"
    (unit, *_) = list_asked(store, "transcripts", model)
    questions = [replace(unit.questions[0], text=f"Question {number}") for number in range(20)]
    with stand_in() as server:
        server.answer = lambda _: (503, b"")
        outcome = ask_endpoint(store, model, server.endpoint, questions, 10**9, lambda _: None)
    assert (outcome.answers, outcome.given_up) == (0, True)
    assert outcome.questions < len(questions)
    assert all("no answer" in failure for failure in outcome.failures)


def test_the_command_writes_questions_and_takes_answers(episodes: Example, tmp_path: Path) -> None:
    call = ["read", "transcripts", "--model", "by-hand", "--store", episodes.store.url]
    asked, answered = tmp_path / "asked.jsonl", tmp_path / "answered.jsonl"
    told = CliRunner().invoke(app, [*call, "--to", str(asked)])
    lines = asked.read_text("utf-8").splitlines()
    assert told.exit_code == 0
    assert f"{len(lines)} open questions" in told.output
    answered.write_text("\n".join([*map(answer, lines), "{}"]), "utf-8")
    taken = CliRunner().invoke(app, [*call, "--from", str(answered), "--json"])
    assert taken.exit_code == 1, "one line is no answer"
    assert json.loads(taken.stdout)["taken"] == len(lines)
    assert json.loads(CliRunner().invoke(app, [*call, "--json"]).stdout)["open"] == 0
    shown = CliRunner().invoke(app, [*call, "--show", "S01E01"])
    assert "Turns:\n[" in shown.output, "questions are shown also where they have an answer"
    assert "no such unit" in str(CliRunner().invoke(app, [*call, "--show", "S09E09"]).exception)
    assert "name a file in an existing folder" in str(
        CliRunner().invoke(app, [*call, "--to", str(tmp_path / "no" / "x")]).exception
    )


def test_a_pipeline_that_asks_nothing_says_so(run_example: Callable[..., Example]) -> None:
    example = run_example(SCRIPTS)
    with pytest.raises(ConfigError, match="asks no model"):
        list(list_asked(example.store, "scripts", MODEL))


def test_a_reader_needs_the_aligner_that_hears(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    with pytest.raises(ConfigError, match=r"reader\.model"):
        in_process.run(TRANSCRIPTS, Path("examples/transcripts"), store, reader={"model": MODEL}, alignment={"aligner": "greedy"})
