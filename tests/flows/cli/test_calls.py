"""Reviews and evaluations as a user calls them: options that would be passed over, what cannot be recorded, the exit status."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from core.errors import ConfigError
from core.rooms.config import RoomsConfig
from flows.cli.main import app
from infra.models import chat_endpoint
from infra.models.chat_endpoint import ChatEndpoint
from infra.store.objects import Store
from tasks.pipelines import ROOMS
from tasks.rooms import evaluation as rooms_evaluation
from tasks.rooms.evaluation import find_other_settings
from tasks.threads import evaluation as threads_evaluation
from tests.tasks.in_process import run
from tests.tasks.review.test_session import answer, make, open_session

FIGURES = {"score": {"average_precision": 0.5, "low": 0.4, "high": 0.6}, "sentences": 3, "episodes": 2, "rooms": 1, "refused": []}


def call(*arguments: object) -> Any:
    return CliRunner().invoke(app, [str(each) for each in arguments])


def read_error(*arguments: object) -> str:
    """Return the ConfigError that a call ends with."""
    ended = call(*arguments)
    assert isinstance(ended.exception, ConfigError), ended.output
    return str(ended.exception)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["evaluate", "rooms", "--reviews", "--config", "c"], "--reviews and --config"),
        (["evaluate", "scripts", "--reviews", "--leave-out", "film"], "--reviews and --leave-out"),
        (["review", "rooms", "--reader", "anna", "--sheet", "s", "--seed", "1", "--order", "random"], "--order and --seed"),
        (["review", "rooms", "--sheet", "s", "--status"], "--status and --sheet"),
        (["review", "rooms", "--export", "e", "--ask-model"], "--export and --ask-model"),
    ],
)
def test_options_that_a_call_would_pass_over_are_refused(arguments: list[str], named: str, tmp_path: Path) -> None:
    assert named in read_error(*arguments, "--store", tmp_path / "store")
    assert not (tmp_path / "store").exists()


def test_the_score_is_recorded_for_a_dataset_that_is_there_and_other_settings_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluated: list[object] = []
    monkeypatch.setattr(rooms_evaluation, "evaluate_rooms", lambda *each: evaluated.append(each) or FIGURES)
    store = Store(str(tmp_path / "store"))
    (tmp_path / "rooms").mkdir()
    (tmp_path / "rooms" / "hall.txt").write_text("You enter a hall. The hall has a stone floor and four oak doors.\n")
    run(ROOMS, tmp_path / "rooms", store)
    options = ("evaluate", "rooms", "--gold", tmp_path, "--store", store.url, "--record", "--json")
    assert "roms" in read_error(*options, "--dataset", "roms")
    assert (evaluated, store.list_keys("evaluations")) == ([], [])
    assert find_other_settings(store.url, "rooms", RoomsConfig()) == []
    (tmp_path / "other.toml").write_text("[weights]\nroom = 3.0\n")
    ended = call(*options, "--config", tmp_path / "other.toml")
    assert (ended.exit_code, json.loads(ended.stdout)["rooms"]) == (0, 1)
    assert "made with other settings (weights)" in ended.stderr


def test_the_figures_of_a_long_evaluation_are_shown_though_they_cannot_be_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(str(tmp_path))
    make(store, "threads")
    evaluated: list[object] = []

    def evaluate(*each: object) -> Mapping[str, Any]:
        evaluated.append(each)
        store.delete_all(store.list_keys("catalog"))
        return {"turns": 3}

    monkeypatch.setattr(threads_evaluation, "evaluate_threads", evaluate)
    options = ("evaluate", "threads", "--store", store.url, "--record", "--json")
    assert "nobody has judged a row of threads" in read_error(*options)
    assert evaluated == [], "it is told before the evaluation"
    session, clock = open_session(store, "threads", order="random")
    answer(session, clock, 0, ("sense", 4))
    ended = call(*options)
    assert (json.loads(ended.stdout), type(ended.exception)) == ({"turns": 3}, ConfigError)


def test_a_call_of_a_model_that_fell_silent_ends_with_status_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(str(tmp_path))
    make(store, "transcripts")
    silent = ChatEndpoint(url="http://127.0.0.1:9/v1", model="m", tries=1)
    monkeypatch.setattr(chat_endpoint, "find_endpoint", lambda: silent)
    for limit, status in ((10, 1), (2, 0)):
        call_model = ("review", "transcripts", "--ask-model", "--budget", 10**6, "--limit", limit, "--store", store.url, "--json")
        ended = call(*call_model)
        assert (ended.exit_code, json.loads(ended.stdout)["silent"]) == (status, status == 1)
