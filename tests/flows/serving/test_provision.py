"""What a shared server gets from the environment: deployments, those without a source paused, and buckets."""

import pytest

from core.errors import ConfigError
from flows.serving.provision import plan_provision
from tasks.pipelines import PIPELINES

STORE = {"FABULA_STORE": "s3://tales/store"}


def test_places_and_scheduler_come_from_the_environment() -> None:
    variables = {"FABULA_SOURCE_TRANSCRIPTS": "s3://raw/shows", "FABULA_SCHEDULER": "tcp://scheduler:8786"}
    deployments, buckets = plan_provision(STORE | variables)
    named = {each.name: each for each in deployments}
    parameters = named["transcripts"].parameters
    assert {pipeline.name for pipeline in PIPELINES} < set(named)
    assert (parameters["source"], parameters["store"]) == (["s3://raw/shows"], "s3://tales/store")
    assert parameters["scheduler"] == "tcp://scheduler:8786"
    assert buckets == ["raw", "tales"]


def test_what_has_no_source_is_paused_and_not_watched() -> None:
    deployments, _ = plan_provision(STORE | {"FABULA_SOURCE_TRANSCRIPTS": "s3://raw/shows", "FABULA_SOURCE_SCRIPTS": ""})
    (watch,) = (each for each in deployments if each.name == "watch")
    assert watch.parameters["pipelines"] == ["transcripts"]
    (benchmark,) = (each for each in deployments if each.name == "benchmark")
    assert (benchmark.parameters["datasets"], benchmark.parameters["store"]) == (["transcripts"], STORE["FABULA_STORE"])
    own = {each.name for each in deployments if each.pipeline not in (None, "transcripts")}
    assert {each.name for each in deployments if not each.has_source} == own


def test_without_any_source_everything_is_paused() -> None:
    assert not any(each.has_source for each in plan_provision(STORE)[0])


def test_without_a_store_nothing_is_planned() -> None:
    with pytest.raises(ConfigError, match="FABULA_STORE is not set"):
        plan_provision({"FABULA_SOURCE_TRANSCRIPTS": "s3://raw/shows"})
