"""What the score of rooms needs from outside: similar words, tag patterns, and a trained spaCy pipeline where one is named."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.errors import ConfigError
from infra.models.sentence_embedder import SentenceEmbedder
from infra.models.trained_pipeline import load_pipeline, require_parts
from infra.named_files import read_profile_table

SETTING = "analysis.pipeline"
_EXCLUDED = ("parser", "senter")
_BATCH = 256
Embed = Callable[[Sequence[str]], NDArray[np.float32]]
"""Returns the vectors of words (n_words × n_dimensions), of length 1."""


def read_word_tables() -> tuple[str, str]:
    """Return the packaged table of similar words, and that of tag patterns, as text."""
    return read_profile_table("default", "rooms_words.tsv") or "", read_profile_table("default", "rooms_patterns.txt") or ""


def read_place_weights() -> str:
    """Return the packaged weights of the probability that a sentence describes a place, as text."""
    return read_profile_table("default", "rooms_places.tsv") or ""


class SimilarWords:
    """Similarity of words to key words by their vectors; each distinct word is looked up once a process."""

    def __init__(self, embed: Embed, has_vector: Callable[[str], bool], keys: Sequence[Sequence[str]]) -> None:
        """Use `embed` for the words that have a vector; a key of several words takes the most similar one."""
        self._embed = embed
        self._has_vector = has_vector
        self._keys = [embed(key) for key in keys]
        self._known: dict[str, tuple[float, ...]] = {}

    def __call__(self, words: Sequence[str]) -> Mapping[str, Sequence[float]]:
        """Return the cosine similarities of each word to the keys; words without a vector are left out."""
        if new := sorted(word for word in {*words} - self._known.keys() if self._has_vector(word)):
            found = self._embed(new)
            columns = [(found @ key.T).max(1).tolist() for key in self._keys]
            self._known.update(zip(new, zip(*columns, strict=True), strict=True))
        return self._known


@lru_cache(maxsize=2)
def open_embedded_words(model: str, keys: tuple[tuple[str, ...], ...]) -> SimilarWords:
    """Return the similarity by a sentence embedder; raises ConfigError where the extra `embeddings` is missing."""
    return SimilarWords(SentenceEmbedder(model), lambda word: word[:1].isalpha(), keys)


@lru_cache(maxsize=2)
def open_vector_words(pipeline: str, keys: tuple[tuple[str, ...], ...]) -> SimilarWords:
    """Return the similarity by the word vectors of a trained spaCy pipeline."""
    vocab = load_pipeline(pipeline, SETTING, _EXCLUDED).vocab
    if not vocab.vectors.shape[0]:
        raise ConfigError(f"{SETTING} {pipeline!r} has no word vectors; set analysis.similarity to lexicon or embeddings")
    found = [[word for word in key if vocab.has_vector(word)] for key in keys]
    if missing := [key[0] for key, words in zip(keys, found, strict=True) if not words]:
        raise ConfigError(f"{SETTING} {pipeline!r} has no vector of {missing[0]!r}; set analysis.similarity to lexicon")

    def embed(words: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.stack([np.asarray(vocab.get_vector(word), np.float32) for word in words])
        unit: NDArray[np.float32] = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        return unit

    return SimilarWords(embed, vocab.has_vector, found)


def tag_sentences(texts: Iterable[str], pipeline: str) -> Iterator[tuple[list[tuple[str, str, str]], list[str]]]:
    """Yield for each text its tokens as (text, universal tag, lower-cased lemma), and the texts of its named entities."""
    nlp = load_pipeline(pipeline, SETTING, _EXCLUDED)
    require_parts(nlp, pipeline, SETTING, ("tagger", "morphologizer", "attribute_ruler"), "tags")
    require_parts(nlp, pipeline, SETTING, ("ner", "entity_ruler", "span_ruler"), "entities")
    for document in nlp.pipe(texts, batch_size=_BATCH):
        tokens = [(token.text, token.pos_, token.lemma_.lower()) for token in document if not token.is_space]
        yield tokens, [entity.text for entity in document.ents]
