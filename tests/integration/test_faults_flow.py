"""The process of the flow: killed, interrupted, and two of them on one store."""

import os
import signal
import time
from pathlib import Path
from unittest.mock import patch

import httpx
import pytest

from infra.orchestration.embedded_server import EmbeddedServer
from infra.orchestration.prefect import EMBEDDED_SETTINGS
from tests.integration.fault_runs import (
    GOOD,
    PRELOAD,
    Command,
    Landed,
    check_calm,
    count_units,
    expect_stopped,
    find_server,
    finish,
    kill,
    list_finished,
    list_left,
    list_workers,
    read_record,
    read_state,
    read_times,
    wait_until,
)

pytestmark = [pytest.mark.integration, pytest.mark.faults]

SLOW = {**PRELOAD, "FAULTS_DELAY": "0.5"}


def test_a_killed_run_is_run_again(command: Command, stories: Path, calm: Landed, tmp_path: Path) -> None:
    process = command.start(stories, tmp_path, **SLOW)
    wait_until(lambda: len(list_finished(tmp_path)) >= 5, process)
    kill(process)
    wait_until(lambda: not list_left(process))  # its workers and its Prefect server go with it
    finished = list_finished(tmp_path)
    before = read_times(tmp_path, finished)
    assert 5 <= len(finished) < len(GOOD)
    assert not (tmp_path / "datasets").exists()

    ended = command.run_here(stories, tmp_path)
    assert ended["units"] == count_units(12 - len(finished), len(finished))
    assert set(read_record(tmp_path, ended)["computed"]) == set(GOOD) - finished
    assert read_times(tmp_path, finished) == before
    check_calm(tmp_path, calm)


def test_a_run_killed_while_it_releases_is_run_again(
    command: Command, prefect_server: dict[str, str], stories: Path, calm: Landed, tmp_path: Path
) -> None:
    process = command.start(stories, tmp_path, **prefect_server)
    wait_until(lambda: list((tmp_path / "datasets").glob("transcripts/*/data/*/*.parquet")), process)
    kill(process)
    assert not (tmp_path / "datasets" / "transcripts" / "latest.json").exists()
    before = read_times(tmp_path, set(GOOD))
    assert command.run_here(stories, tmp_path)["units"] == count_units(0, 12)
    assert read_times(tmp_path, set(GOOD)) == before
    check_calm(tmp_path, calm)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])  # SIGHUP while it starts: below
def test_a_stopped_run_says_how_to_go_on(
    number: signal.Signals, command: Command, stories: Path, calm: Landed, tmp_path: Path
) -> None:
    process = command.start(stories, tmp_path, **SLOW)
    wait_until(lambda: len(list_finished(tmp_path)) >= 4, process)
    if number == signal.SIGTERM:
        process.terminate()  # as kill, timeout and Docker do: to one process
    else:
        os.killpg(process.pid, number)  # as a terminal does: to the whole group
    resume = expect_stopped(process, tmp_path, number)
    assert read_state(command) == "Cancelled"  # nothing is wrong with it: the UI does not say Crashed
    finished = list_finished(tmp_path)
    before = read_times(tmp_path, finished)
    assert len(finished) < len(GOOD)

    # Once as it is printed: with Prefect and Dask, whose records and processes the stopped run has left in order.
    ended = finish(command.call(resume)) if number == signal.SIGINT else command.resume_here(resume)
    assert ended["units"]["computed"] == 12 - len(finished)
    assert read_times(tmp_path, finished) == before
    check_calm(tmp_path, calm)


def test_ctrl_c_twice_ends_a_run_whose_workers_do_not_end(command: Command, stories: Path, calm: Landed, tmp_path: Path) -> None:
    process = command.start(stories, tmp_path, **SLOW)
    wait_until(lambda: len(list_finished(tmp_path)) >= 2, process)
    for worker in list_workers(process):
        worker.suspend()
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)  # the kernel makes one of two that come together
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    ended = finish(command.call(expect_stopped(process, tmp_path, signal.SIGINT)))
    assert ended["units"]["quarantined"] == 1
    check_calm(tmp_path, calm)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_while_the_prefect_server_starts(
    number: signal.Signals, command: Command, stories: Path, tmp_path: Path
) -> None:
    home = {"PREFECT_HOME": str(tmp_path / "prefect")}  # a new database takes longest
    process = command.start(stories, tmp_path / "store", **home)
    wait_until(lambda: find_server(process), process)
    wait_until(lambda: (tmp_path / "prefect" / "prefect.db").exists(), process)
    process.send_signal(number)
    expect_stopped(process, tmp_path / "store", number)
    # Its half-made database does no harm: the next command's server finishes it, and keeps what it is told.
    with patch.dict(os.environ, {**command.environment, **EMBEDDED_SETTINGS, **home}, clear=True):
        server = EmbeddedServer()
        try:
            server.start()
            assert httpx.post(f"{server.url}/flows/", json={"name": "next"}, timeout=60).status_code == 201
        finally:
            server.close()


def test_a_signal_while_the_dask_workers_start(command: Command, stories: Path, tmp_path: Path) -> None:
    process = command.start(stories, tmp_path)
    wait_until(lambda: list_workers(process), process)
    process.send_signal(signal.SIGTERM)
    expect_stopped(process, tmp_path, signal.SIGTERM)


def test_two_runs_on_one_store_at_the_same_time(
    command: Command, prefect_server: dict[str, str], stories: Path, calm: Landed, tmp_path: Path
) -> None:
    slow = {**prefect_server, **PRELOAD, "FAULTS_DELAY": "0.2"}
    ended = [finish(process) for process in [command.start(stories, tmp_path, **slow) for _ in range(2)]]
    for run in ended:
        assert run["units"]["computed"] + run["units"]["reused"] == 12
        assert run["units"]["quarantined"] == 1
        assert run["release"] == str(tmp_path / "datasets" / "transcripts" / calm.version)
    check_calm(tmp_path, calm)
    assert {path.name for path in (tmp_path / "datasets" / "transcripts").iterdir()} == {
        calm.version,
        "latest.json",
        "history.json",
    }
    assert command.run_here(stories, tmp_path)["units"] == count_units(0, 12)
