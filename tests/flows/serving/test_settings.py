"""What `fabula serve` is told: options before environment before file, and the examples where nothing is named."""

from dataclasses import fields
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
import yaml
from prefect.client.schemas.schedules import CronSchedule
from prefect.utilities.callables import parameter_schema
from prefect.utilities.importtools import import_object

from core.errors import ConfigError
from flows.serving.deployments import WORK_POOL, Deployment, describe_deployment, list_deployments, write_prefect_yaml
from flows.serving.provision import plan_provision
from flows.serving.settings import Plan, plan_serving
from infra.shipped_profiles import list_profiles
from tasks.pipelines import PIPELINES


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("option", "named", "filed", "scripts"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path)


def plan(text: str = "", sources: tuple[str, ...] = (), store: str | None = None, **environment: str) -> Plan:
    Path("serve.toml").write_text(text, encoding="utf-8")
    return plan_serving("serve.toml", sources, store, "fabula-store", environment)


def find(planned: Plan, name: str) -> Deployment:
    return next(deployment for deployment in planned.deployments if deployment.name == name)


def paused(planned: Plan) -> set[str]:
    return {each.name for each in planned.deployments if not each.has_source}


def source(planned: Plan, name: str = "transcripts") -> Any:
    return find(planned, name).parameters["source"]


def test_an_option_goes_before_the_environment_and_that_before_the_file(tmp_path: Path) -> None:
    text = 'store = "filed-store"\n[transcripts]\nsource = ["filed"]\n'
    assert source(plan(text)) == [str(tmp_path / "filed")]
    assert source(plan(text, FABULA_SOURCE_TRANSCRIPTS="named")) == [str(tmp_path / "named")]
    told = plan(text, ("transcripts=option", "transcripts=named"), "s3://bucket/x", FABULA_SOURCE_TRANSCRIPTS="scripts")
    assert source(told) == [str(tmp_path / "option"), str(tmp_path / "named")]
    assert told.store == "s3://bucket/x"
    assert plan(text, FABULA_STORE="named-store").store == str(tmp_path / "named-store")
    assert plan(text).store == str(tmp_path / "filed-store")


def test_a_pipeline_without_a_source_is_paused_and_not_watched() -> None:
    planned = plan(sources=("scripts=scripts",))
    own = {each.name: each.pipeline for each in planned.deployments if each.pipeline is not None}
    assert paused(planned) == {name for name, pipeline in own.items() if pipeline != "scripts"}
    assert find(planned, "watch").parameters["pipelines"] == ["scripts"]
    assert find(planned, "benchmark").parameters["datasets"] == ["scripts"]
    assert paused(plan(sources=("subtitles=scripts",))) == {name for name, pipeline in own.items() if pipeline != "subtitles"}


def test_with_no_source_at_all_the_examples_are_served(repository: Path, tmp_path: Path) -> None:
    planned = plan()
    assert not paused(planned)
    assert planned.store == str(tmp_path / "fabula-store")
    for pipeline in PIPELINES:
        assert source(planned, pipeline.name) == [str(repository / "examples" / pipeline.name)]
        assert Path(find(planned, pipeline.name).parameters["config_file"]).is_file()


def test_schedules_and_parameters_come_from_the_file(tmp_path: Path) -> None:
    for name in ("index.noun", "noun.exc"):
        Path("named", name).touch()
    text = '[transcripts]\nsource = ["filed"]\ncron = "*/7 * * * *"\n'
    text += '[transcripts.parameters]\nprofile = "crd3"\nresources = { wordnet = "named" }\n'
    found = find(plan(text), "transcripts")
    assert found.cron == "*/7 * * * *"
    assert found.parameters["profile"] == "crd3"
    assert found.parameters["resources"] == {"wordnet": str(tmp_path / "named")}  # a run works in a folder of its own
    assert find(plan(text), "scripts").cron == "0 4 * * 0"


def test_a_papers_profile_runs_on_a_schedule_only_where_the_file_gives_one() -> None:
    assert not find(plan(sources=("transcripts=option",)), "papers-crd3").scheduled
    assert find(plan(sources=("transcripts=option",)), "transcripts").scheduled
    asked = find(plan("[papers-sumtitles]\ncron = '0 2 1 * *'\n", ("transcripts=option",)), "papers-sumtitles")
    assert (asked.scheduled, asked.cron) == (True, "0 2 1 * *")


@pytest.mark.parametrize(
    ("text", "sources", "message"),
    [
        ("", ("films=option",), "--source films=option: expected PIPELINE=URL with one of transcripts, scripts, subtitles"),
        ("", ("option",), "--source option: expected PIPELINE=URL"),
        ("", ("transcripts=nowhere",), "nowhere"),
        ("[transcripts]\ncorn = '* * * * *'\n", (), r"\[transcripts\]: setting corn is not known"),
        ("[watch]\nsource = ['option']\n", (), r"\[watch\]: setting source is not known"),
        ("[papers-crd3]\nsource = ['option']\n", (), r"\[papers-crd3\]: setting source is not known"),
        ("[transcripts]\ncron = '99 * * * *'\n", ("transcripts=option",), r"\[transcripts\]: cron is '99 .*Bad minute"),
        ("[transcripts]\ncron = 'daily'\n", ("transcripts=option",), "cron is 'daily'.*expected a line such as"),
        ("[transcripts.parameters]\nworker = 1\n", ("transcripts=option",), r"setting worker is not known.*workers"),
        ("[transcripts.parameters]\nlimit = 'all'\n", ("transcripts=option",), "limit"),
        ("[transcripts.parameters]\nin_process = true\n", ("transcripts=option",), "setting in_process is not known"),
        ("[transcripts.parameters]\nprofile = 'crd4'\n", ("transcripts=option",), r"\[transcripts\]: .*crd4.*crd3"),
        ("[transcripts.parameters.settings.filter]\nmin_chunk = 2\n", ("transcripts=option",), "min_chunk.*min_chunks"),
        ("[benchmark.parameters]\nsystem = 'lead'\n", ("transcripts=option",), "setting system is not known.*systems"),
        ("[benchmark.parameters.budget]\ncounts = 6\n", ("transcripts=option",), "counts"),
        ("[watch.parameters]\nevery = 2\n", ("transcripts=option",), "setting every is not known"),
        ("[papers]\ncron = '1 * * * *'\n", (), "setting papers is not known; expected one of benchmark, papers-crd3"),
    ],
)
def test_a_wrong_setting_is_named(text: str, sources: tuple[str, ...], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        plan(text, sources)


def test_the_benchmark_takes_what_its_flow_takes() -> None:
    text = '[benchmark]\ncron = "0 1 * * *"\n[benchmark.parameters]\ndatasets = ["mine"]\nlimit = 5\nsystems.lead = {}\n'
    found = find(plan(text, ("transcripts=option",)), "benchmark")
    assert (found.cron, found.parameters["datasets"], found.parameters["limit"]) == ("0 1 * * *", ["mine"], 5)
    from lab.summarisation.deployment import Benchmarking
    from lab.summarisation.flow import benchmark_datasets

    assert {each.name for each in fields(Benchmarking)} == set(signature(benchmark_datasets.fn).parameters)


def test_places_and_scheduler_come_from_the_environment() -> None:
    variables = {"FABULA_SOURCE_TRANSCRIPTS": "s3://raw/shows", "FABULA_SCHEDULER": "tcp://scheduler:8786"}
    deployments, buckets = plan_provision(variables | {"FABULA_STORE": "s3://tales/store"})
    parameters = next(each for each in deployments if each.name == "transcripts").parameters
    assert {pipeline.name for pipeline in PIPELINES} < {each.name for each in deployments}
    assert (parameters["source"], parameters["store"]) == (["s3://raw/shows"], "s3://tales/store")
    assert parameters["scheduler"] == "tcp://scheduler:8786"
    assert buckets == ["raw", "tales"]
    with pytest.raises(ConfigError, match="FABULA_STORE is not set"):
        plan_provision(variables)


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
def test_a_deployment_has_a_flow_that_takes_and_explains_its_parameters_one_run_at_a_time(deployment: Deployment) -> None:
    flow = import_object(deployment.entrypoint)
    assert flow.name == deployment.flow == (deployment.pipeline or deployment.name)
    signature(flow.fn).bind_partial(**deployment.parameters)
    flow.validate_parameters(dict(deployment.parameters))
    required = {name for name, found in signature(flow.fn).parameters.items() if found.default is found.empty}
    assert required <= set(deployment.parameters)
    CronSchedule(cron=deployment.cron, timezone="UTC")
    assert [name for name, shown in parameter_schema(flow).properties.items() if not shown.get("description")] == []
    described = describe_deployment(deployment)
    assert described["concurrency_limit"] == {"limit": 1, "collision_strategy": "CANCEL_NEW"}
    assert described["work_pool"]["name"] == WORK_POOL


def test_the_pipelines_and_nothing_else_start_on_a_change_of_their_source(repository: Path) -> None:
    written = yaml.safe_load((repository / "prefect.yaml").read_text(encoding="utf-8"))["deployments"]
    triggers = {each["name"]: each["triggers"] for each in written if "triggers" in each}
    assert set(triggers) == NAMES
    for name, (trigger,) in triggers.items():
        assert trigger["match"] == {"prefect.resource.id": name}
        assert trigger["expect"] == ["fabula.source.changed"]
