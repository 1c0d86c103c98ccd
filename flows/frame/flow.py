"""The Prefect flow of a pipeline: `run_pipeline` with one Prefect task run a unit, computed by Dask."""

from datetime import UTC, datetime
from typing import Any, cast

from prefect import Flow, flow
from prefect.client.orchestration import get_client
from prefect.client.schemas.objects import FlowRun, State
from prefect.runtime import flow_run
from prefect.states import Cancelled, Completed

from flows.frame.artifacts import UiObserver
from flows.frame.observer import current_observer
from flows.frame.run import run_pipeline
from flows.frame.units import WAITING_THREADS, PrefectMapper
from infra.orchestration.dask import Cluster
from infra.orchestration.interrupts import ENDING
from infra.orchestration.time_limit import UNIT_SECONDS
from tasks.frame.ledger import RunCall, RunSummary
from tasks.frame.pipeline import Pipeline


def make_flow(pipeline: Pipeline) -> Flow[..., RunSummary]:
    """Return the flow of a pipeline, which has its name. The parameters are the same for all."""

    @flow(
        name=pipeline.name,
        description=pipeline.summary,
        flow_run_name=_name_run,
        task_runner=WAITING_THREADS,
        on_crashed=[_show_cancelled],
    )
    def build(
        source: list[str],
        store: str,
        profile: str = "default",
        config_file: str | None = None,
        settings: dict[str, Any] | None = None,
        dataset: str | None = None,
        resources: dict[str, str] | None = None,
        workers: int | None = None,
        scheduler: str | None = None,
        limit: int | None = None,
        unit_seconds: float = UNIT_SECONDS,
        allow_empty: bool = False,
        allow_removal: bool = False,
    ) -> RunSummary:
        """Bring a store up to date with sources, and release what they have landed.

        Args:
            source: folders, fsspec URLs or wikis (`docs/sources.md`), taken together.
            store: folder or fsspec URL of the store.
            profile: named settings that ship with fabula.
            config_file: TOML file with settings over the profile's.
            settings: further settings over both, by section.
            dataset: name of the released dataset; default: the pipeline's.
            resources: places on this machine of what the settings need, such as {"wordnet": DIR}.
            workers: processes of a local Dask cluster; default: one per core.
            scheduler: address of a running Dask scheduler, instead of a local cluster.
            limit: at most so many units, in order.
            unit_seconds: how long one unit may take before it is broken off and quarantined.
            allow_empty: whether a release without rows may take the place of one that has some.
            allow_removal: whether more than a fifth of the dataset's units may leave it, which else stops the run.
        """
        call = RunCall(
            source=tuple(source),
            store=store,
            dataset=dataset or pipeline.name,
            profile=profile,
            config_file=config_file,
            settings=settings or {},
            resources=resources or {},
            workers=workers,
            scheduler=scheduler,
            limit=limit,
            unit_seconds=unit_seconds,
            allow_empty=allow_empty,
            allow_removal=allow_removal,
        )
        with Cluster(workers, scheduler) as cluster:
            observer = UiObserver(pipeline.name, current_observer())
            state = conclude_state(run_pipeline(pipeline, call, PrefectMapper(cluster), observer))
        return cast(RunSummary, state)  # Prefect takes the state as the run's, and hands its data to the caller

    return build


def conclude_state(summary: RunSummary) -> State[RunSummary]:
    """Return the state that a run ends with: its counts as the message; a name of its own where a unit or the release failed.

    The state's type stays Completed: what is in quarantine is not lost, and other units are released.
    """
    name = "Completed with quarantine" if summary.quarantined else "Completed"
    if summary.refused:
        return Completed(name="Release refused", message=summary.refused, data=summary)
    return Completed(name=name, message=summary.count_briefly(), data=summary)


def _name_run() -> str:
    """Return the name of the flow run that is about to start: its dataset, the time (UTC), and where it comes from."""
    parameters = flow_run.get_parameters()
    name = parameters.get("dataset") or flow_run.get_flow_name()
    return f"{name} {datetime.now(UTC):%Y-%m-%d %H:%M:%S} from {', '.join(parameters['source'])}"


def _show_cancelled(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:
    """Show a run that its user ended as Cancelled: nothing is wrong with it. A hook of `on_crashed`."""
    if "interrupt signal" not in (state.message or "") and not ENDING.is_set():
        return
    message = f"{flow.name}: stopped by its user; nothing that was finished is lost, the same call goes on"
    with get_client(sync_client=True) as client:
        client.set_flow_run_state(flow_run.id, Cancelled(message=message), force=True)
