"""How the pipeline `threads` makes units of its sources."""

from core.threads.config import ThreadsConfig
from tasks.frame.model import Ingestion, Resources
from tasks.frame.shards import SHARD_STAGES
from tasks.threads.plan import plan_threads

STAGE_VERSIONS = {"dialogues": 8, "drops": 8, **SHARD_STAGES}
"""Raised when a stage's results change though its inputs and settings do not; a golden test per stage watches over it."""


def find_resources(config: ThreadsConfig, resources: Resources) -> Resources:
    """Check that what the scorer needs is there; ConfigError where it is missing."""
    from tasks.threads.scorers import check_scorer, make_starter_rater

    check_scorer(config.scorer)
    make_starter_rater(config)
    return resources


INGESTION = Ingestion(
    config=ThreadsConfig,
    find_resources=find_resources,
    plan=plan_threads,
    stage_versions=STAGE_VERSIONS,
    result_settings=lambda config: config.result_settings,
)
