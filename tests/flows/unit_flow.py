"""Run by `test_units` in a process of its own: one flow over many units, whose outcomes are printed as JSON."""

import json
import sys

from infra.orchestration.embedded_server import embedded_server
from infra.orchestration.prefect import prepare_prefect

GOOD = [f"good-{number:02d}" for number in range(60)]
ENDLESS = "endless-1"
UNITS = ["flaky-1", "broken-1", "strange-1", "deadly-1", *GOOD]


def main(folder: str) -> None:
    """Behave as every unit's name says, on two workers."""
    prepare_prefect(quiet=True)
    with embedded_server():
        try_all(folder)


def try_all(folder: str) -> None:
    """Run the flow, and print the outcomes."""
    from prefect import flow
    from prefect.context import FlowRunContext

    from flows.frame.units import WAITING_THREADS, map_units
    from infra.orchestration.dask import Cluster
    from tests.flows.unit_functions import behave

    @flow(name="units", task_runner=WAITING_THREADS)
    def try_units() -> dict[str, list[str]]:
        requests = {unit: (folder, unit) for unit in UNITS}
        with Cluster(workers=2) as cluster:
            mapped = [
                *map_units(cluster, behave, requests, retry_delay_seconds=0.1),
                *map_units(cluster, behave, {ENDLESS: (folder, ENDLESS)}, seconds=1.0, retry_delay_seconds=0.1),
            ]
        outcomes = {outcome.unit: [str(outcome.result), type(outcome.error).__name__, str(outcome.error)] for outcome in mapped}
        context = FlowRunContext.get()
        assert context is not None
        kept = (context.task_run_assets, context.run_results, vars(context.task_runner)["_cancel_events"])
        return outcomes | {"kept": [str(len(entries)) for entries in kept]}

    print(json.dumps(try_units()))


if __name__ == "__main__":
    main(sys.argv[1])
