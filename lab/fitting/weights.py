"""Tunes the weights of the similarities on chosen gold movies, and judges them on the other movies: `fabula tune scripts`."""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, differential_evolution

from core.errors import ConfigError
from core.metrics.alignment_quality import Link, rate_links
from core.scripts.aligning import combine, decode, measure_posteriors
from core.scripts.config import SceneAlignmentConfig, ScriptsConfig, Weights
from core.scripts.evaluation import find_sentences
from core.scripts.similarities import Matrices, Matrix, measure_similarities, named_weights
from core.scripts.story import GoldLink, Story
from core.similarity.cosine import Embedder
from infra.models.sentence_embedder import SentenceEmbedder, StoredEmbedder
from infra.store.objects import Store
from infra.tables.scripts import STORY
from tasks.frame.build import read_stage
from tasks.scripts.evaluation import read_gold_files
from tasks.scripts.statistics import list_references


@dataclass(frozen=True, slots=True)
class GoldMovie:
    """A movie with its similarities and its gold links.

    `gold` maps the index of a synopsis sentence to the strict indices of its scenes; sentences without gold are left out.
    `strict` holds the strict index of each aligned scene, shape (n_aligned_scenes,). `n_scenes` is the number of strict scenes.
    Each `group` of movies (a gold set) has the same total weight.
    """

    name: str
    group: str
    similarities: Matrices
    strict: NDArray[np.int64]
    n_scenes: int
    gold: dict[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Tuning:
    """The weights that were found, the objective's value, and the judged gold links of the movies not used for tuning."""

    weights: Weights
    objective: float
    links: dict[str, list[Link]]


def measure_movie(
    name: str,
    group: str,
    story: Story,
    gold: dict[int, tuple[int, ...]],
    embed: Embedder,
    config: ScriptsConfig,
) -> GoldMovie:
    """Return a story with its gold and the similarities that have a weight in `config`."""
    similarities = measure_similarities(story, embed, named_weights(config.alignment.weights), config)
    strict = np.array([scene.strict_index for scene in story.scenes], np.int64)
    return GoldMovie(name, group, similarities, strict, max(story.scene_count, 1), gold)


def tune(
    movies: Sequence[GoldMovie],
    tuned_on: Collection[str],
    config: SceneAlignmentConfig,
    names: Sequence[str],
    spread: float = 4.0,
    seed: int = 0,
    max_rounds: int = 40,
) -> Tuning:
    """Tune the weights `names` of `config` on the movies `tuned_on`, and judge them on the other movies.

    The search maximises the probability of the gold links over all monotone alignments, averaged over the sentences of a group
    and then over the groups. This is a smooth substitute for the hit rate. The search is SciPy's differential evolution.

    Args:
        movies: all movies with gold.
        tuned_on: the names of the movies to tune on; at least one.
        config: holds the start values of the weights, which must be positive.
        names: the weights to tune.
        spread: each weight stays between its start value divided by `spread` and multiplied by `spread`.
        seed: the seed of the search.
        max_rounds: the most generations of the search.
    """
    missing = set(tuned_on) - {movie.name for movie in movies}
    start = named_weights(config.weights)
    if missing or not set(tuned_on):
        raise ConfigError(f"weights are tuned on movies with gold: none are called {sorted(missing)}; name at least one that is")
    if unset := [name for name in names if start.get(name, 0.0) <= 0]:
        raise ConfigError(f"the weights {unset} have no positive value to start the search from; set one for each")
    chosen = [movie for movie in movies if movie.name in set(tuned_on)]

    def loss(steps: NDArray[np.float64]) -> float:
        weights = replace(config.weights, **dict(zip(names, _scale(start, names, steps), strict=True)))
        return -expected_hits(chosen, replace(config, weights=weights))

    bound = float(np.log(spread))
    found = differential_evolution(
        loss,
        Bounds([-bound] * len(names), [bound] * len(names)),
        rng=np.random.default_rng(seed),
        maxiter=max_rounds,
        popsize=6,
        polish=False,
    )
    weights = replace(config.weights, **dict(zip(names, _scale(start, names, found.x), strict=True)))
    others = [movie for movie in movies if movie.name not in set(tuned_on)]
    best = replace(config, weights=weights)
    return Tuning(weights, -float(found.fun), {movie.name: judge_movie(movie, best) for movie in others})


def judge_movie(movie: GoldMovie, config: SceneAlignmentConfig) -> list[Link]:
    """Align a movie and judge the link of each gold sentence, in order. The text before the first heading counts as scene −1."""
    _, found, _ = decode(combine_movie(movie, config), config)
    links = []
    for sentence, gold in sorted(movie.gold.items()):
        distance = min(abs(int(movie.strict[found[sentence]]) - scene) for scene in gold)
        links.append(Link(distance == 0, distance / movie.n_scenes))
    return links


def expected_hits(movies: Sequence[GoldMovie], config: SceneAlignmentConfig) -> float:
    """Return the mean probability of the gold links, 0 to 1, where each group of movies has the same weight."""
    by_group: dict[str, list[float]] = {}
    for movie in movies:
        posteriors = measure_posteriors(combine_movie(movie, config), config)
        for sentence, gold in movie.gold.items():
            by_group.setdefault(movie.group, []).append(float(posteriors[sentence, np.isin(movie.strict, gold)].sum()))
    return float(np.mean([np.mean(shares) for shares in by_group.values()]))


def combine_movie(movie: GoldMovie, config: SceneAlignmentConfig) -> Matrix:
    """Return the weighted sum of a movie's similarities (sentences × scenes)."""
    shape = next(iter(movie.similarities.values())).shape
    return combine(movie.similarities, config.weights, (shape[0], shape[1]))


def _scale(start: dict[str, float], names: Sequence[str], steps: NDArray[np.float64]) -> list[float]:
    return [start[name] * float(np.exp(step)) for name, step in zip(names, steps, strict=True)]


def tune_stored(
    store_url: str, gold_url: str, tuned_on: Collection[str], config: ScriptsConfig, dataset: str = "scripts"
) -> dict[str, Any]:
    """Search the weights on the gold of the stories `tuned_on`; return them, and the rates over all others, never over these.

    Similarities are measured anew from the stored stories and vectors; nothing is embedded twice.
    """
    store = Store(store_url)
    by_unit: dict[str, list[GoldLink]] = {}
    for link in read_gold_files(gold_url):
        by_unit.setdefault(link.unit, []).append(link)
    embedder = SentenceEmbedder(config.alignment.embedding_model)
    movies = []
    for unit, reference in sorted(list_references(store, dataset).items()):
        story = STORY.decode(read_stage(store, reference, "story"))
        if answers := by_unit.get(unit, list(story.gold)):
            embed = StoredEmbedder(store, "scripts", unit, embedder)
            gold = find_sentences(story, answers)
            movies.append(measure_movie(story.unit, story.kind, story, gold, embed, config))
    found = tune(movies, tuned_on, config.alignment, list(named_weights(config.alignment.weights)))
    links = [link for judged in found.links.values() for link in judged]
    rates = rate_links(links)
    return {
        "tuned_on": sorted(tuned_on),
        "weights": named_weights(found.weights),
        "objective": found.objective,
        "others": None if rates is None else asdict(rates),
        "by_story": {unit: asdict(rates) for unit, judged in found.links.items() if (rates := rate_links(judged)) is not None},
    }
