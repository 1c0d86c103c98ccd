"""A run on a Dask cluster that somebody else started: no other code path, and no Prefect on its workers."""

import json
import operator
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep

import pytest

from core.errors import SchedulerLostError
from infra.orchestration.dask import Cluster
from tests.integration.conftest import BIN
from tests.integration.fault_runs import Command, started_cluster

pytestmark = pytest.mark.integration


def test_a_running_scheduler_computes_the_units(
    repository: Path,
    environment: dict[str, str],
    prefect_server: dict[str, str],
    start_server: Callable[..., None],
    free_port: Callable[[], int],
    tmp_path: Path,
) -> None:
    scheduler, nanny, worker = free_port(), free_port(), free_port()
    start_server("dask", "scheduler", "--host", "127.0.0.1", "--port", str(scheduler), "--no-dashboard", port=scheduler)
    address = f"tcp://127.0.0.1:{scheduler}"
    ports = ("--nanny-port", str(nanny), "--worker-port", str(worker))
    start_server("dask", "worker", address, "--host", "127.0.0.1", *ports, "--nthreads", "1", "--no-dashboard", port=worker)
    call = [str(BIN / "fabula"), "run", "transcripts", "--source", str(repository / "examples" / "transcripts")]
    call += ["--store", str(tmp_path / "store"), "--scheduler", address, "--json"]
    ended = subprocess.run(call, env=environment | prefect_server, capture_output=True, text=True, timeout=900, check=False)
    assert ended.returncode == 0, ended.stderr
    units = json.loads(ended.stdout)["units"]
    assert units == {"discovered": 5, "computed": 4, "reused": 0, "waiting": 1, "quarantined": 0, "removed": 0}


@pytest.mark.faults
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
