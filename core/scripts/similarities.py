"""Computes the similarities of synopsis sentences and scenes.

Each is a matrix of the shape n_sentences × n_scenes with its name in `Weights`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from core.scripts.config import ScriptsConfig, Weights
from core.scripts.mentions import resolve_mentions
from core.scripts.name_masking import NameMask
from core.scripts.names import CastMatcher, match_people
from core.scripts.people import find_genders
from core.scripts.scene_texts import (
    Lines,
    clauses,
    gather,
    list_content_words,
    spoken_lines,
    story_lines,
    told_texts,
    without_asides,
)
from core.scripts.story import Scene, Story
from core.similarity.cosine import Embedder, pool_cosines
from core.similarity.term_matching import bm25_scores, idf_coverage
from core.text.sentences import SentenceSplitter, make_splitter
from core.text.terms import content_words, letter_runs, stem_words

Matrix = NDArray[np.float64]
Matrices = dict[str, Matrix]

_TOLD = 0.6  # how much a name in the narration counts in `roles`; a speaker counts 1
_SATURATION = 1.5  # BM25's k1 for the turns and sentences of a person in `people`
_EMBEDDED = frozenset({"sim_max", "sim_mean", "story_max", "clause_max", "story_masked", "clause_masked"})


def named_weights(weights: Weights) -> dict[str, float]:
    """Return the weights that are not 0, by name."""
    return {entry.name: value for entry in fields(weights) if (value := float(getattr(weights, entry.name)))}


def needs_vectors(weights: Weights) -> bool:
    """Tell whether any similarity with a weight needs sentence vectors."""
    return bool(_EMBEDDED.intersection(named_weights(weights)))


def _list_compared(story: Story, names: Iterable[str], config: ScriptsConfig) -> dict[str, tuple[Lines, Lines]]:
    """Return by similarity the texts whose vectors it compares: those of each sentence, and those of each scene."""
    wanted = _EMBEDDED.intersection(names)
    split = make_splitter(config.alignment.splitter)
    compared: dict[str, tuple[Lines, Lines]] = {}
    whole = gather([sentence] for sentence in story.sentences)
    if said := wanted & {"sim_max", "sim_mean"}:
        compared |= dict.fromkeys(sorted(said), (whole, spoken_lines(story.scenes, split)))
    if wanted - said:
        lines, parts = story_lines(story.scenes, split), clauses(story.sentences)
        compared |= {"story_max": (whole, lines), "clause_max": (parts, lines)}
        if wanted & {"story_masked", "clause_masked"}:
            mask = NameMask(story, config.cast)
            bare = gather([without_asides(sentence)] for sentence in story.sentences)
            masked = _change_texts(lines, mask)
            compared |= {
                "story_masked": (_change_texts(bare, mask), masked),
                "clause_masked": (_change_texts(parts, mask), masked),
            }
    return {name: texts for name, texts in compared.items() if name in wanted}


def _change_texts(lines: Lines, change: Callable[[str], str]) -> Lines:
    return Lines(tuple(map(change, lines.texts)), lines.bounds)


def measure_similarities(story: Story, embed: Embedder, names: Iterable[str], config: ScriptsConfig) -> Matrices:
    """Compute the similarities `names`. `embed` is called once, with distinct texts, or never if none needs it."""
    wanted = list(dict.fromkeys(names))
    measured: Matrices = {}
    if _EMBEDDED.intersection(wanted):
        measured |= _measure_vectors(_list_compared(story, wanted, config), embed)
    if {"jac", "osj", "roles", "people"}.intersection(wanted):
        measured |= _measure_cast(story, wanted, config)
    if {"bm25", "coverage"}.intersection(wanted):
        measured |= _measure_terms(story, wanted, config)
    return {name: measured[name] for name in wanted}


def _measure_vectors(compared: Mapping[str, tuple[Lines, Lines]], embed: Embedder) -> Matrices:
    texts = list(dict.fromkeys(text for pair in compared.values() for lines in pair for text in lines.texts))
    vectors = embed(texts)
    places = {text: place for place, text in enumerate(texts)}

    def look_up(lines: Lines) -> NDArray[np.floating]:
        return vectors[[places[text] for text in lines.texts]]

    measured: Matrices = {}
    for name, (queries, lines) in compared.items():
        if name in measured:
            continue
        highest, mean = pool_cosines(look_up(queries), look_up(lines), lines.bounds)
        if name in {"sim_max", "sim_mean"}:
            measured |= {"sim_max": highest, "sim_mean": mean}
        else:
            measured[name] = _mean_by_group(_against_hubs(highest), queries)
    return measured


def _measure_cast(story: Story, wanted: Sequence[str], config: ScriptsConfig) -> Matrices:
    """Return jac, osj (SumTitles, algorithm 6) and roles, and people where it is wanted; 0 where nobody is named or speaks."""
    share = config.alignment.mentions
    scenes, cast = story.scenes, story.cast or ()
    people, matcher = match_people(story, config.cast) if share else (cast, CastMatcher(cast, config.cast))
    named = _mark([matcher.mentioned(without_asides(sentence)) for sentence in story.sentences], len(people))
    speaking = _mark([matcher.speakers(scene) for scene in scenes], len(people))
    told = _mark([set().union(*map(matcher.mentioned, told_texts(scene))) for scene in scenes], len(people))
    presence = np.maximum(speaking, _TOLD * told).T
    meant = named.copy()
    if share and cast:
        genders = find_genders(people, scenes, story.sentences, matcher)
        for mention in resolve_mentions(story.sentences, people, matcher, genders):
            here = meant[mention.sentence, list(mention.members)]
            meant[mention.sentence, list(mention.members)] = np.maximum(here, 1.0 if mention.how == "name" else share)
    shared = named @ speaking.T
    rarity = np.log1p(len(scenes) / np.maximum((presence > 0).sum(axis=1), 1))
    measured = {
        "jac": _divide(shared, named.sum(axis=1, keepdims=True) + speaking.sum(axis=1) - shared),
        "osj": _divide(meant @ speaking.T, meant.sum(axis=1, keepdims=True)),
        "roles": (meant * rarity) @ presence,
    }
    if "people" in wanted:
        times = _count_people(scenes, matcher, len(people), make_splitter(config.alignment.splitter))
        measured["people"] = (meant * rarity) @ (times * (_SATURATION + 1) / (times + _SATURATION))
    return measured


def _mark(sets: Sequence[set[int]], n_members: int) -> Matrix:
    """Return 1 for each member of each set, else 0 (n_sets × n_members)."""
    rows = np.zeros((len(sets), n_members))
    for row, members in zip(rows, sets, strict=True):
        row[list(members)] = 1.0
    return rows


def _divide(shares: Matrix, wholes: Matrix) -> Matrix:
    """Divide, with 0 where the whole is 0."""
    return np.asarray(np.divide(shares, wholes, out=np.zeros_like(shares), where=wholes > 0), dtype=np.float64)


def _count_people(scenes: Sequence[Scene], matcher: CastMatcher, n_people: int, split: SentenceSplitter) -> Matrix:
    """Return how many turns each person speaks in a scene, plus the sentences told that name the person (n_people × n_scenes)."""
    times = np.zeros((n_people, len(scenes)))
    for place, scene in enumerate(scenes):
        speaking = (matcher.match(speaker) for turn in scene.turns for speaker in turn.speakers)
        named = (member for text in told_texts(scene) for line in split(text) for member in matcher.mentioned(line))
        for member, count in Counter(chain(speaking, named)).items():
            if member is not None:
                times[member, place] = count
    return times


def _measure_terms(story: Story, wanted: Sequence[str], config: ScriptsConfig) -> Matrices:
    """Return bm25 and coverage where they are wanted; bm25 is the mean of three scores, over words, stems and letter n-grams.

    A word has several n-grams, so the score over n-grams is multiplied by words / n-grams: all three are on one scale per word.
    """
    words = [content_words(without_asides(sentence)) for sentence in story.sentences], [*map(list_content_words, story.scenes)]
    stems, runs = ([[form(each) for each in texts] for texts in words] for form in (stem_words, letter_runs))
    measured: Matrices = {}
    if "bm25" in wanted:
        k1, b = config.alignment.bm25_k1, config.alignment.bm25_b
        by_words, by_stems, by_runs = (bm25_scores(queries, scenes, k1, b) for queries, scenes in (words, stems, runs))
        shares = [len(set(whole)) / max(len(set(cut)), 1) for whole, cut in zip(words[0], runs[0], strict=True)]
        measured["bm25"] = np.asarray((by_words + by_stems + by_runs * np.array(shares)[:, None]) / 3, dtype=np.float64)
    if "coverage" in wanted:
        measured["coverage"] = idf_coverage(*stems)
    return measured


def _against_hubs(similarity: Matrix) -> Matrix:
    """Subtract each scene's mean similarity, since a long scene has a line that resembles any sentence."""
    return similarity - similarity.mean(axis=0, keepdims=True) if similarity.size else similarity


def _mean_by_group(rows: Matrix, groups: Lines) -> Matrix:
    """Return the mean row of each group; no group may be empty."""
    sums = np.add.reduceat(rows, groups.bounds[:-1], axis=0) if len(rows) else rows
    return np.asarray(sums / np.diff(groups.bounds)[:, None], dtype=np.float64)
