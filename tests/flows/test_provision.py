"""What the deployments of a shared server are made from: the environment, all of it or nothing."""

import pytest

from core.errors import ConfigError
from flows.deployments import PIPELINES
from flows.provision import list_places, plan_deployments
from infra.buckets import name_buckets

PLACES = {f"FABULA_SOURCE_{pipeline.upper()}": f"s3://raw/{pipeline}" for pipeline in PIPELINES}
ENVIRONMENT = {"FABULA_STORE": "s3://tales/store", **PLACES}


def test_deployments_take_places_and_scheduler_from_the_environment() -> None:
    planned = {each.name: each for each in plan_deployments(ENVIRONMENT | {"FABULA_SCHEDULER": "tcp://scheduler:8786"})}
    parameters = planned["transcripts"].parameters
    assert parameters["source"] == ["s3://raw/transcripts"]
    assert parameters["store"] == "s3://tales/store"
    assert parameters["scheduler"] == "tcp://scheduler:8786"
    assert {*PIPELINES, "papers", "watch"} == set(planned)


def test_buckets_of_store_and_sources_are_found() -> None:
    assert name_buckets(list_places(plan_deployments(ENVIRONMENT))) == ["raw", "tales"]


@pytest.mark.parametrize("name", ENVIRONMENT)
def test_a_place_that_is_missing_is_named(name: str) -> None:
    with pytest.raises(ConfigError, match=f"lacks {name};"):
        plan_deployments(ENVIRONMENT | {name: ""})
