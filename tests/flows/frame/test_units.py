"""Units on a real embedded Prefect server and a real Dask cluster: retries, failures, logs, and a record of every task run.

As a program, in a process of its own, it is the flow over these units, and prints their outcomes as JSON.
"""

import json
import logging
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Lock
from typing import Any

import pytest

from core.errors import SourceError, StoreError
from infra.orchestration.embedded_server import embedded_server
from infra.orchestration.prefect import prepare_prefect

pytestmark = pytest.mark.integration

GOOD = [f"good-{number:02d}" for number in range(60)]
ENDLESS = "endless-1"
UNITS = ["flaky-1", "broken-1", "strange-1", "deadly-1", *GOOD]

logger = logging.getLogger("tasks.behaviour")


class UnportableError(Exception):
    """An error that holds on to what cannot be pickled, as errors of some libraries do."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.lock = Lock()


def count_calls(folder: Path, unit: str) -> int:
    """Return how many calls of `behave` for a unit have begun."""
    return len(list(folder.glob(f"{unit}.*")))


def behave(request: tuple[str, str]) -> str:
    """Behave as the first part of the unit's name says."""
    folder, unit = Path(request[0]), request[1]
    attempt = count_calls(folder, unit) + 1
    (folder / f"{unit}.{attempt}.{os.getpid()}").touch()
    logger.info("%s: attempt %d", unit, attempt)
    match unit.split("-")[0]:
        case "flaky" if attempt < 3:
            raise StoreError(f"{unit}: the store does not answer")
        case "broken":
            raise SourceError(f"{unit}: the file is empty")
        case "strange":
            raise UnportableError("this and that")
        case "endless":
            while True:
                time.sleep(0.01)
        case "deadly":
            # Dask may run siblings again when a worker dies with their results; those whose calls are counted come first.
            _wait_for(lambda: min(count_calls(folder, "flaky-1"), count_calls(folder, "strange-1")) == 3)
            os._exit(1)
    return f"{unit} done"


def _wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 600
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(0.5)


def try_all(folder: str) -> None:
    """Run the flow, and print the outcomes."""
    from prefect import flow
    from prefect.context import FlowRunContext

    from flows.frame.units import WAITING_THREADS, PrefectMapper
    from infra.orchestration.dask import Cluster
    from tests.flows.frame.test_units import behave  # not that of `__main__`, which no worker has

    @flow(name="units", task_runner=WAITING_THREADS)
    def try_units() -> dict[str, list[str]]:
        requests = {unit: (folder, unit) for unit in UNITS}
        with Cluster(workers=2) as cluster:
            mapper = PrefectMapper(cluster, retry_delay_seconds=0.1)
            mapped = [*mapper.map_units(behave, requests), *mapper.map_units(behave, {ENDLESS: (folder, ENDLESS)}, seconds=1.0)]
        outcomes = {outcome.unit: [str(outcome.result), type(outcome.error).__name__, str(outcome.error)] for outcome in mapped}
        context = FlowRunContext.get()
        kept = (context.task_run_assets, context.run_results, vars(context.task_runner)["_cancel_events"])
        return outcomes | {"kept": [str(len(entries)) for entries in kept]}

    print(json.dumps(try_units()))


@pytest.fixture(scope="module")
def ran(environment: dict[str, str], repository: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Run the flow once; return the folder of witnesses and the outcome of every unit."""
    folder = tmp_path_factory.mktemp("witnesses")
    command = [sys.executable, "-m", "tests.flows.frame.test_units", str(folder)]
    options: dict[str, Any] = {"env": environment, "cwd": repository, "timeout": 900}
    ended = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert ended.returncode == 0, ended.stderr
    return folder, json.loads(ended.stdout)


def query(environment: dict[str, str], question: str) -> list[tuple[Any, ...]]:
    """Ask Prefect's database, after the process that ran the flow has ended."""
    with closing(sqlite3.connect(Path(environment["PREFECT_HOME"]) / "prefect.db")) as database:
        return database.execute(question).fetchall()


def test_a_unit_is_tried_again_as_long_as_that_may_help_and_stops_no_other(ran: tuple[Path, dict[str, Any]]) -> None:
    folder, outcomes = ran
    calls = {unit: count_calls(folder, unit) for unit in outcomes if unit != "kept"}
    assert (outcomes["flaky-1"], calls["flaky-1"]) == (["flaky-1 done", "NoneType", "None"], 3)
    assert (outcomes["broken-1"], calls["broken-1"]) == (["None", "SourceError", "broken-1: the file is empty"], 1)
    assert outcomes["deadly-1"][1] == "WorkerError"
    assert outcomes["deadly-1"][2].startswith("deadly-1: it ended 3 workers")
    assert 1 < calls["deadly-1"] <= 3
    assert (outcomes[ENDLESS][1], calls[ENDLESS]) == ("TimeLimitError", 1)
    assert "longer than the 1 s" in outcomes[ENDLESS][2]
    assert "UnportableError: this and that" in outcomes["strange-1"][2], "an error that cannot travel says what it was"
    assert calls["strange-1"] == 3
    assert {unit: outcomes[unit][0] for unit in GOOD} == {unit: f"{unit} done" for unit in GOOD}
    processes = {path.suffix for path in folder.iterdir()}
    assert 2 <= len(processes) <= 5  # two workers, and a new one for each that was killed


def test_prefect_remembers_no_finished_unit_but_failed_ones(ran: tuple[Path, dict[str, Any]]) -> None:
    """Whatever it keeps until the flow ends makes a run of many units grow; fails too where a new Prefect keeps it elsewhere."""
    assets, results, cancellations = map(int, ran[1]["kept"])
    assert (assets, cancellations) == (0, 0)
    assert results <= 4


@pytest.mark.usefixtures("ran")
def test_all_task_runs_are_recorded_with_names_and_states(environment: dict[str, str]) -> None:
    rows = query(
        environment,
        "select task_run.name, task_run.state_type from task_run join flow_run on task_run.flow_run_id = flow_run.id "
        "join flow on flow_run.flow_id = flow.id where flow.name = 'units'",
    )
    failed = {"broken-1", "strange-1", "deadly-1", ENDLESS}
    assert dict(rows) == {unit: "FAILED" if unit in failed else "COMPLETED" for unit in [*UNITS, ENDLESS]}
    assert len(rows) == len(UNITS) + 1


@pytest.mark.usefixtures("ran")
def test_what_a_worker_logs_arrives_in_its_task_run(environment: dict[str, str]) -> None:
    lines = query(environment, "select task_run.name, log.message from log join task_run on log.task_run_id = task_run.id")
    assert {message for name, message in lines if name == "flaky-1" and "attempt" in message} >= {
        "flaky-1: attempt 1",
        "flaky-1: attempt 2",
        "flaky-1: attempt 3",
    }
    logged = {message for _, message in lines}
    assert {f"{unit}: attempt 1" for unit in GOOD} <= logged
    assert any("SourceError: broken-1: the file is empty" in message for name, message in lines if name == "broken-1")


if __name__ == "__main__":
    prepare_prefect()
    with embedded_server():
        try_all(sys.argv[1])
