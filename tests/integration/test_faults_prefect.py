"""A Prefect server of its own that is gone for half a minute."""

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.integration.conftest import BIN
from tests.integration.fault_runs import (
    BAD,
    GOOD,
    PRELOAD,
    Command,
    Landed,
    count_units,
    finish,
    list_finished,
    list_quarantined,
    read_landed,
    wait_until,
)

pytestmark = [pytest.mark.integration, pytest.mark.faults]

ABSENCE = 30


def start(environment: dict[str, str], port: int, log: Path) -> "subprocess.Popen[bytes]":
    with log.open("ab") as stream:
        process = subprocess.Popen(
            [str(BIN / "prefect"), "server", "start", "--host", "127.0.0.1", "--port", str(port), "--no-ui"],
            stdout=stream,
            stderr=stream,
            env=environment,
        )
    end = time.monotonic() + 120
    while time.monotonic() < end:
        try:
            if httpx.get(f"http://127.0.0.1:{port}/api/health", timeout=5).status_code == 200:
                return process
        except httpx.HTTPError:
            time.sleep(0.3)
    raise TimeoutError(log.read_text())


def test_the_prefect_server_is_gone_for_half_a_minute(
    command: Command, stories: Path, calm: Landed, environment: dict[str, str], free_port: Callable[[], int], tmp_path: Path
) -> None:
    home = environment | {"PREFECT_HOME": str(tmp_path / "prefect")}
    port, log, store = free_port(), tmp_path / "server.log", tmp_path / "store"
    api = f"http://127.0.0.1:{port}/api"
    server = start(home, port, log)
    try:
        process = command.start(stories, store, **PRELOAD, FAULTS_DELAY="2", PREFECT_API_URL=api)
        wait_until(lambda: len(list_finished(store)) >= 2, process)
        server.terminate()
        server.wait(timeout=60)
        time.sleep(ABSENCE)
        server = start(home, port, log)
        ended = finish(process)
        assert ended["units"] == count_units(12, 0)
        assert read_landed(store) == calm
        assert list_quarantined(store) == {BAD}
        flows = httpx.post(f"{api}/flow_runs/filter", json={}, timeout=30).json()
        assert [run["state_type"] for run in flows] == ["COMPLETED"]
        deadline = time.monotonic() + 30
        while True:
            tasks = httpx.post(f"{api}/task_runs/filter", json={}, timeout=30).json()
            states = {run["name"]: run["state_type"] for run in tasks if run["name"] in {*GOOD, BAD}}
            if states == dict.fromkeys(GOOD, "COMPLETED") | {BAD: "FAILED"}:
                break
            assert time.monotonic() < deadline, states
            time.sleep(1)
    finally:
        server.terminate()
        server.wait(timeout=60)
