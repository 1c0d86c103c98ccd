"""The process of the flow: killed, interrupted, and two of them on one store."""

import os
import shlex
import signal
from pathlib import Path

import pytest

from tests.integration.fault_runs import (
    BAD,
    GOOD,
    PRELOAD,
    Command,
    Landed,
    count_units,
    finish,
    kill,
    list_finished,
    list_group,
    list_quarantined,
    read_landed,
    read_record,
    read_times,
    wait_until,
)

pytestmark = [pytest.mark.integration, pytest.mark.faults]

SLOW = {**PRELOAD, "FAULTS_DELAY": "0.5"}


def test_a_killed_run_is_run_again(command: Command, stories: Path, calm: Landed, tmp_path: Path) -> None:
    process = command.start(stories, tmp_path, **SLOW)
    wait_until(lambda: len(list_finished(tmp_path)) >= 5, process)
    kill(process)
    wait_until(lambda: not list_group(process))  # its workers and its Prefect server go with it
    finished = list_finished(tmp_path)
    before = read_times(tmp_path, finished)
    assert 5 <= len(finished) < len(GOOD)
    assert not (tmp_path / "datasets").exists()

    ended = command.run(stories, tmp_path)
    assert ended["units"] == count_units(12 - len(finished), len(finished))
    assert set(read_record(tmp_path, ended)["computed"]) == set(GOOD) - finished
    assert read_times(tmp_path, finished) == before
    assert read_landed(tmp_path) == calm
    assert list_quarantined(tmp_path) == {BAD}


def test_a_run_killed_while_it_releases_is_run_again(command: Command, stories: Path, calm: Landed, tmp_path: Path) -> None:
    process = command.start(stories, tmp_path)
    wait_until(lambda: list((tmp_path / "datasets").glob("transcripts/*/data/*/*.parquet")), process)
    kill(process)
    assert not (tmp_path / "datasets" / "transcripts" / "latest.json").exists()
    before = read_times(tmp_path, set(GOOD))
    ended = command.run(stories, tmp_path)
    assert ended["units"] == count_units(0, 12)
    assert read_times(tmp_path, set(GOOD)) == before
    assert read_landed(tmp_path) == calm


def test_an_interrupted_run_says_how_to_go_on(command: Command, stories: Path, calm: Landed, tmp_path: Path) -> None:
    process = command.start(stories, tmp_path, **SLOW)
    wait_until(lambda: len(list_finished(tmp_path)) >= 4, process)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the whole group
    out, err = process.communicate(timeout=900)
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in err
    wait_until(lambda: not list_group(process))
    finished = list_finished(tmp_path)
    before = read_times(tmp_path, finished)
    assert len(finished) < len(GOOD)

    ended = finish(command.call(shlex.split(err.splitlines()[-1])))
    assert ended["units"]["computed"] == 12 - len(finished)
    assert read_times(tmp_path, finished) == before
    assert read_landed(tmp_path) == calm
    assert list_quarantined(tmp_path) == {BAD}


def test_two_runs_on_one_store_at_the_same_time(command: Command, stories: Path, calm: Landed, tmp_path: Path) -> None:
    ended = [finish(process) for process in [command.start(stories, tmp_path, **PRELOAD, FAULTS_DELAY="0.2") for _ in range(2)]]
    for run in ended:
        assert run["units"]["computed"] + run["units"]["reused"] == 12
        assert run["units"]["quarantined"] == 1
        assert run["release"] == str(tmp_path / "datasets" / "transcripts" / calm.version)
    assert read_landed(tmp_path) == calm
    assert list_quarantined(tmp_path) == {BAD}
    assert {path.name for path in (tmp_path / "datasets" / "transcripts").iterdir()} == {
        calm.version,
        "latest.json",
        "history.json",
    }
    third = command.run(stories, tmp_path)
    assert third["units"] == count_units(0, 12)
