"""How the pipeline `rooms` makes units of its sources."""

from core.errors import ConfigError
from core.rooms.config import RoomsConfig
from tasks.frame.model import Ingestion, Resources
from tasks.frame.shards import SHARD_STAGES
from tasks.rooms.plan import plan_rooms

STAGE_VERSIONS = {"sentences": 3, "parts": 2, "prints": 1, **SHARD_STAGES}
"""Raised when a stage's results change though its inputs and settings do not; a golden test per stage watches over it."""


def find_resources(config: RoomsConfig, resources: Resources) -> Resources:
    """Look for the models that the settings name before the first unit starts.

    Raises:
        ConfigError: one is not there, or the settings do not fit each other.
    """
    analysis = config.analysis
    if analysis.similarity == "pipeline" and not analysis.pipeline:
        raise ConfigError("analysis.similarity is 'pipeline', and analysis.pipeline names none; name a trained spaCy pipeline")
    if analysis.similarity == "embeddings":
        from infra.models.sentence_embedder import SentenceEmbedder

        SentenceEmbedder(analysis.embedding_model).check()
    if analysis.pipeline:
        from tasks.rooms.build import find_text_parts

        find_text_parts(["You enter a room."], analysis)
    return resources


INGESTION = Ingestion(
    config=RoomsConfig,
    find_resources=find_resources,
    plan=plan_rooms,
    stage_versions=STAGE_VERSIONS,
    result_settings=lambda config: config,
)
