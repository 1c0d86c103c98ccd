"""The cluster: started only when it is needed, one unit a thread, and a clear word where no scheduler answers."""

import operator
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dask
import pytest
from distributed import Client, Future, LocalCluster

from core.errors import ConfigError
from infra.orchestration.dask import Cluster


def test_a_cluster_that_is_not_asked_for_anything_starts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Cluster, "_connected", lambda _: pytest.fail("it starts"))
    with Cluster(workers=2):
        pass


def test_calls_run_in_worker_processes_that_end_with_the_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infra.orchestration.dask.UNHEARD_SECONDS", 0.1)
    with Cluster(workers=1) as cluster:
        worker = cluster.run(_describe_process, None)
        assert cluster.count_threads() == 1
        assert sorted(cluster.map_unordered(operator.neg, [1, 2, 3])) == [-3, -2, -1]
        with pytest.raises(ZeroDivisionError):
            cluster.run(_divide, 0)
        with pytest.raises(ZeroDivisionError):
            list(cluster.map_unordered(_divide, [0]))
        assert cluster.run(_nap, 0.4) == 0.4  # longer than the first wait
        with monkeypatch.context() as patched:
            patched.setattr(Future, "result", _lose_first(Future.result))
            assert cluster.run(_nap, 0.3) == 0.3
        with pytest.raises(TimeoutError, match="the function's own"):
            cluster.run(_give_up, None)
    assert worker["pid"] != os.getpid()
    assert worker["interrupt blocked"]
    assert _ended(worker["pid"])


@pytest.mark.parametrize(
    ("address", "told"),
    [("tcp://127.0.0.1:1", r"tcp://127\.0\.0\.1:1: .*`dask worker`"), ("nonsense://x", "expected a running Dask scheduler")],
)
def test_a_scheduler_that_does_not_answer_is_the_callers_error(address: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infra.orchestration.dask.Client", lambda place, **_: Client(place, timeout=0.5))
    with Cluster(scheduler=address) as cluster, pytest.raises(ConfigError, match=told):
        cluster.run(operator.neg, 1)


def test_a_scheduler_without_workers_is_told_and_given_up_though_it_had_some(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("infra.orchestration.dask.UNHEARD_SECONDS", 0.5)
    with (
        LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address=None, processes=True) as empty,
        dask.config.set({"distributed.scheduler.no-workers-timeout": "1s"}),
        Cluster(scheduler=empty.scheduler_address) as cluster,
    ):
        with pytest.raises(ConfigError, match=r"no worker for 1 s; start one \(`dask worker tcp://127"):
            cluster.run(operator.neg, 1)
        empty.scale(1)
        assert cluster.run(operator.neg, 1) == -1
        told = [record.getMessage() for record in caplog.records if "has no workers" in record.getMessage()]
        assert told == [f"scheduler {empty.scheduler_address} has no workers; waiting for one up to 1 s"]
        empty.scale(0)
        while cluster._connected().nthreads():
            time.sleep(0.1)
        with pytest.raises(ConfigError, match="no worker for 1 s"):  # a call that waits learns that all are gone
            cluster.run(operator.neg, 2)


def _lose_first(result: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that first ends as Distributed's does where its wait is cancelled."""
    calls: list[int] = []

    def wait(future: Any, timeout: float | None = None) -> Any:
        calls.append(1)
        if len(calls) == 1:
            raise UnboundLocalError("cannot access local variable 'result'")
        return result(future, timeout)

    return wait


def _nap(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def _give_up(_: None) -> None:
    raise TimeoutError("the function's own")


def _describe_process(_: None) -> dict[str, int]:
    return {"pid": os.getpid(), "interrupt blocked": signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])}


def _divide(number: int) -> float:
    return 1 / number


def _ended(process: int) -> bool:
    end = time.monotonic() + 10
    while Path(f"/proc/{process}").exists() and time.monotonic() < end:
        time.sleep(0.05)
    return not Path(f"/proc/{process}").exists()
