"""A run on a Dask cluster that somebody else started: no other code path, and no Prefect on its workers."""

import operator
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import sleep

import pytest

from core.errors import SchedulerLostError
from infra.orchestration.dask import Cluster
from tests.integration.fault_runs import Command, started_cluster

pytestmark = pytest.mark.integration


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
