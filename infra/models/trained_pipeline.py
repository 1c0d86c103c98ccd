"""Loads trained spaCy pipelines, and says what to do where there is none."""

from collections import Counter
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from core.errors import ConfigError
from core.text.sentences import without_torch
from infra.models.model_folder import loading

if TYPE_CHECKING:
    from spacy.language import Language


@lru_cache(maxsize=4)
def load_pipeline(name: str, setting: str, exclude: tuple[str, ...] = ()) -> "Language":
    """Return a trained spaCy pipeline: an installed package, or a folder that holds one. It is loaded once a process."""
    with without_torch():
        import spacy  # takes a second, which other commands need not wait
        import spacy.about

    try:
        with loading(f"{setting} {name!r} (spaCy {spacy.about.__version__})", "install it again, or leave the setting empty"):
            return spacy.load(name, exclude=list(exclude))
    except ConfigError as error:
        if "E050" not in str(error):
            raise
        model = name if name.isidentifier() else "en_core_web_sm"
        remedy = f"run `python -m spacy download {model}`, or leave the setting empty"
        raise ConfigError(f"{setting} {name!r}: no trained pipeline has this name; {remedy}") from error


def require_parts(pipeline: "Language", name: str, setting: str, needed: Collection[str], finds: str) -> None:
    """Raise ConfigError where a pipeline has none of the parts that are needed to find something."""
    if not set(needed) & set(pipeline.pipe_names):
        raise ConfigError(f"{setting} {name!r} finds no {finds}; its parts are {', '.join(pipeline.pipe_names) or 'none'}")


_SETTING = "statistics.entity_pipeline"


def count_entities(texts: Iterable[str], pipeline_name: str) -> Counter[str]:
    """Return the number of named entities in some texts by label (`PERSON`, `GPE`, …).

    Reference: CRD3, section 3.4 ("a loose measure of named entity presence").
    """
    pipeline = load_pipeline(pipeline_name, _SETTING, ("parser", "lemmatizer"))
    require_parts(pipeline, pipeline_name, _SETTING, ("ner", "entity_ruler", "span_ruler"), "entities")
    return Counter(entity.label_ for document in pipeline.pipe(texts, batch_size=256) for entity in document.ents)
