"""Counts named entities with a trained spaCy pipeline, if one is installed."""

from collections import Counter
from collections.abc import Iterable

from infra.models.trained_pipeline import load_pipeline, require_parts

_SETTING = "statistics.entity_pipeline"


def count_entities(texts: Iterable[str], pipeline_name: str) -> Counter[str]:
    """Return the number of named entities in some texts by label (`PERSON`, `GPE`, …).

    `pipeline_name` is an installed spaCy package or a folder that holds a pipeline; it is loaded once per process.

    Raises:
        ConfigError: the pipeline does not exist, finds no entities, or cannot be read by this version of spaCy.

    Reference: CRD3, section 3.4 ("a loose measure of named entity presence").
    """
    pipeline = load_pipeline(pipeline_name, _SETTING, ("parser", "lemmatizer"))
    require_parts(pipeline, pipeline_name, _SETTING, ("ner", "entity_ruler", "span_ruler"), "entities")
    return Counter(entity.label_ for document in pipeline.pipe(texts, batch_size=256) for entity in document.ents)
