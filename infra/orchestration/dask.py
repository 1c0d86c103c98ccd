"""Dask: a local cluster by default, a running scheduler where one is named."""

import logging
import multiprocessing
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from multiprocessing import active_children
from threading import Lock
from types import TracebackType
from typing import Any

import dask
from dask.utils import parse_timedelta
from distributed import CancelledError, Client, KilledWorker, LocalCluster, as_completed
from distributed.client import ClosedClientError, FutureCancelledError
from distributed.comm.core import CommClosedError
from distributed.utils import get_mp_context

from core.errors import ConfigError, SchedulerLostError, WorkerError
from infra.orchestration.interrupts import start_shielded

ALLOWED_FAILURES = (
    2  # how many workers a unit may kill before it is given up; each costs a worker's start (Dask's own default: 3)
)
KEPT_MESSAGES = 5
"""How many of their last messages client and scheduler keep for Dask's developers; Dask's 1,000 may have 1 MB each."""

TRIM_BYTES = 64 * 2**20  # free memory at the end of a worker's heap before it goes back to the system
PRELOADED = "infra.orchestration.preloaded"  # imported once, by the process from which a local cluster's workers are forked
UNHEARD_SECONDS = 5.0  # after so long without a result the scheduler is asked whether it has any worker at all
NO_WORKERS_SECONDS = 300.0
"""How long a scheduler may be without workers, unless Dask's distributed.scheduler.no-workers-timeout says otherwise."""

ANSWER_SECONDS = 10.0  # how long the scheduler may take to say which workers it has
ALLOWED_LOSSES = 3  # how often a call is given to a scheduler that is lost before it answers
CONNECTION_LOST = "scheduler-connection-lost"  # why Dask cancels the calls of a client that has lost its scheduler
POLL_SECONDS = 0.02  # pause between two looks at calls whose order does not matter
CLOSE_SECONDS = 20.0  # how long client and workers may take to end, before the workers are killed
__all__ = ["ALLOWED_FAILURES", "CancelledError", "Cluster"]

logger = logging.getLogger(__name__)


class Cluster:
    """A Dask cluster that starts when its client is first asked for: a run with nothing to do starts none."""

    def __init__(self, workers: int | None = None, scheduler: str | None = None) -> None:
        """Describe a cluster of `workers` processes (default: one per usable core), or name a running `scheduler` (tcp://…)."""
        self._workers = workers
        self._scheduler = scheduler or None  # a deployment whose environment names none has ""
        self._client: Client | None = None
        self._waiting = Lock()
        self._deserted: float | None = None  # since when the scheduler has no worker
        self._resources = ExitStack()

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Close the client and the processes that were started here; futures under way are cancelled."""
        self._resources.close()

    def run(self, function: Callable[[Any], Any], request: Any) -> Any:
        """Call `function(request)` on a worker and return what it returns; an interrupted wait cancels the call.

        If the scheduler is lost and comes back, the call is sent again, at most `ALLOWED_LOSSES` times.

        Raises:
            SchedulerLostError: the scheduler was lost each time.
            WorkerError: the call ended every worker that ran it.
        """
        for _ in range(ALLOWED_LOSSES):
            try:
                return self._run_once(function, request)
            except FutureCancelledError as error:
                if error.reason != CONNECTION_LOST:
                    raise
        raise SchedulerLostError(f"scheduler {self._scheduler} was lost {ALLOWED_LOSSES} times; look at its log")

    def _run_once(self, function: Callable[[Any], Any], request: Any) -> Any:
        client = self._connected()
        try:
            # pure=False: with a key made from the arguments, a second try would be handed the first one's failure.
            future = client.submit(function, request, pure=False)
        except ClosedClientError as error:
            raise self._lost() from error
        try:
            while True:
                try:
                    return future.result(timeout=UNHEARD_SECONDS)
                # On a busy machine a wait that ends just then has neither result nor error: dask/distributed issue 8514.
                except (TimeoutError, UnboundLocalError):
                    if future.done():
                        return future.result()
                    self._await_workers()
        except KilledWorker as error:
            raise WorkerError(
                f"it ended {error.allowed_failures + 1} workers in a row: it needs more memory than a worker may use, "
                "or a library crashes on it. Look at the workers' logs, give them more memory, or take the input out"
            ) from error
        finally:
            if client.status == "running":
                if not future.done():  # the scheduler remembers a line of every cancelled call
                    future.cancel()  # leaving a flow does not stop what Dask has started
                future.release()

    def map_unordered(self, function: Callable[[Any], Any], requests: Iterable[Any]) -> Iterator[Any]:
        """Yield what `function` returns for each request, as the results come; the first error ends it."""
        futures = self._connected().map(function, list(requests), pure=False)
        try:
            finished = as_completed(futures, with_results=True)
            heard = time.monotonic()
            while not finished.is_empty():
                if finished.has_ready():
                    for future, result in finished.next_batch(block=False):
                        # A batch holds errors as values: the future raises them.
                        yield result if future.status == "finished" else future.result()
                    heard = time.monotonic()
                elif time.monotonic() - heard > UNHEARD_SECONDS:
                    self._await_workers()
                    heard = time.monotonic()
                else:
                    time.sleep(POLL_SECONDS)
        except FutureCancelledError as error:
            if error.reason == CONNECTION_LOST:
                raise self._lost() from error
            raise
        finally:
            for future in futures:
                if not future.done():
                    future.cancel()

    def count_threads(self) -> int:
        """Return how many calls the cluster can work on at once, at least 1."""
        client = self._connected()
        try:
            threads: dict[str, int] = client.nthreads()
        except (AttributeError, CommClosedError, OSError) as error:  # a closed client has no scheduler
            raise self._lost() from error
        return max(1, sum(threads.values()))

    def _connected(self) -> Client:
        """Return the client: start it at the first call, and wait for it while it looks for a lost scheduler."""
        if self._client is not None:
            while self._client.status == "connecting":  # it tries as long as its time-out says
                time.sleep(POLL_SECONDS)
            if self._client.status != "running":
                raise self._lost()
        else:
            dask.config.set(
                {
                    "distributed.scheduler.allowed-failures": ALLOWED_FAILURES,
                    # One unit a thread: what waits behind a unit that kills its workers would be blamed with it.
                    "distributed.scheduler.worker-saturation": 1.0,
                    "distributed.admin.low-level-log-length": KEPT_MESSAGES,
                    # Dask's own figures of its processes, for its dashboard: they took a tenth of the workers' processor time.
                    "distributed.worker.profile.enabled": False,
                    "distributed.admin.system-monitor.interval": "5s",
                    "distributed.admin.tick.interval": "500ms",
                    "distributed.comm.timeouts.connect": "10s",
                    # Dask's own 64 KiB give memory back to the system so often that parsing takes twice as long.
                    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": TRIM_BYTES,
                    "logging.distributed": "error",
                }
            )
            self._client = self._connect()
            self._resources.callback(self._close_client)
            if self._scheduler is not None:
                self._await_workers()
        return self._client

    def _lost(self) -> SchedulerLostError:
        scheduler = self._scheduler or "of this run"
        return SchedulerLostError(f"scheduler {scheduler} does not answer any more; finished units stay. Start it, and run again")

    def _await_workers(self) -> None:
        """Wait until the scheduler has a worker: Dask itself would wait for ever, and say nothing."""
        assert self._client is not None
        if self._has_workers():
            return
        patience = parse_timedelta(dask.config.get("distributed.scheduler.no-workers-timeout") or NO_WORKERS_SECONDS)
        address = self._scheduler or "of this run"
        with self._waiting:  # one of the threads that wait for results asks and warns for all of them
            while not self._has_workers():
                if self._deserted is None:
                    self._deserted = time.monotonic()
                    logger.warning("scheduler %s has no workers; waiting for one up to %.0f s", address, patience)
                if time.monotonic() - self._deserted > patience:
                    raise ConfigError(
                        f"scheduler {address}: no worker for {patience:.0f} s; start one (`dask worker {self._scheduler or ''}`) "
                        "or wait longer: DASK_DISTRIBUTED__SCHEDULER__NO_WORKERS_TIMEOUT=10min"
                    )
                time.sleep(0.5)
            self._deserted = None

    def _has_workers(self) -> bool:
        """Ask the scheduler for its workers; one that does not answer has none."""
        assert self._client is not None
        if self._client.scheduler is None:
            raise self._lost()
        try:
            # What Client.nthreads() asks, which would wait for the answer for ever.
            return bool(self._client.sync(self._client.scheduler.ncores, callback_timeout=ANSWER_SECONDS))
        except (OSError, CommClosedError):  # a time-out is an OSError
            return False

    def _connect(self) -> Client:
        if self._scheduler is not None:
            try:
                return Client(self._scheduler, timeout=10)
            except (OSError, ValueError) as error:
                raise ConfigError(
                    f"scheduler {self._scheduler}: {error}; expected a running Dask scheduler such as tcp://127.0.0.1:8786 "
                    "(start one with `dask scheduler`, and workers with `dask worker`)"
                ) from error
        try:
            cluster = start_shielded(self._start_local)
        except TimeoutError as error:
            raise WorkerError(f"Dask's workers: {error}; the machine is too busy, or out of memory. Try again") from error
        self._resources.callback(_close_cluster, cluster)
        return Client(cluster)

    def _close_client(self) -> None:
        assert self._client is not None
        with suppress(OSError, CommClosedError):
            self._client.close(timeout=CLOSE_SECONDS)

    def _start_local(self) -> LocalCluster:
        if "forkserver" in multiprocessing.get_all_start_methods():
            # A worker of its own takes seconds of processor time to import what all of them need.
            dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"})
            get_mp_context().set_forkserver_preload([PRELOADED])
        # One thread a process: the work is Python and numpy, which share one interpreter lock badly.
        return LocalCluster(
            n_workers=self._workers or len(os.sched_getaffinity(0)),
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",  # any free port: two runs may share a machine
            silence_logs=logging.CRITICAL,  # a worker's heartbeat that meets a closed scheduler is no error of the user's
        )


def _close_cluster(cluster: LocalCluster) -> None:
    """End a local cluster; workers that do not end are killed."""
    try:
        cluster.close(timeout=CLOSE_SECONDS)
    except OSError:  # a time-out is one
        logger.warning("Dask's workers do not end within %.0f s; they are killed", CLOSE_SECONDS)
        for process in active_children():
            process.kill()
