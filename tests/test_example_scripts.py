"""The example films, series and book are what the pipeline expects, and are aligned as they were meant to be."""

from pathlib import Path
from uuid import uuid4

import pytest

from core.dataset.takedown import Takedown
from core.metrics.alignment_quality import rate_links
from core.scripts.config import ScriptsConfig
from core.scripts.similarities import needs_vectors
from infra.settings import load_config
from infra.sources.opening import OpenedSources
from infra.store.objects import Store
from tasks.frame.building import build_unit
from tasks.frame.ingestion import PlanRequest
from tasks.frame.planning import RunPlan, plan_run
from tasks.pipelines import SCRIPTS
from tasks.scripts.statistics import grade_stories

STORIES = {
    "kettle_s1_e01": (5, 6),
    "lost-property": (13, 12),
    "the-clock-that-ran-errands": (6, 5),
    "the-weather-clerk": (14, 13),
}
"""Scenes and sentences of each."""


@pytest.fixture(scope="module")
def source(repository: Path) -> str:
    return str(repository / "examples" / "scripts")


@pytest.fixture(scope="module")
def config(source: str) -> ScriptsConfig:
    return load_config(ScriptsConfig, "scripts", file=f"{source}/settings.toml")


def plan(source: str, store: str, config: ScriptsConfig) -> RunPlan:
    request = PlanRequest(
        sources=OpenedSources((source,)), store=Store(store), config=config, profile="default", resources={}, takedown=Takedown()
    )
    return plan_run(SCRIPTS.name, SCRIPTS.load_ingestion, request, {})


def test_the_example_needs_no_sentence_model(config: ScriptsConfig) -> None:
    assert not needs_vectors(config.alignment.weights)
    weights = config.alignment.weights
    assert (weights.bm25, weights.roles, weights.osj) == (0.75, 0.5, 1.0)
    assert config.provenance.license == "Apache-2.0"


def test_four_stories_are_complete_and_one_waits(source: str, config: ScriptsConfig) -> None:
    planned = plan(source, f"memory://{uuid4().hex}", config)
    assert list(planned.requests) == list(STORIES)
    assert [(unit.id, unit.missing) for unit in planned.waiting] == [("the-polite-volcano", "synopsis")]
    assert planned.failures == ()
    assert {link.unit for link in planned.knowledge} == {"the-weather-clerk"}


def test_links_hit_the_gold(source: str, config: ScriptsConfig) -> None:
    store = f"memory://{uuid4().hex}"
    planned = plan(source, store, config)
    references = {unit: build_unit(request) for unit, request in planned.requests.items()}
    counts = {unit: (reference.counts["scenes"], reference.counts["sentences"]) for unit, reference in references.items()}
    assert counts == STORIES
    graded = grade_stories(Store(store), references, planned.knowledge)
    assert [story.unmatched for story in graded] == [(), ()]
    rates = rate_links(link for story in graded for link in story.links)
    assert rates is not None
    assert rates.hit_rate.value >= 0.85
