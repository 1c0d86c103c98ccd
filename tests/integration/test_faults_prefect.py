"""Prefect's server: one of its own that is gone for half a minute, and the run's own, killed and stopped in the middle."""

import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from tests.integration.conftest import LEAN_SERVER, copy_home, starting_servers
from tests.integration.fault_runs import (
    BAD,
    GOOD,
    PRELOAD,
    Command,
    Landed,
    check_calm,
    count_units,
    expect_stopped,
    find_server,
    finish,
    list_finished,
    list_left,
    list_marks,
    wait_until,
)

pytestmark = [pytest.mark.integration, pytest.mark.faults]

ABSENCE = 30


def test_the_prefect_server_is_gone_for_half_a_minute(
    command: Command,
    stories: Path,
    calm: Landed,
    environment: dict[str, str],
    made_database: Path,
    free_port: Callable[[], int],
    tmp_path: Path,
) -> None:
    home = environment | LEAN_SERVER | {"PREFECT_HOME": str(copy_home(made_database, tmp_path / "prefect"))}
    port, store = free_port(), tmp_path / "store"
    api, serve = f"http://127.0.0.1:{port}/api", ("python", "-m", "infra.orchestration.guarded_server", "--port", str(port))
    with starting_servers(home, tmp_path) as start:
        server = start(*serve, port=port)
        process = command.start(stories, store, **PRELOAD, FAULTS_DELAY="2", PREFECT_API_URL=api)
        wait_until(lambda: len(list_finished(store)) >= 2, process)
        server.terminate()
        server.wait(timeout=60)
        time.sleep(ABSENCE)
        start(*serve, port=port)
        assert finish(process)["units"] == count_units(12, 0)
        check_calm(store, calm)
        flows = httpx.post(f"{api}/flow_runs/filter", json={}, timeout=30).json()
        assert [run["state_type"] for run in flows] == ["COMPLETED"]

        def are_recorded() -> bool:
            tasks = httpx.post(f"{api}/task_runs/filter", json={}, timeout=30).json()
            states = {run["name"]: run["state_type"] for run in tasks if run["name"] in {*GOOD, BAD}}
            return states == dict.fromkeys(GOOD, "COMPLETED") | {BAD: "FAILED"}

        wait_until(are_recorded, timeout=30)


def read_records(environment: dict[str, str]) -> tuple[str, dict[str, str]]:
    """Return what Prefect's database says of the run that began last: its state, and those of its units."""
    with closing(sqlite3.connect(Path(environment["PREFECT_HOME"]) / "prefect.db")) as database:
        flow, state = database.execute("select id, state_type from flow_run order by created desc limit 1").fetchone()
        units = database.execute("select name, state_type from task_run where flow_run_id = ?", [flow]).fetchall()
    return state, {name: state for name, state in units if name in {*GOOD, BAD}}


def start_and_find_server(command: Command, stories: Path, store: Path, **variables: str) -> tuple["subprocess.Popen[str]", int]:
    """Start a run, wait until it has computed some units, and return it with the number of its server."""
    process = command.start(stories, store, **{**PRELOAD, "FAULTS_DELAY": "1", **variables})
    wait_until(lambda: len(list_finished(store)) >= 3, process)
    return process, find_server(process).pid


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_the_runs_own_server_fails_in_the_middle(
    number: signal.Signals, command: Command, stories: Path, calm: Landed, environment: dict[str, str], tmp_path: Path
) -> None:
    process, server = start_and_find_server(command, stories, tmp_path)
    os.kill(server, number)
    ended = finish(process)
    assert ended["units"] == count_units(12, 0)
    assert "it was started again" in ended["err"]
    assert not list_marks(tmp_path)
    wait_until(lambda: not list_left(process), timeout=60)
    check_calm(tmp_path, calm)
    assert read_records(environment) == ("COMPLETED", dict.fromkeys(GOOD, "COMPLETED") | {BAD: "FAILED"})


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_ctrl_c_while_the_runs_own_server_does_not_answer(
    number: signal.Signals, command: Command, stories: Path, calm: Landed, tmp_path: Path
) -> None:
    process, server = start_and_find_server(command, stories, tmp_path)
    os.kill(server, number)
    os.killpg(process.pid, signal.SIGINT)
    resume = expect_stopped(process, tmp_path, signal.SIGINT)
    finish(command.call(resume))  # as it is printed: the server that died has left a database that can be used
    check_calm(tmp_path, calm)


def test_the_runs_own_server_cannot_start_again(
    command: Command, stories: Path, calm: Landed, made_database: Path, tmp_path: Path
) -> None:
    home = copy_home(made_database, tmp_path / "prefect")
    process, server = start_and_find_server(command, stories, tmp_path / "store", PREFECT_HOME=str(home))
    os.kill(server, signal.SIGKILL)
    for file in home.glob("prefect.db*"):
        file.write_bytes(b"no database" * 1000)
    ended = finish(process)
    assert ended["units"] == count_units(12, 0)
    assert ended["err"].count("cannot be started again; the run goes on without records in Prefect") == 1
    assert "Traceback" not in ended["err"]
    assert not list_marks(tmp_path / "store")
    wait_until(lambda: not list_left(process), timeout=60)
    check_calm(tmp_path / "store", calm)
