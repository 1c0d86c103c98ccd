"""Register deployments, schedules and automations on a Prefect server, and close runs that were cut short."""

import sys
from collections.abc import Callable
from typing import Any, cast

from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.actions import WorkPoolCreate, WorkPoolUpdate
from prefect.client.schemas.filters import (
    FlowRunFilter,
    FlowRunFilterState,
    FlowRunFilterStateType,
    TaskRunFilter,
    TaskRunFilterState,
    TaskRunFilterStateType,
)
from prefect.client.schemas.objects import ConcurrencyLimitConfig, ConcurrencyLimitStrategy, State, StateType
from prefect.deployments.runner import RunnerDeployment
from prefect.events import DeploymentEventTrigger
from prefect.exceptions import ObjectNotFound
from prefect.schedules import Cron
from prefect.states import Cancelled, Crashed

from flows.serving.deployments import COLLISION_STRATEGY, WORK_POOL, WORK_POOL_TYPE, Deployment, describe_pool, describe_trigger

UNDER_WAY = (StateType.RUNNING, StateType.PENDING, StateType.CANCELLING)
PAGE = 200


def create_pool(python: str = sys.executable) -> None:
    """Create the work pool if it does not exist, and fix what its workers start: `python -m prefect.engine`, and nothing else.

    Args:
        python: the interpreter, as the machine of the worker names it.
    """
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
    schedule = Cron(deployment.cron, timezone="UTC", active=deployment.scheduled)
    limit = ConcurrencyLimitConfig(limit=1, collision_strategy=ConcurrencyLimitStrategy(COLLISION_STRATEGY))
    trigger = [DeploymentEventTrigger.model_validate(describe_trigger(deployment))] if deployment.on_change else []
    described = RunnerDeployment.from_entrypoint(
        deployment.entrypoint,
        name=deployment.name,
        schedules=[schedule],
        concurrency_limit=limit,
        parameters=dict(deployment.parameters),
        triggers=list(trigger),
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

    Args:
        left_behind: True at the start, for runs whose server was killed; False for runs that were stopped just now.
    """
    state: State[Any] = (
        Crashed(message="fabula serve ended before this run did; the next run continues where it stopped")
        if left_behind
        else Cancelled(message="fabula serve was stopped; the next run continues where this one stopped")
    )
    closed = 0
    with get_client(sync_client=True) as client:
        while runs := _find_runs(client):
            for run in runs:
                client.set_flow_run_state(run, state, force=True)
            closed += len(runs)
        _close_task_runs(client, state)
    return closed


def _find_runs(client: SyncPrefectClient) -> list[Any]:
    state = FlowRunFilterState(type=FlowRunFilterStateType(any_=list(UNDER_WAY)))
    return [run.id for run in client.read_flow_runs(flow_run_filter=FlowRunFilter(state=state), limit=PAGE)]


def _close_task_runs(client: SyncPrefectClient, state: State[Any]) -> None:
    filtered = TaskRunFilter(state=TaskRunFilterState(type=TaskRunFilterStateType(any_=list(UNDER_WAY))))
    for run in client.read_task_runs(task_run_filter=filtered, limit=PAGE):
        client.set_task_run_state(run.id, state, force=True)
