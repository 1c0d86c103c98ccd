"""Counts named entities with a trained spaCy pipeline, if one is installed."""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from core.errors import ConfigError

if TYPE_CHECKING:
    from spacy.language import Language


def count_entities(texts: Iterable[str], pipeline_name: str) -> Counter[str]:
    """Return the number of named entities in some texts by label (`PERSON`, `GPE`, …).

    `pipeline_name` is an installed spaCy package or a folder that holds a pipeline; it is loaded once per process.

    Raises:
        ConfigError: the pipeline does not exist, finds no entities, or cannot be read by this version of spaCy.

    Reference: CRD3, section 3.4 ("a loose measure of named entity presence").
    """
    pipeline = _load(pipeline_name)
    return Counter(entity.label_ for document in pipeline.pipe(texts, batch_size=256) for entity in document.ents)


@lru_cache(maxsize=2)
def _load(name: str) -> "Language":
    import spacy  # takes two seconds, which other commands need not wait
    import spacy.about

    try:
        pipeline = spacy.load(name, exclude=["parser", "lemmatizer"])
    except (OSError, ValueError) as error:
        if "E050" in str(error):
            model = name if name.isidentifier() else "en_core_web_sm"
            raise ConfigError(
                f"statistics.entity_pipeline {name!r}: no trained pipeline has this name; install it with "
                f"`python -m spacy download {model}`, or leave the setting empty"
            ) from error
        raise ConfigError(
            f"statistics.entity_pipeline {name!r}: spaCy {spacy.about.__version__} cannot load it: {error}"
        ) from error
    if not {"ner", "entity_ruler", "span_ruler"} & set(pipeline.pipe_names):
        raise ConfigError(
            f"statistics.entity_pipeline {name!r} finds no entities; its parts are {', '.join(pipeline.pipe_names) or 'none'}"
        )
    return pipeline
