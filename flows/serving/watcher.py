"""The watcher: lists the sources of the pipelines' deployments and announces what is new or changed as Prefect events.

It emits one event `fabula.unit.new` per unit (resource: pipeline/unit), which users may subscribe to, and one event
`fabula.source.changed` per pipeline, which starts its deployment: a thousand new units start one run. While a pipeline is running
nothing is announced, because the run may find the unit itself; units that it missed are announced after it.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from prefect import flow, get_run_logger, task
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import DeploymentFilter, FlowRunFilter
from prefect.client.schemas.objects import StateType
from prefect.client.schemas.responses import DeploymentResponse
from prefect.events import emit_event
from prefect.events.worker import EventsWorker
from prefect.exceptions import ObjectNotFound

from core.errors import ConfigError
from core.references import CatalogEntry
from flows.serving.deployments import SOURCE_CHANGED
from infra.settings import load_config
from infra.sources.opening import OpenedSources
from infra.store.catalog import read_catalog
from infra.store.objects import Store
from infra.store.takedown import read_takedown
from tasks.frame.ledger import Arrival, find_arrivals, remember_announced
from tasks.frame.model import INGESTION, PlanRequest
from tasks.frame.plan import RunPlan, plan_run
from tasks.pipelines import find_pipeline

UNIT_NEW = "fabula.unit.new"
MAX_NAMED = 20  # at most so many units are named in the event of a pipeline, and so many files in the event of a unit
MAX_UNSENT = 1000  # at most so many events wait for the server at once: each keeps a copy of the process's context in memory
Catalog = Mapping[str, CatalogEntry]


@flow(name="watch", flow_run_name="look for new units")
def watch_sources(pipelines: list[str]) -> dict[str, int]:
    """Announce the new and changed units of some pipelines; return how many by pipeline. Each state of a unit is announced once.

    Args:
        pipelines: names of the pipelines. Each has a deployment of the same name, whose parameters name its sources.
    """
    states = {pipeline: announce_arrivals(pipeline, return_state=True) for pipeline in pipelines}
    return {pipeline: state.result() for pipeline, state in states.items()}  # the first failure fails the flow


@task(name="announce", task_run_name="{pipeline}")
def announce_arrivals(pipeline: str) -> int:
    """Emit the events of one pipeline; return how many units they announce."""
    deployment = _read_deployment(pipeline)
    if _is_busy(deployment):
        get_run_logger().info("%s: a run is in progress or due; units that it misses are announced after it", pipeline)
        return 0
    parameters = deployment.parameters
    store, dataset = Store(parameters["store"]), parameters.get("dataset") or pipeline
    catalog = read_catalog(store, dataset, pipeline)
    plan = _plan(pipeline, parameters, store, catalog)
    arrivals = find_arrivals(store, dataset, plan, catalog)
    if arrivals and _is_busy(_read_deployment(pipeline)):
        # The run began while the sources were listed, perhaps before a unit arrived; a second run would be cancelled.
        get_run_logger().info("%s: a run has started in the meantime; units that it misses are announced after it", pipeline)
        return 0
    _emit(pipeline, arrivals)
    remember_announced(store, dataset, plan)
    get_run_logger().info("%s: %d units are new or changed", pipeline, len(arrivals))
    return len(arrivals)


def _plan(pipeline: str, parameters: Mapping[str, Any], store: Store, catalog: Catalog) -> RunPlan:
    """Return what a run of the pipeline's deployment would do."""
    ingestion = find_pipeline(pipeline).load(INGESTION)
    profile, file = parameters.get("profile") or "default", parameters.get("config_file")
    config = load_config(ingestion.config, pipeline, profile, file, parameters.get("settings"))
    request = PlanRequest(
        sources=OpenedSources(tuple(parameters["source"])),
        store=store,
        config=config,
        profile=profile,
        resources=ingestion.find_resources(config, parameters.get("resources") or {}),
        takedown=read_takedown(store, pipeline),
    )
    return plan_run(find_pipeline(pipeline), request, catalog, parameters.get("limit"))


def _read_deployment(pipeline: str) -> DeploymentResponse:
    find_pipeline(pipeline)
    with get_client(sync_client=True) as client:
        try:
            return client.read_deployment_by_name(f"{pipeline}/{pipeline}")
        except ObjectNotFound as error:
            remedy = (
                "deploy it (`prefect deploy --all`, or `fabula serve`), or take it out of the watcher's parameter `pipelines`"
            )
            raise ConfigError(f"no deployment {pipeline}/{pipeline}; {remedy}") from error


def _is_busy(deployment: DeploymentResponse) -> bool:
    """Tell whether a run holds the deployment's slot, or one is due.

    The slot counts, not the states of the runs: a run whose process died stays "running", but its slot is soon freed.
    """
    limit = deployment.global_concurrency_limit
    if limit is not None and limit.active_slots >= limit.limit:
        return True
    due = {"state": {"type": {"any_": [StateType.SCHEDULED]}}, "expected_start_time": {"before_": datetime.now(UTC)}}
    this = {"id": {"any_": [deployment.id]}}
    with get_client(sync_client=True) as client:
        runs = client.read_flow_runs(
            flow_run_filter=FlowRunFilter.model_validate(due), deployment_filter=DeploymentFilter.model_validate(this), limit=1
        )
    return bool(runs)


def _emit(pipeline: str, arrivals: Sequence[Arrival]) -> None:
    """Emit an event per unit and one for all. Return when the server has received them: only then may they count as announced."""
    if not arrivals:
        return
    for number, arrival in enumerate(arrivals, 1):
        payload = {"state": "changed" if arrival.changed else "new", "files": list(arrival.paths[:MAX_NAMED])}
        resource = {"prefect.resource.id": f"{pipeline}/{arrival.unit}", "prefect.resource.name": arrival.unit}
        emit_event(UNIT_NEW, resource, payload=payload)
        if number % MAX_UNSENT == 0:
            EventsWorker.instance().wait_until_empty()
    changed = sum(arrival.changed for arrival in arrivals)
    summary = {"new": len(arrivals) - changed, "changed": changed, "units": [arrival.unit for arrival in arrivals[:MAX_NAMED]]}
    emit_event(SOURCE_CHANGED, {"prefect.resource.id": pipeline, "prefect.resource.name": pipeline}, payload=summary)
    EventsWorker.instance().wait_until_empty()
