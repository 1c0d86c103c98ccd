"""Registers the work pool and the deployments on a Prefect server, and closes runs cut short. A second call changes nothing.

`python -m flows.serving.provision` reads the environment: where Prefect's API is (PREFECT_API_URL), the S3 keys (AWS_…), the
variables of `prefect.yaml` (FABULA_STORE, FABULA_SOURCE_TRANSCRIPTS, …). docker-compose.yml runs it before the worker starts.
It makes the buckets too. With `--pool` it makes the work pool alone, for `prefect deploy --all`.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import WorkPoolCreate, WorkPoolUpdate
from prefect.client.schemas.filters import FlowRunFilter, TaskRunFilter
from prefect.client.schemas.objects import ConcurrencyLimitConfig, ConcurrencyLimitStrategy, State, StateType
from prefect.deployments.runner import RunnerDeployment
from prefect.events import DeploymentEventTrigger
from prefect.exceptions import ObjectNotFound
from prefect.schedules import Cron
from prefect.states import Cancelled, Crashed

from core.credentials import refuse_in_environment
from core.errors import ConfigError, FabulaError
from flows.serving.deployments import (
    COLLISION_STRATEGY,
    WORK_POOL,
    WORK_POOL_TYPE,
    Deployment,
    describe_pool,
    describe_trigger,
    list_deployments,
    name_source,
)
from infra.store.s3 import make_bucket, name_buckets
from tasks.pipelines import PIPELINES

UNDER_WAY = {"state": {"type": {"any_": [StateType.RUNNING, StateType.PENDING, StateType.CANCELLING]}}}
PAGE = 200


def create_pool(python: str = sys.executable) -> None:
    """Create the work pool if it does not exist, and fix what its workers start: `python -m prefect.engine`, and nothing else."""
    template = describe_pool(python)
    with get_client(sync_client=True) as client:
        try:
            there = client.read_work_pool(WORK_POOL)
        except ObjectNotFound:
            client.create_work_pool(WorkPoolCreate(name=WORK_POOL, type=WORK_POOL_TYPE, base_job_template=template))
        else:
            if there.base_job_template != template:
                client.update_work_pool(WORK_POOL, WorkPoolUpdate(base_job_template=template))


def apply_deployment(deployment: Deployment, paused: bool) -> None:
    """Create or update a deployment with its schedule and its automation; a second call changes nothing."""
    limit = ConcurrencyLimitConfig(limit=1, collision_strategy=ConcurrencyLimitStrategy(COLLISION_STRATEGY))
    described = RunnerDeployment.from_entrypoint(
        deployment.entrypoint,
        name=deployment.name,
        schedules=[Cron(deployment.cron, timezone="UTC", active=deployment.scheduled)],
        concurrency_limit=limit,
        parameters=dict(deployment.parameters),
        triggers=[DeploymentEventTrigger.model_validate(describe_trigger(deployment))] if deployment.on_change else [],
        description=deployment.description,
        tags=list(deployment.tags),
        work_pool_name=WORK_POOL,
        paused=paused,
    )
    with get_client(sync_client=True) as client:
        # Applying replaces the automations of this deployment. Those of a deleted deployment of the same name would remain.
        for automation in client.read_automations_by_name(describe_trigger(deployment)["name"]):
            client.delete_automation(automation.id)
    cast(Callable[[], Any], described.apply)()


def start_watcher() -> None:
    """Start the watcher now, without waiting for its schedule."""
    with get_client(sync_client=True) as client:
        watcher = client.read_deployment_by_name("watch/watch")
        client.create_flow_run_from_deployment(watcher.id)


def close_runs(left_behind: bool) -> int:
    """Give flow runs without a process a final state, which frees their deployments; return how many there were.

    They were `left_behind` by a server that was killed, or were stopped just now.
    """
    state: State[Any] = (
        Crashed(message="fabula serve ended before this run did; the next run continues where it stopped")
        if left_behind
        else Cancelled(message="fabula serve was stopped; the next run continues where this one stopped")
    )
    closed = 0
    with get_client(sync_client=True) as client:
        while runs := client.read_flow_runs(flow_run_filter=FlowRunFilter.model_validate(UNDER_WAY), limit=PAGE):
            for run in runs:
                client.set_flow_run_state(run.id, state, force=True)
            closed += len(runs)
        for task_run in client.read_task_runs(task_run_filter=TaskRunFilter.model_validate(UNDER_WAY), limit=PAGE):
            client.set_task_run_state(task_run.id, state, force=True)
    return closed


def plan_provision(environment: Mapping[str, str]) -> tuple[list[Deployment], list[str]]:
    """Return the deployments that the environment asks for, and the buckets that they use.

    Without FABULA_SCHEDULER each run starts a Dask cluster of its own. FABULA_PAPERS=1 lets the papers' own profiles run on their
    schedules.
    """
    refuse_in_environment(environment)
    store = environment.get("FABULA_STORE")
    if not store:
        raise ConfigError("FABULA_STORE is not set; expected a folder or an fsspec URL such as s3://bucket/store")
    named = {pipeline.name: environment.get(name_source(pipeline)) for pipeline in PIPELINES}
    sources = {pipeline: (url,) if url else () for pipeline, url in named.items()}
    there = [pipeline for pipeline, urls in sources.items() if urls]
    common = {"scheduler": environment.get("FABULA_SCHEDULER") or None}
    deployments = [
        each if each.pipeline else replace(each, parameters={**each.parameters, each.reads: there})
        for each in list_deployments(sources, store, common, papers=bool(environment.get("FABULA_PAPERS")))
    ]
    return deployments, name_buckets([store, *(url for urls in sources.values() for url in urls)])


def main(arguments: Sequence[str]) -> None:
    """Create everything, or with `--pool` the work pool alone, and print what was new."""
    if arguments not in ([], ["--pool"]):
        sys.exit("provision: expected no argument, or --pool")
    try:
        if arguments:
            create_pool("python")
            print(f"work pool {WORK_POOL}: up to date", flush=True)
            return
        deployments, buckets = plan_provision(os.environ)
        for bucket in buckets:
            print(f"bucket {bucket}: {'made' if make_bucket(bucket) else 'there'}", flush=True)
        create_pool("python")
        for deployment in deployments:
            apply_deployment(deployment, paused=not deployment.has_source)
            state = "up to date" if deployment.has_source else "paused, it has no source"
            print(f"deployment {deployment.name}: {state}", flush=True)
    except FabulaError as error:
        sys.exit(f"provision: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
