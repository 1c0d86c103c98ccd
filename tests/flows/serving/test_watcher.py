"""The watcher and the deployments on a real Prefect server: one event a unit and state, one that starts the pipeline."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import DeploymentFilter, DeploymentFilterName
from prefect.events.filters import EventFilter, EventNameFilter, EventResourceFilter
from prefect.events.schemas.events import Event

from flows.serving.deployments import SOURCE_CHANGED, Deployment, list_deployments
from flows.serving.provision import apply_deployment, close_runs, create_pool
from flows.serving.watcher import UNIT_NEW, watch_sources
from infra.store.objects import Store
from tasks.frame.plan import RunPlan, plan_run
from tasks.pipelines import PIPELINES, TRANSCRIPTS
from tests.flows.stories import write_episode, write_transcript

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("prefect_server")]


def deploy(tmp_path: Path, **parameters: object) -> Deployment:
    """Deploy `transcripts` on a source and a store of the test's own, twice: the second time changes nothing."""
    sources = {pipeline.name: [str(tmp_path / "source")] if pipeline is TRANSCRIPTS else [] for pipeline in PIPELINES}
    (found,) = (each for each in list_deployments(sources, str(tmp_path / "store")) if each.name == "transcripts")
    deployment = replace(found, parameters={**found.parameters, **parameters})
    create_pool()
    for _ in range(2):
        apply_deployment(deployment, paused=True)
    return deployment


@pytest.fixture
def source(tmp_path: Path) -> Iterator[Path]:
    for unit in ("S01E01", "S01E02"):
        write_episode(tmp_path / "source", unit)
    write_transcript(tmp_path / "source", "S01E03.txt")  # waits for its recap
    yield tmp_path / "source"
    with get_client(sync_client=True) as client:
        deployment = client.read_deployment_by_name("transcripts/transcripts")
        client.delete_deployment(deployment.id)


def read_events(name: str, prefix: str, count: int) -> list[Event]:
    """Return the events of a name whose resource begins so, once there are `count` of them."""
    wanted = EventFilter(event=EventNameFilter(name=[name]), resource=EventResourceFilter(id_prefix=[prefix]))
    found: list[Event] = []
    deadline = time.monotonic() + 300
    with get_client(sync_client=True) as client:
        while time.monotonic() < deadline and len(found) < count:
            page = client.request("POST", "/events/filter", json={"filter": wanted.model_dump(mode="json"), "limit": 50})
            found = [Event.model_validate(each) for each in page.json()["events"]]
            time.sleep(0.2)
    return found


def start_due_run() -> UUID:
    with get_client(sync_client=True) as client:
        deployment = client.read_deployment_by_name("transcripts/transcripts")
        return client.create_flow_run_from_deployment(deployment.id).id


def take_started_runs() -> int:
    """Return how many runs the automation has started, waiting for one, and take them away as a worker would."""
    deadline = time.monotonic() + 300
    with get_client(sync_client=True) as client:
        this = DeploymentFilter(name=DeploymentFilterName(any_=["transcripts"]))
        while not (runs := client.read_flow_runs(deployment_filter=this)) and time.monotonic() < deadline:
            time.sleep(0.2)
        for run in runs:
            client.delete_flow_run(run.id)
    return len(runs)


def test_every_unit_is_announced_once_per_state_and_all_at_once_start_one_run(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flows.serving.watcher.MAX_UNSENT", 1)
    deploy(tmp_path)
    assert watch_sources(["transcripts"]) == {"transcripts": 2}
    events = read_events(UNIT_NEW, "transcripts/S01E0", 2)
    assert {event.resource.id for event in events} == {"transcripts/S01E01", "transcripts/S01E02"}
    assert events[0].payload["state"] == "new"
    assert len(events[0].payload["files"]) == 2
    assert take_started_runs() == 1

    assert watch_sources(["transcripts"]) == {"transcripts": 0}
    write_episode(source, "S01E02", word="candle")
    assert watch_sources(["transcripts"]) == {"transcripts": 1}
    assert take_started_runs() == 1
    newest = max(read_events(SOURCE_CHANGED, "transcripts", 2), key=lambda event: event.occurred)
    assert newest.payload["units"] == ["S01E02"]
    announced = Store(str(tmp_path / "store")).read_json("catalog/transcripts/announced.json")
    assert set(announced) == {"S01E01", "S01E02"}


@pytest.mark.usefixtures("source")
def test_nothing_is_announced_where_a_run_begins_while_the_sources_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deploy(tmp_path)
    runs: list[UUID] = []

    def plan_slowly(*arguments: Any, **others: Any) -> RunPlan:
        plan = plan_run(*arguments, **others)
        runs.append(start_due_run())
        return plan

    with monkeypatch.context() as patch:
        patch.setattr("flows.serving.watcher.plan_run", plan_slowly)
        assert watch_sources(["transcripts"]) == {"transcripts": 0}
    with get_client(sync_client=True) as client:
        client.delete_flow_run(runs[0])
    assert watch_sources(["transcripts"]) == {"transcripts": 2}


@pytest.mark.usefixtures("source")
def test_deploying_twice_leaves_one_deployment_one_schedule_and_one_automation(tmp_path: Path) -> None:
    deployment = deploy(tmp_path)
    with get_client(sync_client=True) as client:
        found = [each for each in client.read_deployments() if each.name == "transcripts"]
        automations = client.read_automations_by_name("transcripts: new or changed units")
    assert len(found) == 1
    assert [schedule.schedule.cron for schedule in found[0].schedules] == [deployment.cron]
    assert found[0].concurrency_options.collision_strategy == "CANCEL_NEW"
    assert found[0].global_concurrency_limit.limit == 1
    assert len(automations) == 1
    assert "fsspec" in found[0].parameter_openapi_schema["properties"]["source"]["description"]


@pytest.mark.usefixtures("source")
def test_runs_that_were_cut_short_are_closed_and_free_their_deployment(tmp_path: Path) -> None:
    from prefect.states import Pending, Running

    deploy(tmp_path)
    run = start_due_run()
    with get_client(sync_client=True) as client:
        client.set_flow_run_state(run, Pending())
        client.set_flow_run_state(run, Running())
        taken = client.read_deployment_by_name("transcripts/transcripts").global_concurrency_limit
        assert taken.active_slots == 1
        assert watch_sources(["transcripts"]) == {"transcripts": 0}
        assert close_runs(left_behind=True) == 1
        ended = client.read_flow_run(run)
        freed = client.read_deployment_by_name("transcripts/transcripts").global_concurrency_limit
    assert ended.state.name == "Crashed"
    assert freed.active_slots == 0
