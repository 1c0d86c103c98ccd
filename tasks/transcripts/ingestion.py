"""How the pipeline `transcripts` makes units of its sources."""

from core.transcripts.config import TranscriptsConfig
from tasks.frame.model import Ingestion
from tasks.transcripts.plan import plan_transcripts
from tasks.transcripts.resources import checksum_resources, find_resources

STAGE_VERSIONS = {"dialogue": 5, "recap": 6, "alignments": 9, "contributions": 7, "decisions": 3, "figures": 6}
"""Raised when a stage's results change though its inputs and settings do not; a golden test per stage watches over it."""


INGESTION = Ingestion(
    config=TranscriptsConfig,
    plan=plan_transcripts,
    stage_versions=STAGE_VERSIONS,
    result_settings=lambda config: None if config.cleaning.pseudonyms else config,  # the plan tells of them, without names
    find_resources=find_resources,
    checksum_resources=checksum_resources,
)
