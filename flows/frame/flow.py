"""The Prefect flow of a pipeline: `run_pipeline` with one Prefect task run a unit, computed by Dask."""

from typing import Any

from prefect import Flow, flow
from prefect.client.orchestration import get_client
from prefect.client.schemas.objects import FlowRun, State
from prefect.runtime import flow_run
from prefect.states import Cancelled

from flows.frame.artifacts import UiObserver
from flows.frame.observer import Several, current_observer
from flows.frame.run import run_pipeline
from flows.frame.units import WAITING_THREADS, PrefectMapper
from infra.orchestration.dask import Cluster
from infra.orchestration.interrupts import ENDING
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
        )
        observer = Several(UiObserver(pipeline.name), current_observer())
        with Cluster(workers, scheduler) as cluster:
            return run_pipeline(pipeline, call, PrefectMapper(cluster), observer)

    return build


def _name_run() -> str:
    """Return the name of the flow run that is about to start: its dataset and where it comes from."""
    parameters = flow_run.get_parameters()
    return f"{parameters.get('dataset') or flow_run.get_flow_name()} from {', '.join(parameters['source'])}"


def _show_cancelled(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:
    """Show a run that its user ended as Cancelled: nothing is wrong with it. A hook of `on_crashed`."""
    if "interrupt signal" not in (state.message or "") and not ENDING.is_set():
        return
    message = f"{flow.name}: stopped by its user; nothing that was finished is lost, the same call goes on"
    with get_client(sync_client=True) as client:
        client.set_flow_run_state(flow_run.id, Cancelled(message=message), force=True)
