"""The command as a user calls it: exit statuses, help, and one JSON object. `tests/integration/` sends it Ctrl-C."""

import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from flows.cli.main import app
from tests.flows.calling import Ended
from tests.flows.stories import write_episode


def list_commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield every command and group of commands below `group`."""
    for name, command in getattr(group, "commands", {}).items():
        yield (*path, name)
        yield from list_commands(command, (*path, name))


COMMANDS = list(list_commands(typer.main.get_command(app)))


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_every_command_has_an_example(fabula: Callable[..., Ended], command: tuple[str, ...]) -> None:
    ended = fabula(*command, "--help")
    assert ended.status == 0
    assert f"Example: fabula {' '.join(command)}" in " ".join(ended.out.split())


def test_the_installed_command_answers_and_its_status_is_seen(fabula_process: Callable[..., Ended], tmp_path: Path) -> None:
    assert "Example: fabula demo" in fabula_process("demo", "--help").out
    ended = fabula_process("show", "S01E01", "--store", tmp_path)
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("fabula: store ")


def test_the_documented_commands_are_there() -> None:
    assert {("run", "transcripts"), ("demo",), ("reproduce", "crd3"), ("show",), ("datasets",)} <= set(COMMANDS)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--source", "nowhere"], "nowhere: no such folder; give a folder, or a URL of one"),
        (["--source", "nosuch://x"], "source nosuch://x: "),
        (["--source", ".", "--store", "nosuch://x"], "store nosuch://x: "),
        (["--source", ".", "--profile", "crd4"], "transcripts has no profile 'crd4'; its profiles are crd3, default"),
        (["--source", ".", "--profile", "sumtitles"], "transcripts has no profile 'sumtitles'"),
        (["--source", ".", "--set", "alignment"], "--set alignment: expected NAME=VALUE"),
        (["--source", ".", "--set", "alignment.aligner=magic"], "setting alignment.aligner is 'magic'"),
        (["--source", ".", "--set", "filter=1", "--set", "filter.min_turns=2"], "filter has a value already"),
        (["--source", ".", "--profile", "crd3", "--wordnet", "."], "WordNet's noun files are needed"),
        (["--source", ".", "--config", "nowhere.toml"], "config file nowhere.toml: No such file"),
        (["--source", ".", "--dataset", "../x"], "dataset '../x'"),
        (["--source", ".", "--limit", "0"], "Invalid value for '--limit'"),
        ([], "Missing option '--source'"),
        (["--source", ".", "--sauce", "x"], "No such option: --sauce"),
    ],
)
def test_a_wrong_call_ends_with_status_2_and_one_message(
    fabula: Callable[..., Ended], tmp_path: Path, arguments: list[str], message: str
) -> None:
    ended = fabula("run", "transcripts", *arguments, cwd=tmp_path)
    assert ended.status == 2
    assert message in ended.err
    assert "Traceback" not in ended.err
    assert ended.out == ""
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_fails_is_named_with_the_command_that_tries_again(fabula: Callable[..., Ended], tmp_path: Path) -> None:
    write_episode(tmp_path / "source", "S01E01")
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "runs").write_text("a file where a folder has to be")
    call = ["run", "transcripts", "--source", str(tmp_path / "source"), "--store", str(tmp_path / "store"), "--in-process"]
    ended = fabula(*call)
    assert ended.status == 1
    assert "could not write runs/" in ended.err
    assert ended.err.splitlines()[-1] == shlex.join(["fabula", *call])


def test_looking_into_a_store_that_has_nothing(fabula: Callable[..., Ended], tmp_path: Path) -> None:
    for call in (["show", "S01E01"], ["show", "S01E01_2_0_0000"], ["show", "S01E01", "--diff"], ["datasets", "demo"]):
        ended = fabula(*call, "--store", tmp_path / "store")
        assert ended.status == 2
        assert ended.err.startswith(("fabula: store ", "fabula: there is no store at "))
        assert "Traceback" not in ended.err
    assert fabula("datasets", "--store", tmp_path / "store", "--json").status == 2
    assert not (tmp_path / "store").exists()
