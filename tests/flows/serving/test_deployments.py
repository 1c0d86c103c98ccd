"""The deployments as data: every parameter is one of its flow's, and `prefect.yaml` says the same."""

from inspect import signature
from pathlib import Path

import pytest
import yaml
from prefect.client.schemas.schedules import CronSchedule
from prefect.utilities.callables import parameter_schema
from prefect.utilities.importtools import import_object

from flows.serving.deployments import WORK_POOL, Deployment, describe_deployment, list_deployments, write_prefect_yaml
from infra.named_files import list_profiles
from tasks.pipelines import PIPELINES

NAMES = {pipeline.name for pipeline in PIPELINES}
SOURCES = {name: (f"/{name}",) for name in NAMES}
DEPLOYMENTS = list_deployments(SOURCES, "/store", {"scheduler": "tcp://127.0.0.1:8786"})


def test_prefect_yaml_is_what_the_deployments_say(repository: Path) -> None:
    assert (repository / "prefect.yaml").read_text(encoding="utf-8") == write_prefect_yaml()


def test_every_pipeline_is_deployed_and_the_method_of_each_paper_into_a_dataset_of_its_own() -> None:
    papers = {"papers-crd3": "transcripts", "papers-sumtitles": "scripts"}
    assert {deployment.name for deployment in DEPLOYMENTS} == {*NAMES, *papers, "benchmark", "watch"}
    for deployment in DEPLOYMENTS:
        if deployment.name in papers:
            assert deployment.pipeline == papers[deployment.name]
            assert deployment.parameters["dataset"] == deployment.name
            assert deployment.parameters["source"] == [f"/{deployment.pipeline}"]
            assert deployment.parameters["profile"] in set(list_profiles(papers[deployment.name])) - {"default"}


@pytest.mark.parametrize("deployment", DEPLOYMENTS, ids=lambda deployment: deployment.name)
def test_a_deployment_has_a_flow_that_takes_its_parameters(deployment: Deployment) -> None:
    flow = import_object(deployment.entrypoint)
    assert flow.name == deployment.flow == (deployment.pipeline or deployment.name)
    signature(flow.fn).bind_partial(**deployment.parameters)
    flow.validate_parameters(dict(deployment.parameters))
    required = {name for name, found in signature(flow.fn).parameters.items() if found.default is found.empty}
    assert required <= set(deployment.parameters)
    CronSchedule(cron=deployment.cron, timezone="UTC")


@pytest.mark.parametrize("deployment", DEPLOYMENTS, ids=lambda deployment: deployment.name)
def test_every_parameter_is_explained_in_the_ui(deployment: Deployment) -> None:
    properties = parameter_schema(import_object(deployment.entrypoint)).properties
    assert [name for name, described in properties.items() if not described.get("description")] == []


def test_the_pipelines_and_nothing_else_start_on_a_change_of_their_source(repository: Path) -> None:
    written = yaml.safe_load((repository / "prefect.yaml").read_text(encoding="utf-8"))["deployments"]
    triggers = {each["name"]: each["triggers"] for each in written if "triggers" in each}
    assert set(triggers) == NAMES
    for name, (trigger,) in triggers.items():
        assert trigger["match"] == {"prefect.resource.id": name}
        assert trigger["expect"] == ["fabula.source.changed"]


def test_two_runs_of_one_deployment_never_overlap() -> None:
    for deployment in DEPLOYMENTS:
        described = describe_deployment(deployment)
        assert described["concurrency_limit"] == {"limit": 1, "collision_strategy": "CANCEL_NEW"}
        assert described["work_pool"]["name"] == WORK_POOL
