"""How the pipeline `transcripts` makes units of its sources, and what its settings need on a machine."""

from functools import lru_cache

from core.text.tokens import Tokenizer, make_tokenizer
from core.transcripts.config import AlignmentConfig, TranscriptsConfig
from infra.models.sentence_embedder import SentenceEmbedder
from infra.models.trained_pipeline import count_entities
from infra.models.wordnet import checksum_nouns, find_wordnet, read_nouns
from tasks.frame.model import Ingestion, Resources
from tasks.transcripts.plan import plan_transcripts


def find_resources(config: TranscriptsConfig, resources: Resources) -> Resources:
    """Look for what the settings need before the first unit starts; return the dictionary's folder, if they need one."""
    named = resources.get("wordnet")
    if config.statistics.entity_pipeline:
        count_entities((), config.statistics.entity_pipeline)
    if config.alignment.tokenizer == "tweet-lemmas":  # in full: a worker's folder and environment are others
        return {**resources, "wordnet": str(find_wordnet(named).absolute())}
    return resources


def checksum_resources(config: TranscriptsConfig, resources: Resources) -> list[str]:
    """Return what the alignments' fingerprint covers of the dictionary: nothing where the tokeniser reads none."""
    return [checksum_nouns(resources.get("wordnet"))] if config.alignment.tokenizer == "tweet-lemmas" else []


def make_tools(config: AlignmentConfig, wordnet: str | None) -> tuple[Tokenizer, SentenceEmbedder | None]:
    """Return the tokeniser of the settings, which may need the dictionary's folder, and the sentence model if they name one."""
    nouns = read_nouns(wordnet) if config.tokenizer == "tweet-lemmas" else None
    embedder = _open_embedder(config.embedding_model) if config.similarity == "embeddings" else None
    return make_tokenizer(config.tokenizer, nouns), embedder


@lru_cache(maxsize=1)  # a worker builds many episodes, and reads the model once
def _open_embedder(name: str) -> SentenceEmbedder:
    return SentenceEmbedder(name)


STAGE_VERSIONS = {
    "dialogue": 10,
    "recap": 7,
    "alignments": 11,
    "contributions": 8,
    "fit": 3,
    "decisions": 3,
    "figures": 6,
    "reading": 1,
}
"""Raised when a stage's results change though its inputs and settings do not; a golden test per stage watches over it."""


INGESTION = Ingestion(
    config=TranscriptsConfig,
    plan=plan_transcripts,
    stage_versions=STAGE_VERSIONS,
    result_settings=lambda config: None if config.cleaning.pseudonyms else config,  # the plan tells of them, without names
    find_resources=find_resources,
    checksum_resources=checksum_resources,
)
