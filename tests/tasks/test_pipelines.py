"""The tuple of pipelines: names, help and what each can do."""

import subprocess
import sys

import pytest

from core.dataset.card import SHARED
from core.dataset.takedown import Withheld
from core.dataset.units import UNIT_ID
from core.errors import ConfigError
from infra.store.objects import Store
from infra.tables.columns import list_meanings
from tasks.frame.model import INGESTION
from tasks.frame.pipeline import Pipeline
from tasks.frame.release_spec import RELEASE, Landed
from tasks.pipelines import PIPELINES, describe_versions, find_pipeline

EVERY = pytest.mark.parametrize("pipeline", PIPELINES, ids=lambda pipeline: pipeline.name)


def test_a_pipeline_is_found_by_its_name() -> None:
    assert [find_pipeline(pipeline.name) for pipeline in PIPELINES] == [*PIPELINES]
    with pytest.raises(ConfigError, match="pipeline 'poems' is not known; the pipelines are transcripts, scripts"):
        find_pipeline("poems")


@EVERY
def test_a_pipeline_describes_itself_and_has_defaults_for_every_setting(pipeline: Pipeline) -> None:
    assert UNIT_ID.fullmatch(pipeline.name)
    assert all((pipeline.summary, pipeline.source, pipeline.rhythm))
    assert len(pipeline.cron.split()) == 5
    ingestion, release = pipeline.load(INGESTION), pipeline.load(RELEASE)
    config = ingestion.config()
    assert config.split
    assert config.provenance
    assert ingestion.result_settings(config)
    assert set(release.released_stages) | set(release.read_stages) <= set(ingestion.stage_versions)


@EVERY
def test_the_card_tells_what_each_column_of_each_table_means(pipeline: Pipeline, store: Store) -> None:
    release, config = pipeline.load(RELEASE), pipeline.load(INGESTION).config()
    nothing = Landed(store=store, config=config, references={}, known=(), withheld=Withheld(), knowledge=())
    tables = release.tables(nothing)
    assert {column for table in tables for column in table.schema.names} == {*list_meanings(table.schema for table in tables)}
    lacks = release.description.lacks
    assert {*SHARED} - {*tables[0].schema.names} == {*lacks}, "the card says why a dataset has not one of the shared columns"
    for table in tables:
        if table.config and {"summary", "turns"} <= {*table.schema.names}:
            assert {*SHARED} <= {*table.schema.names}, f"{table.name} holds pairs"
    assert release.description.about
    assert release.description.citation


def test_machines_of_one_run_are_compared_by_the_stages_of_every_pipeline() -> None:
    found = describe_versions()
    stages = dict(stage.rsplit(":", 1) for stage in found["stages"].split())
    for pipeline in PIPELINES:
        for stage, version in pipeline.load(INGESTION).stage_versions.items():
            assert stages[f"{pipeline.name}.{stage}"] == str(version)
    assert {"python", "fabula", "numpy", "pyarrow"} <= set(found)


def test_names_and_help_are_known_without_what_computes() -> None:
    heavy = ("pyarrow", "numba", "spacy", "torch", "prefect")
    code = f"import sys, tasks.pipelines; print([name for name in {heavy} if name in sys.modules])"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"
