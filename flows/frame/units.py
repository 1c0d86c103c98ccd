"""One Prefect task run per unit, each computed by one function on a Dask worker.

The thread that runs the task only waits: 15 ms a unit against 200 with Prefect's own Dask runner, workers that need no Prefect
API, and a unit that kills its worker ends as Failed instead of hanging.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeVar, cast

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State, TaskRun
from prefect.context import FlowRunContext
from prefect.futures import PrefectFuture
from prefect.task_runners import TaskRunner, ThreadPoolTaskRunner

from core.errors import ConfigError, DamagedArtifactError, SchedulerLostError, SourceError, TimeLimitError, WorkerError
from flows.frame.ingestion import UnitOutcome
from infra.orchestration.dask import CancelledError, Cluster
from infra.orchestration.worker_logs import Answer, LogLine, answer_request

Result = TypeVar("Result")

# Threads that wait; the cast is for mypy, which does not see that futures of a subclass are futures.
WAITING_THREADS = cast("TaskRunner[PrefectFuture[Any]]", ThreadPoolTaskRunner())

RETRIES = 2
"""Further attempts after a unit's first failure, unless its input is to blame."""


class PrefectMapper:
    """Maps units with one Prefect task run each, computed on a Dask cluster. It is used inside a flow."""

    def __init__(self, cluster: Cluster, retry_delay_seconds: float = 1.0) -> None:
        """Compute on `cluster`, which starts with the first unit."""
        self._cluster, self._retry_delay = cluster, retry_delay_seconds

    def map_units(
        self, function: Callable[[Any], Result], requests: Mapping[str, Any], seconds: float | None = None
    ) -> Iterator[UnitOutcome[Result]]:
        """Run `function` on every request, one task run a unit, and yield the outcomes as they come.

        A bounded number of units is under way at once, so that neither Prefect nor Dask ever holds the whole corpus.

        `function` takes a request and returns a reference; it must be safe to run twice. A unit's id becomes its task run's name.
        `seconds` is how long one request may take before it is broken off, and a worker that does not come back is ended.
        """

        @task(
            name=f"{function.__module__.removeprefix('tasks.')}.{function.__name__}",
            task_run_name="{unit}",
            retries=RETRIES,
            retry_delay_seconds=self._retry_delay,
            retry_condition_fn=_worth_another_try,
            cache_policy=NO_CACHE,
            persist_result=False,
        )
        def compute_unit(unit: str) -> None:
            try:
                answer: Answer = self._cluster.run(partial(answer_request, function, seconds=seconds), requests[unit])
            except WorkerError as error:
                raise WorkerError(f"{unit}: {error}") from error
            _emit(answer.lines)
            if answer.error is not None:
                raise answer.error
            results[unit] = answer.result

        # Past Prefect, which would remember a state for every part of every result until the flow ends.
        results: dict[str, Any] = {}
        window = 2 * self._cluster.count_threads() + 2
        finished: SimpleQueue[PrefectFuture[Any]] = SimpleQueue()
        names: dict[PrefectFuture[Any], str] = {}
        for unit in requests:
            if len(names) >= window:
                yield _collect(finished.get(), names, results)
            future = compute_unit.submit(unit)
            names[future] = unit
            future.add_done_callback(finished.put)
        while names:
            yield _collect(finished.get(), names, results)


def _collect(future: PrefectFuture[Any], names: dict[PrefectFuture[Any], str], results: dict[str, Any]) -> UnitOutcome[Any]:
    unit = names.pop(future)
    future.wait()
    _forget(future)
    error = future.result(raise_on_failure=False)
    if isinstance(error, BaseException):
        return UnitOutcome(unit, None, error)
    return UnitOutcome(unit, results.pop(unit), None)


def _forget(future: PrefectFuture[Any]) -> None:
    """Drop what Prefect would keep of a finished task run until the flow ends, 1.6 KiB for each.

    Both say something of task runs that are under way or that others wait for; units are neither.
    """
    context = FlowRunContext.get()
    if context is None:
        return
    context.task_run_assets.pop(future.task_run_id, None)
    # No public way leads there. Where a later Prefect has it no more, a flow at worst grows by it again.
    getattr(context.task_runner, "_cancel_events", {}).pop(future.task_run_id, None)


def _worth_another_try(_: object, __: TaskRun, state: State[Any]) -> bool:
    """Tell whether a failure may pass: not where input, settings, artifacts, time or workers are to blame, or the run ends."""
    error = state.result(raise_on_failure=False)
    final = SourceError | ConfigError | DamagedArtifactError | TimeLimitError | WorkerError
    final |= SchedulerLostError | CancelledError
    return not isinstance(error, final)


def _emit(lines: Iterable[LogLine]) -> None:
    logger = get_run_logger()
    for level, message in lines:
        logger.log(level, message)
