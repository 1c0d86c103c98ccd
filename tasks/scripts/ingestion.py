"""How the pipeline `scripts` makes units of its sources."""

from core.scripts.config import ScriptsConfig
from core.scripts.similarities import needs_vectors
from infra.models.sentence_embedder import SentenceEmbedder
from tasks.frame.model import Ingestion, Resources
from tasks.scripts.plan import plan_scripts

STAGE_VERSIONS = {"story": 14, "links": 11}
"""Raised when a stage's results change though its inputs and settings do not; a golden test per stage watches over it."""


def find_resources(config: ScriptsConfig, resources: Resources) -> Resources:
    """Look for the sentence model where a weight needs it; ConfigError where it is missing."""
    if needs_vectors(config.alignment.weights):
        SentenceEmbedder(config.alignment.embedding_model).check()
    return resources


INGESTION = Ingestion(
    config=ScriptsConfig,
    find_resources=find_resources,
    plan=plan_scripts,
    stage_versions=STAGE_VERSIONS,
    result_settings=lambda config: [config.screenplays, config.long_texts, config.synopsis, config.cast, config.alignment],
)
