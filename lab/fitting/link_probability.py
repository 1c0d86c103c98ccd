"""Fits the curves of `core.scripts.confidence` on films that were read.

    FABULA_CORPORA=DIR python -m lab.fitting.link_probability [--cache FOLDER] [--write]

- Without options: fits the curves on `link_probability.tsv`, and measures them. Of each fold one film read is left out, fitted on
  the others, and judged. Stories with gold (Friends, TRIPOD, The Apartment, Juno) fit nothing: they are judged by all films read.
- `--write` aligns all of these by the default profile and writes that table: numbers only.

The calibration error is the mean distance of stated and observed shares over bins of equal size. It is not 0 for true
probabilities either, since bins are small: its mean for these is printed beside it. The interval is a bootstrap over links.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from core.metrics.fitting import find_odds
from core.scripts.aligning import LEAST_POSTERIOR, decode, trust_links
from core.scripts.confidence import CUT, LINK, SENTENCE, Curve, is_at_end
from core.scripts.config import FilterConfig, SceneAlignmentConfig, ScriptsConfig
from core.scripts.evaluation import find_sentences
from core.similarity.cosine import Embedder
from lab.fitting.tables import read_call, read_rows, write_rows
from lab.fitting.weights import GoldMovie, combine_movie, measure_movie
from lab.readings.films import find_movies, open_embedder, read_stories, read_units

TABLE = Path(__file__).with_name("link_probability.tsv")
IN_USE = {"link": LINK, "sentence": SENTENCE.inside, "sentence-at-end": SENTENCE.at_end}
_BINS = 6
_SURE = (0.5, 0.7, 0.8, 0.85, 0.9)


@dataclass(frozen=True, slots=True)
class Judged:
    """A link, or a sentence with all its links, its posterior, and whether it is right.

    `what` names its curve: "link", "sentence", or "sentence-at-end" for a sentence that is linked to an end of its script.

    `group` is "read" for films that were read, else the name of the gold set.
    """

    what: str
    group: str
    story: str
    posterior: float
    right: bool


def judge_movies(movies: Iterable[GoldMovie], config: SceneAlignmentConfig, several: float) -> Iterator[Judged]:
    """Yield every candidate link of the sentences with gold, and every such sentence. One that no scene tells is never right."""
    for movie in movies:
        combined = combine_movie(movie, config)
        chosen = decode(combined, config)[1]
        posteriors = trust_links(combined, config)
        story = movie.name.split("/")[1]
        for sentence, gold in sorted(movie.gold.items()):
            row, right = posteriors[sentence], np.isin(movie.strict, gold)
            best = np.arange(row.size) == chosen[sentence]
            for scene in np.flatnonzero((row >= LEAST_POSTERIOR) | best):
                yield Judged("link", movie.group, story, float(row[scene]), bool(right[scene]))
            linked = (row >= several) | best
            what = "sentence-at-end" if is_at_end(np.flatnonzero(linked).tolist(), row.size) else "sentence"
            yield Judged(what, movie.group, story, float(row[linked].sum()), bool(right[linked].any()))


def fit_curve(judged: Sequence[Judged]) -> Curve:
    """Return the curve with the highest likelihood, with scikit-learn's usual penalty on its weight."""
    odds = find_odds([each.posterior for each in judged], *CUT)[:, None]
    fitted = LogisticRegression().fit(odds, [each.right for each in judged])
    return Curve(float(fitted.intercept_[0]), float(fitted.coef_[0, 0]))


def fit_curves_without(judged: Sequence[Judged], story: str) -> dict[str, Curve]:
    """Return the curve of each kind, fitted on the films read without that story."""
    others = [each for each in judged if each.group == "read" and each.story != story]
    return {what: fit_curve([each for each in others if each.what == what]) for what in {each.what for each in others}}


def fit_by_folds(judged: Sequence[Judged]) -> NDArray[np.float64]:
    """Return each probability by the curve of its kind that was fitted on the other films read."""
    stated = np.empty(len(judged))
    read = {each.story for each in judged if each.group == "read"}
    left_out = [each.story if each.story in read else "" for each in judged]  # a story with gold is judged by all films read
    for story in set(left_out):
        curves = fit_curves_without(judged, story)
        for place, each in enumerate(judged):
            if left_out[place] == story:
                stated[place] = curves[each.what](each.posterior)
    return stated


def measure_error(stated: NDArray[np.float64], right: NDArray[np.float64]) -> float:
    """Return the calibration error over bins of equal size."""
    bins = np.array_split(np.argsort(stated, kind="stable"), _BINS)
    return float(sum(len(part) * abs(stated[part].mean() - right[part].mean()) for part in bins) / len(stated))


def read_table(path: Path = TABLE) -> list[Judged]:
    """Read the judged links and sentences that `--write` wrote."""
    return [
        Judged(row["what"], row["group"], row["story"], float(row["posterior"]), row["right"] == "1") for row in read_rows(path)
    ]


def measure_movies(movies: Path, embed: Embedder, config: ScriptsConfig) -> Iterator[GoldMovie]:
    """Yield the films read and the stories with gold; a scene's strict index in a film read is its position."""
    for story, read in read_stories(movies, config):
        measured = measure_movie(f"read/{story.unit}", "read", story, read, embed, config)
        yield replace(measured, strict=np.arange(len(story.scenes)), n_scenes=len(story.scenes))
    for name, story in read_units(movies.parent):
        yield measure_movie(name, name.partition("/")[0], story, find_sentences(story, story.gold), embed, config)


def _print(judged: Sequence[Judged], stated: NDArray[np.float64], name: str) -> None:
    numbers = np.random.default_rng(0)
    right = np.array([each.right for each in judged], np.float64)
    posteriors = np.array([each.posterior for each in judged])

    drawn = [numbers.integers(0, len(right), len(right)) for _ in range(1000)]
    errors = [measure_error(stated[places], right[places]) for places in drawn]
    ideal = [measure_error(stated, (numbers.random(len(stated)) < stated).astype(np.float64)) for _ in range(1000)]
    low, high = np.quantile(errors, [0.025, 0.975])
    print(
        f"| {name} | {len(right)} | {measure_error(posteriors, right):.3f} | {measure_error(stated, right):.3f} "
        f"[{low:.3f}, {high:.3f}] | {np.mean(ideal):.3f} | "
        + ", ".join(f"{least:g}: {(stated >= least).sum()}, {right[stated >= least].mean():.2f}" for least in _SURE)
        + " |"
    )


def main() -> None:
    options, config = read_call(__doc__), ScriptsConfig()
    if options.write:
        movies = measure_movies(find_movies(), open_embedder(options.cache), config)
        found = judge_movies(movies, config.alignment, FilterConfig().several_scenes)
        rows = ((each.what, each.group, each.story, f"{each.posterior:.6f}", f"{each.right:d}") for each in found)
        write_rows(TABLE, [field.name for field in fields(Judged)], rows)
    print("| | number | error of the posterior | error | of true probabilities | kept from …: number, share right |")
    print("|---|---|---|---|---|---|")
    for what in ("link", "sentence"):
        judged = [each for each in read_table() if each.what.startswith(what)]
        stated = fit_by_folds(judged)
        for title, groups in (
            ("films read, by folds", ("read",)),
            ("films with gold", ("tripod", "the-apartment", "juno-film")),
            ("episodes with gold", ("friends",)),
        ):
            places = [place for place, each in enumerate(judged) if each.group in groups]
            _print([judged[place] for place in places], stated[places], f"{what}s, {title}")
        for kind in sorted({each.what for each in judged}):
            fitted = fit_curve([each for each in judged if each.group == "read" and each.what == kind])
            print(f"\n{kind}: fitted {fitted}; in use {IN_USE[kind]}")
        print()


if __name__ == "__main__":
    main()
