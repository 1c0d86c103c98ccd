"""Measures the default of `scripts` on films that were read, and how well two readers of the same film agree.

    FABULA_CORPORA=DIR python -m lab.quality.read_films [--cache FOLDER] [--films NAME …] [--folds | --held-out]

For the films named (all films read, unless some are): hit rate and distance, F1 of the links, calibration errors, and how many
rows are right and whole. A row is right if a scene of it tells each of its sentences, and whole if it has all scenes that tell
them. The curves and settings in use were fitted on these
films, so the figures are honest only for films that were added since; with `--folds` the probabilities of each film, and so the
filter, are by curves that were fitted on the others; with `--held-out` the films of `lab/readings/films_held_out.tsv` are
measured, on which nothing was fitted. Intervals are bootstraps over films. The second readings stand in
`lab/readings/films_again.tsv`; their readers did not see the first.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import ConfigError
from core.scripts.aligning import StoryLinks, link_story
from core.scripts.confidence import WHOLE, CompletenessCurve, Curve, SentenceCurves
from core.scripts.config import ScriptsConfig
from core.scripts.rows import SceneRow, decide_rows, link_sentences
from core.scripts.story import Story
from lab.fitting.completeness import fit_completeness_without, read_sentences
from lab.fitting.link_probability import IN_USE, fit_curves_without, measure_error, read_table
from lab.readings.films import HELD_OUT, READ_FILMS, choose_readings, find_movies, open_embedder, read_readings, read_stories

AGAIN = READ_FILMS.with_name("films_again.tsv")
Scenes = Sequence[tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well two readings of a film agree.

    `equal` is the share of sentences with equal sets of scenes, `overlapping` of those with a scene in common (or none in both),
    `f1` that of the second reader's links against the first's, and `alpha` Krippendorff's over all cells of sentence and scene.
    """

    sentences: int
    equal: float
    overlapping: float
    f1: float
    alpha: float


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedFilm:
    """What the pipeline made of a film, judged by a reading.

    `hits` and `distances` (in shares of the scenes) have one value for each sentence that a scene tells, `links` counts their
    links that are right, wrong and missing. The probabilities are pairs of what is stated and whether it is right (n × 2), of
    every candidate link and of every sentence (told, and told whole). `rows` and `whole` have one value for each row that is
    kept, and `kept` one for each sentence in these: 1 where it is right, or whole.
    """

    hits: NDArray[np.float64]
    distances: NDArray[np.float64]
    links: NDArray[np.float64]
    link_probabilities: NDArray[np.float64]
    sentence_probabilities: NDArray[np.float64]
    completeness: NDArray[np.float64]
    rows: NDArray[np.float64]
    whole: NDArray[np.float64]
    kept: NDArray[np.float64]


def compare_readings(first: Scenes, second: Scenes, n_scenes: int) -> Agreement:
    """Compare two readings of the same sentences; `n_scenes` is the number of scenes of the script.

    Reference: Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011: nominal data, two observers, none missing.
    """
    pairs = [(set(own), set(other)) for own, other in zip(first, second, strict=True)]
    both = sum(len(own & other) for own, other in pairs)
    marked = sum(len(own) + len(other) for own, other in pairs)
    values = 2 * len(pairs) * n_scenes
    observed = 2 * (marked - 2 * both) / values
    expected = 2 * marked * (values - marked) / (values * (values - 1))
    return Agreement(
        len(pairs),
        float(np.mean([own == other for own, other in pairs])),
        float(np.mean([bool(own & other) or own == other for own, other in pairs])),
        2 * both / marked,
        1 - observed / expected,
    )


def compare_second_readings() -> Mapping[str, Agreement]:
    """Return the agreement of each film that was read twice."""
    once, again = read_readings(), read_readings(AGAIN)
    return {
        film: compare_readings([once[film][1][sentence] for sentence in read], list(read.values()), n_scenes)
        for film, (n_scenes, read) in again.items()
    }


def draw_over_films(
    films: int, measure: Callable[[NDArray[np.int64]], float], seed: int = 0, draws: int = 1000
) -> tuple[float, float, float]:
    """Return a figure of all films, and the bounds of its 95 % interval by redrawing films. `measure` takes films' positions."""
    numbers = np.random.default_rng(seed)
    drawn = [measure(numbers.integers(0, films, films)) for _ in range(draws)]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return measure(np.arange(films)), float(low), float(high)


def judge_film(
    story: Story,
    links: StoryLinks,
    gold: Mapping[int, tuple[int, ...]],
    config: ScriptsConfig,
    curves: Mapping[str, Curve],
    whole: CompletenessCurve,
) -> JudgedFilm:
    """Judge what the pipeline makes of a film; `gold` has the scenes of every sentence, the curves state probabilities."""
    sure = SentenceCurves(inside=curves["sentence"], at_end=curves["sentence-at-end"]), whole
    linked = link_sentences(story, links, config, sure)
    told = [each for each in linked if gold[each.sentence]]
    found = [(each.sentence, link) for each in linked for link in links.candidates[each.sentence]]
    rows = [row for row in decide_rows(story, links, config, curves=sure) if row.reason is None]
    return JudgedFilm(
        hits=np.array([links.scenes[each.sentence] in gold[each.sentence] for each in told], float),
        distances=np.array([min(abs(links.scenes[each.sentence] - scene) for scene in gold[each.sentence]) for each in told])
        / len(story.scenes),
        links=sum((_count({link.scene for link in each.links}, gold[each.sentence]) for each in told), np.zeros(3)),
        link_probabilities=np.array(
            [(float(curves["link"](link.posterior or 0.0)), link.scene in gold[sentence]) for sentence, link in found], float
        ),
        sentence_probabilities=np.array(
            [(each.probability, any(link.scene in gold[each.sentence] for link in each.links)) for each in linked], float
        ),
        completeness=np.array(
            [(each.completeness, _has_all({link.scene for link in each.links}, gold[each.sentence])) for each in linked], float
        ),
        rows=np.array([[_tells(row, each.sentence, gold) for each in row.sentences].count(False) == 0 for row in rows], float),
        whole=np.array([all(_has_all(set(row.scenes), gold[each.sentence]) for each in row.sentences) for row in rows], float),
        kept=np.array([_tells(row, each.sentence, gold) for row in rows for each in row.sentences], float),
    )


def print_figures(films: Sequence[JudgedFilm]) -> None:
    def mean(name: str) -> Callable[[NDArray[np.int64]], float]:
        return lambda places: float(np.concatenate([getattr(films[place], name) for place in places]).mean())

    def error(name: str) -> Callable[[NDArray[np.int64]], float]:
        return lambda places: measure_error(*np.concatenate([getattr(films[place], name) for place in places]).T)

    def f1(places: NDArray[np.int64]) -> float:
        right, wrong, missing = np.sum([films[place].links for place in places], axis=0).tolist()
        return float(2 * right / (2 * right + wrong + missing))

    right, wrong, missing = np.sum([film.links for film in films], axis=0).tolist()
    sentences, told = sum(len(film.sentence_probabilities) for film in films), sum(len(film.hits) for film in films)
    kept = sum(len(film.kept) for film in films)
    print(f"{len(films)} films: {sentences} sentences, a scene tells {told}; the rows that are kept have {kept}")
    for title, measure in (
        ("hit rate", mean("hits")),
        ("distance, share of scenes", mean("distances")),
        (f"F1 of the links (P {right / (right + wrong):.3f}, R {right / (right + missing):.3f})", f1),
        ("calibration error, links", error("link_probabilities")),
        ("calibration error, sentences", error("sentence_probabilities")),
        ("calibration error, completeness", error("completeness")),
        (f"right rows, of {sum(len(film.rows) for film in films)} kept", mean("rows")),
        ("whole rows, of these", mean("whole")),
        ("sentences of kept rows that are told", mean("kept")),
    ):
        value, low, high = draw_over_films(len(films), measure)
        print(f"  {title}: {value:.3f} [{low:.3f}, {high:.3f}]")


def _count(linked: set[int], gold: tuple[int, ...]) -> NDArray[np.float64]:
    return np.array([len(linked & set(gold)), len(linked - set(gold)), len(set(gold) - linked)], float)


def _tells(row: SceneRow, sentence: int, gold: Mapping[int, tuple[int, ...]]) -> bool:
    return not set(row.scenes).isdisjoint(gold[sentence])


def _has_all(scenes: set[int], gold: tuple[int, ...]) -> bool:
    return bool(gold) and set(gold) <= scenes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, help="folder for the sentence vectors")
    parser.add_argument("--films", nargs="+", help="measure these films only")
    honest = parser.add_mutually_exclusive_group()
    honest.add_argument("--folds", action="store_true", help="state a film's probabilities by curves fitted on the others")
    honest.add_argument("--held-out", action="store_true", help="measure the films that nothing was fitted on")
    options = parser.parse_args()
    try:
        readings, movies = choose_readings(options.films, HELD_OUT if options.held_out else READ_FILMS), find_movies()
    except ConfigError as error:
        parser.error(str(error))
    for film, agreement in compare_second_readings().items():
        print(f"{film}: {agreement}")
    config, embed, table, sentences, films = ScriptsConfig(), open_embedder(options.cache), read_table(), read_sentences(), []
    for story, gold in read_stories(movies, config, readings):
        curves = fit_curves_without(table, story.unit) if options.folds else IN_USE
        whole = fit_completeness_without(sentences, story.unit) if options.folds else WHOLE
        films.append(judge_film(story, link_story(story, embed, config), gold, config, curves, whole))
    print_figures(films)


if __name__ == "__main__":
    main()
