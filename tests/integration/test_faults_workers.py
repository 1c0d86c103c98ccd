"""Workers that are killed, a unit that kills every worker, and a scheduler of somebody else's that is lost."""

import operator
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep

import pytest

from core.errors import SchedulerLostError
from infra.orchestration.dask import Cluster
from tests.integration.fault_runs import (
    BAD,
    GOOD,
    PRELOAD,
    Command,
    Landed,
    check_calm,
    check_units,
    finish,
    list_finished,
    list_quarantined,
    list_workers,
    read_landed,
    read_record,
    read_times,
    started_cluster,
    wait_until,
    write_source,
)

pytestmark = [pytest.mark.integration, pytest.mark.faults]


def test_a_worker_is_killed_in_the_middle(
    command: Command, prefect_server: dict[str, str], stories: Path, calm: Landed, tmp_path: Path
) -> None:
    process = command.start(stories, tmp_path, **prefect_server, **PRELOAD, FAULTS_DELAY="0.5")
    before: dict[Path, int] = {}
    for goal in (2, 5):
        wait_until(lambda goal=goal: len(list_finished(tmp_path)) >= goal, process)
        before |= read_times(tmp_path, list_finished(tmp_path))
        list_workers(process)[0].send_signal(signal.SIGKILL)
    ended = finish(process)
    check_units(ended, landed=12, killed=2)
    after = read_times(tmp_path, GOOD)
    assert {path: after[path] for path in before} == before  # what had finished was not computed again
    check_calm(tmp_path, calm)


def test_a_unit_that_always_kills_its_worker(
    command: Command, prefect_server: dict[str, str], stories: Path, tmp_path: Path
) -> None:
    deadly, store = "S02E05", tmp_path / "store"
    ended = command.run(stories, store, **prefect_server, **PRELOAD, FAULTS_DELAY="0.2", FAULTS_DEADLY=deadly)
    check_units(ended, landed=11, killed=3, quarantined=2)
    assert list_quarantined(store) == {BAD, deadly}
    assert f"quarantined  {deadly}: {deadly}: it ended 3 workers in a row: it needs more memory" in ended["err"]

    # The others are as if that unit had only been a bad file.
    write_source(tmp_path / "others" / "source", bad=[BAD, deadly])
    command.run_here(tmp_path / "others" / "source", tmp_path / "calm")
    others, disturbed = read_landed(tmp_path / "calm"), read_landed(store)
    assert disturbed.version == others.version
    assert disturbed.release == others.release
    assert disturbed.artifacts == others.artifacts

    # Not the file was to blame: the next run tries again, computes this unit alone, and the release is whole.
    assert read_record(store, command.run_here(stories, store))["computed"] == [deadly]
    assert list_quarantined(store) == {BAD}


def test_a_scheduler_that_is_lost_is_waited_for_and_one_that_stays_away_is_told(
    command: Command, free_port: Callable[[], int]
) -> None:
    port = free_port()
    with Cluster(scheduler=f"tcp://127.0.0.1:{port}") as cluster, ThreadPoolExecutor() as pool:
        with started_cluster(command, port) as scheduler:
            assert cluster.run(operator.neg, 1) == -1
            under_way = pool.submit(cluster.run, sleep, 600)
            scheduler.kill()
            scheduler.wait()
        with started_cluster(command, port, threads=2) as scheduler:  # one takes up what was under way
            assert cluster.run(operator.neg, 2) == -2
            assert not under_way.done()
            scheduler.kill()
            scheduler.wait()
            with pytest.raises(SchedulerLostError, match=f"scheduler tcp://127.0.0.1:{port} does not answer any more"):
                cluster.run(operator.neg, 3)
        with pytest.raises(SchedulerLostError, match="does not answer"):
            under_way.result()
        with pytest.raises(SchedulerLostError, match="does not answer"):
            cluster.count_threads()
