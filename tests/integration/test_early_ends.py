"""A command that is ended in its first seconds leaves no server behind; where Prefect cannot keep records, it ends at once."""

import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from tests.flows.stories import write_episode
from tests.integration.conftest import BIN

pytestmark = pytest.mark.integration

PATIENCE = 600
"""Seconds; a busy machine takes long, and nothing takes this long."""
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(environment: dict[str, str], tmp_path: Path) -> Iterator[Start]:
    """Start `fabula` with a Prefect of its own."""
    started: list[subprocess.Popen[str]] = []
    write_episode(tmp_path / "source", "S01E01")

    def begin(*arguments: str, **variables: str) -> "subprocess.Popen[str]":
        own = environment | {"PREFECT_HOME": str(tmp_path / "prefect")} | variables
        call = [str(BIN / "fabula"), *arguments]
        started.append(subprocess.Popen(call, env=own, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        return started[-1]

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def await_server(process: "subprocess.Popen[str]") -> list[psutil.Process]:
    """Return what the command has started as soon as there is anything: its server, which is still importing."""
    deadline = time.monotonic() + PATIENCE
    while not (children := psutil.Process(process.pid).children(recursive=True)):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return children


def serve(start: Start, port: int) -> "subprocess.Popen[str]":
    return start("serve", "--port", str(port), "--source", "transcripts=source", "--home", "home")


def assert_gone(processes: list[psutil.Process]) -> None:
    assert psutil.wait_procs(processes, timeout=PATIENCE)[1] == []


def test_kill_9_in_the_first_seconds_of_a_run_leaves_nothing(start: Start) -> None:
    process = start("run", "transcripts", "--source", "source", "--store", "store")
    children = await_server(process)
    process.kill()
    process.communicate()
    assert_gone(children)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_in_the_first_seconds_of_serving_says_how_to_go_on(
    number: signal.Signals, start: Start, free_port: Callable[[], int]
) -> None:
    port = free_port()
    process = serve(start, port)
    children = await_server(process)
    process.send_signal(number)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    assert_gone(children)
    line = f"fabula serve --port {port} --source transcripts=source --home home"
    assert err.endswith(f"stopped; nothing that was finished is lost. Go on with:\n{line}\n")
    assert "Traceback" not in err


@pytest.mark.parametrize("command", ["run", "serve"])
def test_a_place_where_nothing_can_be_kept_ends_the_command_at_once(command: str, start: Start, tmp_path: Path) -> None:
    """Not the folder's permissions: a test that runs as root may write everywhere."""
    (tmp_path / "file").touch()
    place = str(tmp_path / "file" / "home")
    if command == "run":
        process = start("run", "transcripts", "--source", "source", "--store", "store", PREFECT_HOME=place)
    else:
        process = start("serve", "--source", "transcripts=source", "--home", place)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert f"{place}: Prefect's server cannot keep its records there: Not a directory" in err
    assert "Traceback" not in err
    assert not (tmp_path / "store" / "running").exists()
