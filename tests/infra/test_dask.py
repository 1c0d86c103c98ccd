"""The cluster: started only when it is needed, one unit a thread, and a clear word where no scheduler answers."""

import operator
import os
import signal
import time
from pathlib import Path

import pytest

from core.errors import ConfigError
from infra.dask import Cluster


def test_a_cluster_that_is_not_asked_for_anything_starts_nothing() -> None:
    began = time.monotonic()
    with Cluster(workers=2):
        pass
    assert time.monotonic() - began < 0.5


def test_calls_run_in_worker_processes_that_end_with_the_block() -> None:
    with Cluster(workers=1) as cluster:
        worker = cluster.run(_describe_process, None)
        assert cluster.count_threads() == 1
        assert sorted(cluster.map_unordered(operator.neg, [1, 2, 3])) == [-3, -2, -1]
        with pytest.raises(ZeroDivisionError):
            cluster.run(_divide, 0)
    assert worker["pid"] != os.getpid()
    assert worker["interrupt blocked"]
    assert _ended(worker["pid"])


def test_a_scheduler_that_does_not_answer_is_the_callers_error() -> None:
    with (
        Cluster(scheduler="tcp://127.0.0.1:1") as cluster,
        pytest.raises(ConfigError, match=r"tcp://127\.0\.0\.1:1: .*`dask worker`"),
    ):
        cluster.run(operator.neg, 1)


def test_an_address_that_is_none_is_the_callers_error() -> None:
    with Cluster(scheduler="nonsense://x") as cluster, pytest.raises(ConfigError, match="expected a running Dask scheduler"):
        cluster.run(operator.neg, 1)


def _describe_process(_: None) -> dict[str, int]:
    return {"pid": os.getpid(), "interrupt blocked": signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])}


def _divide(number: int) -> float:
    return 1 / number


def _ended(process: int) -> bool:
    end = time.monotonic() + 10
    while Path(f"/proc/{process}").exists() and time.monotonic() < end:
        time.sleep(0.05)
    return not Path(f"/proc/{process}").exists()
