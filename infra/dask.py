"""Dask: a local cluster by default, a running scheduler where one is named."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import dask
from distributed import Client, LocalCluster

from core.errors import ConfigError

ALLOWED_FAILURES = 2
"""How many workers a unit may kill before it is given up (Dask's own default of 3 costs a worker start each)."""


@contextmanager
def open_client(workers: int | None = None, scheduler: str | None = None) -> Iterator[Client]:
    """Give a client of `scheduler`, or of a new cluster of `workers` processes (default: one per usable core) on this machine.

    Raises:
        ConfigError: nothing answers at `scheduler`.
    """
    dask.config.set({"distributed.scheduler.allowed-failures": ALLOWED_FAILURES})
    if scheduler is not None:
        try:
            client = Client(scheduler, timeout=10)
        except (OSError, ValueError) as error:
            raise ConfigError(
                f"scheduler {scheduler}: {error}; expected a running Dask scheduler, for instance `dask scheduler` at tcp://127.0.0.1:8786"
            ) from error
        with client:
            yield client
        return
    count = workers or len(os.sched_getaffinity(0))
    # One thread a process: the work is Python and numpy, which share one interpreter lock badly. No dashboard port is opened.
    with (
        LocalCluster(n_workers=count, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client


def count_threads(client: Client) -> int:
    """Return how many units the cluster can work on at once, at least 1."""
    return max(1, sum(client.nthreads().values()))
