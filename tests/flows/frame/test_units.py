"""Units on a real embedded Prefect server and a real Dask cluster: retries, failures, logs, and a record of every task run."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import END_SECONDS
from tests.flows.unit_flow import ENDLESS, GOOD, UNITS, count_calls

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def ran(environment: dict[str, str], repository: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Run the flow once; return the folder of witnesses and the outcome of every unit."""
    folder = tmp_path_factory.mktemp("witnesses")
    ended = subprocess.run(
        [sys.executable, "-m", "tests.flows.unit_flow", str(folder)],
        env=environment,
        cwd=repository,
        capture_output=True,
        text=True,
        timeout=END_SECONDS,
        check=False,
    )
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
