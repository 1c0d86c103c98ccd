"""How the pipeline `subtitles` makes units of its sources."""

from core.subtitles.config import SubtitlesConfig
from tasks.frame.model import Ingestion
from tasks.frame.shards import SHARD_STAGES
from tasks.subtitles.plan import plan_subtitles

STAGE_VERSIONS = {"films": 7, "rejected": 7, **SHARD_STAGES}
"""Raised when a stage's results change though its inputs and settings do not; a golden test per stage watches over it."""


INGESTION = Ingestion(
    config=SubtitlesConfig,
    plan=plan_subtitles,
    stage_versions=STAGE_VERSIONS,
    result_settings=lambda config: [config.limits, config.cleaning, config.language, config.variants, config.splitter],
)
