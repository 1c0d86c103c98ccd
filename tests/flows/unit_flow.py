"""Run by `test_units` in a process of its own: one flow over many units, whose outcomes are printed as JSON."""

import json
import logging
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from core.errors import SourceError, StoreError
from infra.orchestration.embedded_server import embedded_server
from infra.orchestration.prefect import prepare_prefect

GOOD = [f"good-{number:02d}" for number in range(60)]
ENDLESS = "endless-1"
UNITS = ["flaky-1", "broken-1", "strange-1", "deadly-1", *GOOD]


logger = logging.getLogger("tasks.behaviour")


class UnportableError(Exception):
    """An error that holds on to what cannot be pickled, as errors of some libraries do."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.lock = Lock()


def count_calls(folder: Path, unit: str) -> int:
    """Return how many calls of `behave` for a unit have begun."""
    return len(list(folder.glob(f"{unit}.*")))


def behave(request: tuple[str, str]) -> str:
    """Behave as the first part of the unit's name says."""
    folder, unit = Path(request[0]), request[1]
    attempt = count_calls(folder, unit) + 1
    (folder / f"{unit}.{attempt}.{os.getpid()}").touch()
    logger.info("%s: attempt %d", unit, attempt)
    match unit.split("-")[0]:
        case "flaky" if attempt < 3:
            raise StoreError(f"{unit}: the store does not answer")
        case "broken":
            raise SourceError(f"{unit}: the file is empty")
        case "strange":
            raise UnportableError("this and that")
        case "endless":
            while True:
                time.sleep(0.01)
        case "deadly":
            # Dask may run siblings again when a worker dies with their results; those whose calls are counted come first.
            _wait_for(lambda: min(count_calls(folder, "flaky-1"), count_calls(folder, "strange-1")) == 3)
            os._exit(1)
    return f"{unit} done"


def _wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 600
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(0.5)


def main(folder: str) -> None:
    """Behave as every unit's name says, on two workers."""
    prepare_prefect()
    with embedded_server():
        try_all(folder)


def try_all(folder: str) -> None:
    """Run the flow, and print the outcomes."""
    from prefect import flow
    from prefect.context import FlowRunContext

    from flows.frame.units import WAITING_THREADS, PrefectMapper
    from infra.orchestration.dask import Cluster
    from tests.flows.unit_flow import behave  # not that of `__main__`, which no worker has

    @flow(name="units", task_runner=WAITING_THREADS)
    def try_units() -> dict[str, list[str]]:
        requests = {unit: (folder, unit) for unit in UNITS}
        with Cluster(workers=2) as cluster:
            mapper = PrefectMapper(cluster, retry_delay_seconds=0.1)
            mapped = [*mapper.map_units(behave, requests), *mapper.map_units(behave, {ENDLESS: (folder, ENDLESS)}, seconds=1.0)]
        outcomes = {outcome.unit: [str(outcome.result), type(outcome.error).__name__, str(outcome.error)] for outcome in mapped}
        context = FlowRunContext.get()
        kept = (context.task_run_assets, context.run_results, vars(context.task_runner)["_cancel_events"])
        return outcomes | {"kept": [str(len(entries)) for entries in kept]}

    print(json.dumps(try_units()))


if __name__ == "__main__":
    main(sys.argv[1])
