"""What the score of rooms needs from outside: similar words, tag patterns, and a trained spaCy pipeline where one is named."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import ConfigError
from infra.models.sentence_embedder import SentenceEmbedder
from infra.models.trained_pipeline import load_pipeline, require_parts
from infra.named_files import read_profile_table

SETTING = "analysis.pipeline"
_EXCLUDED = ("parser", "senter")
_BATCH = 256


def read_word_tables() -> tuple[str, str]:
    """Return the packaged table of similar words, and that of tag patterns, as text."""
    return read_profile_table("default", "rooms_words.tsv") or "", read_profile_table("default", "rooms_patterns.txt") or ""


def read_place_weights() -> str:
    """Return the packaged weights of the probability that a sentence describes a place, as text."""
    return read_profile_table("default", "rooms_places.tsv") or ""


class EmbeddedWords:
    """Similarity of words to key words by the packaged sentence embedder; each distinct word is embedded once a process."""

    def __init__(self, model: str, keys: Sequence[Sequence[str]]) -> None:
        """Choose the model and the key words; a key of several words takes the most similar one."""
        self._embed = SentenceEmbedder(model)
        self._keys = keys
        self._known: dict[str, tuple[float, ...]] = {}
        self._vectors: list[NDArray[np.float32]] | None = None

    def __call__(self, words: Sequence[str]) -> Mapping[str, Sequence[float]]:
        """Return the cosine similarities of each word to the keys; raises ConfigError where the extra `embeddings` is missing."""
        if self._vectors is None:
            self._vectors = [self._embed(key) for key in self._keys]
        if missing := sorted({word for word in words if word[:1].isalpha()} - self._known.keys()):
            found = self._embed(missing)
            columns = [(found @ key.T).max(1) for key in self._vectors]
            for place, word in enumerate(missing):
                self._known[word] = tuple(float(column[place]) for column in columns)
        return self._known


class VectorWords:
    """Similarity of words to key words by the word vectors of a trained spaCy pipeline."""

    def __init__(self, pipeline: str, keys: Sequence[Sequence[str]]) -> None:
        """Load the pipeline."""
        vocab = load_pipeline(pipeline, SETTING, _EXCLUDED).vocab
        if not vocab.vectors.shape[0]:
            raise ConfigError(f"{SETTING} {pipeline!r} has no word vectors; set analysis.similarity to lexicon or embeddings")
        found = [[word for word in key if vocab.has_vector(word)] for key in keys]
        if missing := [key[0] for key, words in zip(keys, found, strict=True) if not words]:
            raise ConfigError(f"{SETTING} {pipeline!r} has no vector of {missing[0]!r}; set analysis.similarity to lexicon")
        self._vocab = vocab
        self._keys = [np.stack([_unit(vocab.get_vector(word)) for word in words]) for words in found]
        self._known: dict[str, tuple[float, ...]] = {}

    def __call__(self, words: Sequence[str]) -> Mapping[str, Sequence[float]]:
        """Return the cosine similarities of each word to the keys; words without a vector are left out."""
        for word in {*words} - self._known.keys():
            if self._vocab.has_vector(word):
                vector = _unit(self._vocab.get_vector(word))
                self._known[word] = tuple(float((key @ vector).max()) for key in self._keys)
        return self._known


def _unit(given: Any) -> NDArray[np.float32]:
    vector = np.asarray(given, np.float32)
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector


open_embedded_words = lru_cache(maxsize=2)(EmbeddedWords)
open_vector_words = lru_cache(maxsize=2)(VectorWords)
"""The similarity by the embedder, or by a pipeline's vectors: the same one for every unit of this process."""


def tag_sentences(texts: Iterable[str], pipeline: str) -> Iterator[tuple[list[tuple[str, str, str]], list[str]]]:
    """Yield for each text its tokens as (text, universal tag, lower-cased lemma), and the texts of its named entities."""
    nlp = load_pipeline(pipeline, SETTING, _EXCLUDED)
    require_parts(nlp, pipeline, SETTING, ("tagger", "morphologizer", "attribute_ruler"), "tags")
    require_parts(nlp, pipeline, SETTING, ("ner", "entity_ruler", "span_ruler"), "entities")
    for document in nlp.pipe(texts, batch_size=_BATCH):
        tokens = [(token.text, token.pos_, token.lemma_.lower()) for token in document if not token.is_space]
        yield tokens, [entity.text for entity in document.ents]
