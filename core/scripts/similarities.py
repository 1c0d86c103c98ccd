"""Computes the similarities of synopsis sentences and scenes.

Each is a matrix of the shape n_sentences × n_scenes with its name in `Weights`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields

import numpy as np
from numpy.typing import NDArray

from core.scripts.cast_matching import CastMatcher, count_shared, share_meant
from core.scripts.config import ScriptsConfig, Weights
from core.scripts.genders import find_genders
from core.scripts.known_roles import list_people
from core.scripts.mentions import resolve_mentions
from core.scripts.scene_texts import (
    Lines,
    clauses,
    list_content_words,
    scene_words,
    spoken_lines,
    story_lines,
    told_texts,
    without_asides,
)
from core.scripts.scenes import CastMember, Scene
from core.similarity.cosine import Embedder
from core.similarity.pooled_cosine import pool_cosines
from core.similarity.term_matching import Terms, bm25_scores, idf_coverage
from core.text.sentences import make_splitter
from core.text.terms import content_terms, content_words, letter_runs, stem_words

Matrix = NDArray[np.float64]
Matrices = dict[str, Matrix]

_TOLD = 0.6  # how much a name in the narration counts in `roles`; a speaker counts 1
_EMBEDDED = frozenset({"sim_max", "sim_mean", "story_max", "clause_max"})


def named_weights(weights: Weights) -> dict[str, float]:
    """Return the weights that are not 0, by name."""
    return {entry.name: value for entry in fields(weights) if (value := float(getattr(weights, entry.name)))}


def needs_vectors(weights: Weights) -> bool:
    """Tell whether any similarity with a weight needs sentence vectors."""
    return bool(_EMBEDDED.intersection(named_weights(weights)))


def list_texts(scenes: Sequence[Scene], sentences: Sequence[str], names: Iterable[str], config: ScriptsConfig) -> list[str]:
    """Return the distinct texts whose vectors the similarities `names` need, so that they can be embedded in advance."""
    wanted = _EMBEDDED.intersection(names)
    split = make_splitter(config.alignment.splitter)
    texts: list[str] = []
    if wanted & {"sim_max", "sim_mean", "story_max"}:
        texts += sentences
    if "clause_max" in wanted:
        texts += clauses(sentences).texts
    if wanted & {"story_max", "clause_max"}:
        texts += story_lines(scenes, split).texts
    elif wanted:
        texts += spoken_lines(scenes, split).texts
    return list(dict.fromkeys(texts))


def measure_similarities(
    scenes: Sequence[Scene],
    sentences: Sequence[str],
    cast: Sequence[CastMember],
    embed: Embedder,
    names: Iterable[str],
    config: ScriptsConfig,
) -> Matrices:
    """Compute the similarities `names`. `embed` is called once, with the texts of `list_texts`, or never if none needs it."""
    wanted = list(dict.fromkeys(names))
    measured: Matrices = {}
    if _EMBEDDED.intersection(wanted):
        texts = list_texts(scenes, sentences, wanted, config)
        vectors = embed(texts)
        places = {text: place for place, text in enumerate(texts)}

        def look_up(some: Sequence[str]) -> NDArray[np.floating]:
            return vectors[[places[text] for text in some]]

        measured |= _measure_vectors(scenes, sentences, look_up, wanted, config)
    if {"jac", "osj", "roles"}.intersection(wanted):
        measured |= _measure_cast(scenes, sentences, cast, config)
    if {"bm25", "coverage", "location"}.intersection(wanted):
        measured |= _measure_terms(scenes, sentences, wanted, config)
    if {"length", "diagonal"}.intersection(wanted):
        measured |= _measure_places(scenes, sentences)
    return {name: measured[name] for name in wanted}


def _measure_vectors(
    scenes: Sequence[Scene],
    sentences: Sequence[str],
    look_up: Callable[[Sequence[str]], NDArray[np.floating]],
    wanted: Sequence[str],
    config: ScriptsConfig,
) -> Matrices:
    split = make_splitter(config.alignment.splitter)
    measured: Matrices = {}
    if {"sim_max", "sim_mean"}.intersection(wanted):
        said = spoken_lines(scenes, split)
        highest, mean = pool_cosines(look_up(sentences), look_up(said.texts), said.bounds)
        measured |= {"sim_max": highest, "sim_mean": mean}
    if {"story_max", "clause_max"}.intersection(wanted):
        story = story_lines(scenes, split)
        lines = look_up(story.texts)
        if "story_max" in wanted:
            measured["story_max"] = _against_hubs(pool_cosines(look_up(sentences), lines, story.bounds)[0])
        if "clause_max" in wanted:
            parts = clauses(sentences)
            found = _against_hubs(pool_cosines(look_up(parts.texts), lines, story.bounds)[0])
            measured["clause_max"] = _mean_by_group(found, parts)
    return measured


def _measure_cast(
    scenes: Sequence[Scene], sentences: Sequence[str], cast: Sequence[CastMember], config: ScriptsConfig
) -> Matrices:
    matcher, share = CastMatcher(cast, config.cast), config.alignment.mentions
    people = tuple(cast)
    if share and cast:
        people = list_people(cast, scenes, matcher)
        matcher = CastMatcher(people, config.cast, len(cast)) if len(people) > len(cast) else matcher
    named = [matcher.mentioned(without_asides(sentence)) for sentence in sentences]
    speaking = [matcher.speakers(scene) for scene in scenes]
    jac, osj = count_shared(named, speaking, len(people))
    told = [set().union(*map(matcher.mentioned, told_texts(scene))) for scene in scenes]
    presence = np.zeros((len(people), len(scenes)))
    for place, (speakers, others) in enumerate(zip(speaking, told, strict=True)):
        presence[list(others), place] = _TOLD
        presence[list(speakers), place] = 1.0
    meant = np.zeros((len(sentences), len(people)))
    for row, members in zip(meant, named, strict=True):
        row[list(members)] = 1.0
    if share and cast:
        genders = find_genders(people, scenes, sentences, matcher)
        for mention in resolve_mentions(sentences, people, scenes, matcher, genders):
            here = meant[mention.sentence, list(mention.members)]
            meant[mention.sentence, list(mention.members)] = np.maximum(here, 1.0 if mention.how == "name" else share)
        osj = share_meant(meant, presence == 1.0)
    rarity = np.log1p(len(scenes) / np.maximum((presence > 0).sum(axis=1), 1))
    return {"jac": jac, "osj": osj, "roles": (meant * rarity) @ presence}


def _measure_terms(scenes: Sequence[Scene], sentences: Sequence[str], wanted: Sequence[str], config: ScriptsConfig) -> Matrices:
    queries = [content_words(without_asides(sentence)) for sentence in sentences]
    stems = [stem_words(words) for words in queries]
    measured: Matrices = {}
    if "location" in wanted:
        measured["location"] = idf_coverage(stems, [content_terms(scene.heading) for scene in scenes])
    if {"bm25", "coverage"}.intersection(wanted):
        documents = [list_content_words(scene) for scene in scenes]
        if "bm25" in wanted:
            measured["bm25"] = _average_bm25(queries, documents, config.alignment.bm25_k1, config.alignment.bm25_b)
        if "coverage" in wanted:
            measured["coverage"] = idf_coverage(stems, [stem_words(words) for words in documents])
    return measured


def _average_bm25(queries: Terms, documents: Terms, k1: float, b: float) -> Matrix:
    """Return the mean of three BM25 scores: over stems, over words and over letter n-grams.

    Stems and n-grams find other forms of a word; words give the same form more weight. A word has several n-grams, so the score
    over n-grams is multiplied by words / n-grams. All three scores are then on the same scale per word.
    """
    stems = [stem_words(words) for words in queries]
    runs = [letter_runs(words) for words in queries]
    by_words = bm25_scores(queries, documents, k1, b)
    by_stems = bm25_scores(stems, [stem_words(words) for words in documents], k1, b)
    by_runs = bm25_scores(runs, [letter_runs(words) for words in documents], k1, b)
    shares = [len(set(words)) / max(len(set(own)), 1) for words, own in zip(queries, runs, strict=True)]
    return np.asarray((by_words + by_stems + by_runs * np.array(shares)[:, None]) / 3, dtype=np.float64)


def _measure_places(scenes: Sequence[Scene], sentences: Sequence[str]) -> Matrices:
    words = np.array([scene_words(scene) + 1 for scene in scenes], dtype=np.float64)
    told = np.array([len(sentence.split()) + 1 for sentence in sentences], dtype=np.float64)
    length = np.tile(np.log(words), (len(sentences), 1))
    return {"length": length, "diagonal": -np.abs(_middles(told)[:, None] - _middles(words))}


def _middles(lengths: Matrix) -> Matrix:
    """Return the position of each part's middle in the whole, from 0 to 1; `lengths` has the shape (n_parts,)."""
    ends = np.cumsum(lengths)
    return np.asarray((ends - lengths / 2) / ends[-1], dtype=np.float64) if ends.size else ends


def _against_hubs(similarity: Matrix) -> Matrix:
    """Subtract each scene's mean similarity, since a long scene has a line that resembles any sentence."""
    return similarity - similarity.mean(axis=0, keepdims=True) if similarity.size else similarity


def _mean_by_group(rows: Matrix, groups: Lines) -> Matrix:
    """Return the mean row of each group; no group may be empty."""
    sums = np.add.reduceat(rows, groups.bounds[:-1], axis=0) if len(rows) else rows
    return np.asarray(sums / np.diff(groups.bounds)[:, None], dtype=np.float64)
