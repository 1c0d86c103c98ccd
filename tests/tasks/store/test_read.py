"""Questions about landed episodes go out as a batch file, and answers come back: once, and only where they belong."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count as count_from
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from typer.testing import CliRunner

from core.errors import ConfigError, DamagedArtifactError, StoreError
from core.reading.questions import Answer, Question, name_model, write_batch
from flows.cli.main import app
from infra.models.chat_endpoint import ChatEndpoint
from infra.store.answers import find_answers, keep_answer
from infra.store.objects import Store
from infra.store.running import alone
from infra.store.takedown import add_takedown
from tasks.pipelines import TRANSCRIPTS
from tasks.store.read import Asked, AskedUnit, ask_reader, estimate_cost, list_asked, order_open, take_answers
from tasks.store.void import VoidObjects
from tests.chat_stand_in import StandIn, stand_in
from tests.tasks import in_process
from tests.tasks.conftest import Example
from tests.tasks.in_process import make_example
from tests.tasks.toy import LETTERS

MODEL = "some/model"


def complete(text: str, tokens: int | None = None, model: str = "") -> dict[str, Any]:
    """Return what an endpoint says."""
    return {"choices": [{"message": {"content": text}}], "usage": {"total_tokens": tokens}, "model": model}


def answer(line: str, text: str | None = None, status: int = 200) -> str:
    """Return the line of a batch's answers for a line of its questions; without a `text` every sentence is in no turn."""
    asked = json.loads(line)
    told = asked["body"]["messages"][1]["content"].split("\n\nTurns:")[0]
    numbers = [int(part.split("<")[1].split(">")[0]) for part in told.splitlines()[1:]]
    spans = {"spans": [{"sentence": number, "start": None, "end": None} for number in numbers]}
    body = complete(text or json.dumps(spans), 9, "model-2026")
    return json.dumps({"custom_id": asked["custom_id"], "response": {"status_code": status, "body": body}})


def test_what_gains_most_for_its_cost_is_asked_first_and_a_unit_stays_together() -> None:
    def ask(unit: str, doubts: list[float]) -> list[Question]:
        return [Question("kind", 1, unit, "Read.", f"{unit} {place}", {}, 10, (), doubt) for place, doubt in enumerate(doubts)]

    sure, doubtful, half = ask("sure", [0.1, 0.2]), ask("doubtful", [0.1, 3.0]), ask("half", [3.0, 0.1])
    known = {half[0].digest: Answer(half[0].digest, "{}", "")}
    units = [AskedUnit("sure", sure, {}), AskedUnit("doubtful", doubtful, {}), AskedUnit("half", half, known)]
    assert order_open(units) == [half[1], *doubtful, *sure]


def test_episodes_of_which_the_aligner_is_less_sure_have_more_doubt(episodes: Example) -> None:
    doubts = [
        question.doubt / len(question.about)
        for unit in list_asked(episodes.store, "transcripts", MODEL)
        for question in unit.left
    ]
    assert all(0 < doubt < 1 for doubt in doubts)
    assert len(set(doubts)) == len(doubts)


def test_answers_are_taken_once_and_heard_by_the_next_run(store: Store) -> None:
    before = make_example(store, "transcripts")
    references = in_process.read_references(store, "transcripts")
    units = list(list_asked(store, "transcripts", MODEL))
    assert [unit.unit for unit in units] == sorted(references)
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
    assert not list_open(store, MODEL)

    heard = make_example(store, "transcripts", reader={"model": MODEL})
    assert {*heard.computed} == {*references}
    told = {notice.what for each in in_process.read_references(store, "transcripts").values() for notice in each.notices}
    assert told >= {"answer(s) that cannot be read", "answer(s) of a reader who is not believed"}
    assert in_process.name_version(before) != in_process.name_version(heard), "the settings name a reader"
    assert not make_example(store, "transcripts", reader={"model": MODEL}).computed


def list_open(store: Store, model: str) -> list[Question]:
    """Return the questions that a model has not answered yet."""
    return [each for unit in list_asked(store, "transcripts", model) for each in unit.left]


def as_reader(server: StandIn, model: str) -> ChatEndpoint:
    """Return a stand-in as the reader of a name; a busy machine may take its time."""
    return replace(server.endpoint, model=model, patience=60.0)


def test_an_endpoint_is_asked_within_the_budget_and_never_twice(episodes: Example) -> None:
    store, model = episodes.store, "asked"
    open_questions = list_open(store, model)
    costs = [question.cost for question in open_questions]
    with stand_in() as server:
        server.say("Nobody knows.", None)  # it does not count tokens: the estimate counts
        first = ask_reader(store, as_reader(server, model), open_questions, sum(costs[:2]), lambda _: None)
        assert (first.answered, first.spent, first.given_up) == (2, sum(costs[:2]), False)
        assert [body["response_format"] for body in server.asked] == [question.form for question in open_questions[:2]]
        left = list_open(store, model)
        assert left == open_questions[2:]
        rest = ask_reader(store, as_reader(server, model), left, sum(costs), lambda _: None)
        assert (rest.answered, len(server.asked)) == (len(left), len(open_questions))
    assert not list_open(store, model)


def ask_all(store: Store, server: StandIn, model: str) -> Asked:
    """Ask a stand-in all open questions, as the name of a model."""
    return ask_reader(store, as_reader(server, model), list_open(store, model), 10**9, lambda _: None)


def test_a_call_that_broke_off_goes_on_and_asks_nothing_again(episodes: Example) -> None:
    store, model = episodes.store, "broken"
    count = len(list_open(store, model))
    with stand_in() as server:
        server.say("{}")
        usual, place = server.answer, count_from(0)
        server.answer = lambda body: usual(body) if next(place) < 2 else (401, b"")
        with pytest.raises(ConfigError, match="401"):
            ask_all(store, server, model)
        assert len(list_open(store, model)) == count - 2
        server.answer = usual
        assert ask_all(store, server, model).answered == count - 2
        before = len(server.asked)
        assert ask_all(store, server, model).asked == 0
        assert len(server.asked) == before


def test_two_calls_at_the_same_time_ask_every_question_once(episodes: Example, monkeypatch: pytest.MonkeyPatch) -> None:
    store, model = episodes.store, "twice"
    count = sum(len(unit.questions) for unit in list_asked(store, "transcripts", model))
    monkeypatch.setattr("tasks.store.read.LONGEST_WAIT", 60.0)
    with stand_in() as server, ThreadPoolExecutor(2) as pool:
        server.say("{}")
        listed = Barrier(2)

        def ask() -> Asked:
            left = list_open(store, model)
            listed.wait(60)  # both have seen all questions without an answer
            return ask_reader(store, as_reader(server, model), left, 10**9, lambda _: None)

        first, second = (each.result() for each in [pool.submit(ask), pool.submit(ask)])
    assert {first.asked, second.asked} == {0, count}
    assert len(server.asked) == count


def test_a_call_ends_that_finds_another_one_at_work(episodes: Example, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.store.read.LONGEST_WAIT", 0.1)
    with (
        stand_in() as server,
        alone(episodes.store, name_model("busy")),
        pytest.raises(StoreError, match=r"has been changing model@busy .* run again once it has ended"),
    ):
        ask_all(episodes.store, server, "busy")
    assert not server.asked


def test_the_cost_is_known_before_asking_once_the_model_has_counted(episodes: Example) -> None:
    store, model = episodes.store, "counting"
    units = list(list_asked(store, "transcripts", model))
    first, *rest = (question for unit in units for question in unit.questions)
    guessed = estimate_cost(units)
    assert not guessed.counted
    assert guessed.tokens == sum(each.tokens + each.answer_tokens for each in (first, *rest))
    assert guessed.price(2.0, 0.0) == pytest.approx(2e-6 * sum(each.tokens for each in (first, *rest)))

    def count(body: dict[str, Any]) -> int:  # this model's tokens are shorter than they are estimated at
        return sum(len(message["content"]) for message in body["messages"]) // 2 + 90

    with stand_in() as server:
        server.answer = lambda body: (200, json.dumps(complete("{}", count(body))).encode())
        ask_reader(store, as_reader(server, model), [first], 10**9, lambda _: None)
        expected = estimate_cost(list(list_asked(store, "transcripts", model)))
        found = ask_all(store, server, model)
    assert expected.counted
    assert found.counted == pytest.approx(expected.tokens, rel=0.15)
    assert found.estimated < 0.8 * found.counted, "the first guess was too low"


def test_another_model_behind_the_same_name_is_told(episodes: Example, monkeypatch: pytest.MonkeyPatch) -> None:
    call = ["read", "transcripts", "--model", "renamed", "--store", episodes.store.url]
    with stand_in() as server:
        monkeypatch.setenv("FABULA_MODEL_URL", server.endpoint.url)
        place = count_from(0)
        server.answer = lambda _: (200, json.dumps(complete("{}", 9, "model-1" if next(place) < 2 else "model-2")).encode())
        told = CliRunner().invoke(app, [*call, "--ask", "--budget", "1000000", "--price-in", "3", "--price-out", "15"])
    assert told.exit_code == 0, told.output
    assert "at your prices" in told.stdout
    assert f"{len(server.asked)} asked, {len(server.asked)} answered, {9 * len(server.asked)} tokens" in told.stdout
    assert "were expected of these answers, the model counted" in told.stdout
    assert f"answered by model-2 ({len(server.asked) - 2}), model-1 (2)" in told.stdout
    assert "more than one model has answered as renamed" in told.stderr
    assert told.stdout.index("open questions") < told.stdout.index("asked,")
    again = CliRunner().invoke(app, [*call, "--ask", "--budget", "1000000"])
    assert "0 asked" in again.stdout, "the endpoint is gone, and nothing is left to ask"
    assert "more than one model has answered as renamed" in again.stderr


def test_half_of_a_character_in_an_answer_is_no_end_of_the_call(episodes: Example) -> None:
    (question, *_) = next(list_asked(episodes.store, "transcripts", "half")).questions
    body = complete("{} \ud800", model="half \ud800")
    line = json.dumps({"custom_id": question.digest, "response": {"status_code": 200, "body": body}})
    taken = take_answers(episodes.store, "transcripts", "half", "answers.jsonl", [line, "7", "{}"])
    assert (taken.taken, taken.answered_by) == (1, {"half ?": 1})
    assert find_answers(episodes.store, "half", [question]) == {question.digest: "{} ?"}
    assert [told.split(";")[0] for told in taken.refused] == [f"answers.jsonl, line {number}: no answer" for number in (2, 3)]


def test_what_a_question_is_made_from_is_named_where_it_is_damaged(store: Store) -> None:
    make_example(store, "transcripts")
    key = next(key for key in store.list_keys("artifacts/transcripts/dialogue") if "S01E01" in key)
    store.write(key, b"")
    with pytest.raises(DamagedArtifactError, match=f"S01E01: {key} is damaged in the store"):
        list(list_asked(store, "transcripts", MODEL))


def test_answers_about_what_is_taken_down_are_found_for_removal(store: Store) -> None:
    make_example(store, "transcripts")
    for unit in list_asked(store, "transcripts", MODEL):
        keep_answer(store, MODEL, unit.questions[0], "{}")
    add_takedown(store, "transcripts", ["S01E01"], "asked for", "2026-11-24T00:00:00+00:00")
    (found,) = [entry.key for kind, entry in VoidObjects(store).find_records() if kind == "answers"]
    assert store.read_json(found)["item"] == "S01E01"


@pytest.mark.parametrize(("status", "affordable"), [(503, 20), (503, 4), (402, 20), (None, 20)])
def test_an_endpoint_without_answers_is_given_up_within_the_budget_and_what_it_said_stays(
    episodes: Example, status: int | None, affordable: int
) -> None:
    store, model = episodes.store, f"silent-{status}-{affordable}"
    (unit, *_) = list_asked(store, "transcripts", model)
    questions = [replace(unit.questions[0], text=f"Question {number}") for number in range(20)]
    budget = sum(question.cost for question in questions[:affordable])
    with stand_in() as server:
        server.say("{}")
        reader = as_reader(server, model)
        assert ask_reader(store, reader, questions[:1], 10**9, lambda _: None).answered == 1
        server.answer = lambda _: (status or 0, b'{"error": {"message": "no money"}}')
        outcome = ask_reader(store, reader, questions, budget, lambda _: None) if status else None
    outcome = outcome or ask_reader(store, reader, questions, budget, lambda _: None)  # nobody listens any more
    assert outcome.answered == 0
    assert outcome.given_up or affordable == 4
    assert outcome.asked < len(questions) - 1
    assert 0 < outcome.spent <= budget if status == 503 else outcome.spent == 0, "what is not sent or refused costs nothing"
    assert all("no answer" in failure or "402" in failure for failure in outcome.failures)
    assert find_answers(store, model, questions).keys() == {questions[0].digest}
    with pytest.raises(ConfigError, match=f"give at least {min(each.cost for each in questions):,}"):
        ask_reader(store, reader, questions[1:], 10, lambda _: None)


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
    row = CliRunner().invoke(app, [*call, "--show", "S01E01_2_0_0000"]).stdout
    questions = next(list_asked(episodes.store, "transcripts", "by-hand")).questions
    assert questions[0].text in row
    assert row.count("Sentences:") < len(questions), "those about its sentences"
    assert "no unit and no row" in str(CliRunner().invoke(app, [*call, "--show", "S09E09"]).exception)
    assert "name a file in an existing folder" in str(
        CliRunner().invoke(app, [*call, "--to", str(tmp_path / "no" / "x")]).exception
    )


def test_models_with_like_names_share_no_answers(episodes: Example) -> None:
    (question, *_) = next(list_asked(episodes.store, "transcripts", "a-b")).questions
    keep_answer(episodes.store, "a/b", question, "one")
    assert not find_answers(episodes.store, "a-b", [question])
    keep_answer(episodes.store, "a-b", question, "two")
    assert find_answers(episodes.store, "a/b", [question]) == {question.digest: "one"}
    assert find_answers(episodes.store, "a-b", [question]) == {question.digest: "two"}


def test_a_pipeline_that_asks_nothing_says_so(stories: Example, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.store.read.find_pipeline", lambda _: LETTERS)
    with pytest.raises(ConfigError, match="letters asks no model"):
        list(list_asked(stories.store, "scripts", MODEL))


def test_a_reader_needs_the_aligner_that_hears(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    with pytest.raises(ConfigError, match=r"reader\.model"):
        in_process.run(TRANSCRIPTS, Path("examples/transcripts"), store, reader={"model": MODEL}, alignment={"aligner": "greedy"})
