"""Fits the curves of `core.scripts.link_probability` on the links of stories with gold, and measures them by folds over stories.

    FABULA_CORPORA=DIR python -m benchmarks.fit_link_probability [--cache FOLDER] [--write]

`--write` aligns the stories with gold by the default profile and writes `link_probability.tsv`: numbers only. Without it, the
curves are fitted on that file as it is. Of each fold, one story is left out, fitted on all others, and judged. The calibration
error is the mean distance of stated and observed shares over bins of equal size. It is not 0 for true probabilities either, since
bins are small: its mean for these is printed beside it, and the interval is a bootstrap over links.
"""

import argparse
import csv
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from benchmarks.quality_scripts import KeptVectors, measure, read_units
from core.alignment.posterior import link_posteriors
from core.alignment.restricted_dtw import assign_scenes
from core.scripts.aligning import combine, weigh_evidence
from core.scripts.config import FilterConfig, default_config
from core.scripts.link_probability import LINK, SENTENCE, Curve, logit
from core.scripts.links import LEAST_POSTERIOR

TABLE = Path(__file__).with_name("link_probability.tsv")
_BINS = 6


@dataclass(frozen=True, slots=True)
class Judged:
    """A link (`what` = "link") or a sentence with all its links ("sentence"), its posterior, and whether gold has it."""

    what: str
    story: str
    series: bool
    scenes: int
    posterior: float
    right: bool


def judge_stories(folder: Path, cache: Path | None) -> Iterator[Judged]:
    """Yield every candidate link of the sentences with gold, and every such sentence, aligned by the default profile."""
    config, several = default_config().alignment, FilterConfig().several_scenes
    embed = KeptVectors(cache)
    for movie in measure(list(read_units(folder)), embed, default_config()):
        shape = next(iter(movie.similarities.values())).shape
        combined = combine(movie.similarities, config.weights, (shape[0], shape[1]))
        posteriors = link_posteriors(weigh_evidence(combined, config.background, config.neighbours))
        chosen = assign_scenes(posteriors)
        story, series = movie.name.split("/")[1], movie.group == "friends"
        for sentence, gold in sorted(movie.gold.items()):
            row, right = posteriors[sentence], np.isin(movie.strict, gold)
            best = np.arange(shape[1]) == chosen[sentence]
            for scene in np.flatnonzero((row >= LEAST_POSTERIOR) | best):
                yield Judged("link", story, series, shape[1], float(row[scene]), bool(right[scene]))
            linked = (row >= several) | best
            yield Judged("sentence", story, series, shape[1], float(row[linked].sum()), bool(right[linked].any()))
    embed.keep()


def fit_curve(judged: Sequence[Judged]) -> Curve:
    """Return the curve with the highest likelihood, with scikit-learn's usual penalty on its weights."""
    fitted = LogisticRegression().fit(_features(judged), [each.right for each in judged])
    return Curve(float(fitted.intercept_[0]), *(float(weight) for weight in fitted.coef_[0]))


def fit_by_folds(judged: Sequence[Judged]) -> NDArray[np.float64]:
    """Return each probability by the curve that was fitted on all other stories."""
    stated = np.empty(len(judged))
    for story in {each.story for each in judged}:
        curve = fit_curve([each for each in judged if each.story != story])
        for place, each in enumerate(judged):
            if each.story == story:
                stated[place] = curve(each.posterior, each.scenes)
    return stated


def measure_error(stated: NDArray[np.float64], right: NDArray[np.float64]) -> float:
    """Return the calibration error over bins of equal size."""
    bins = np.array_split(np.argsort(stated, kind="stable"), _BINS)
    return float(sum(len(part) * abs(stated[part].mean() - right[part].mean()) for part in bins) / len(stated))


def read_table(path: Path = TABLE) -> list[Judged]:
    """Read the judged links and sentences that `--write` wrote."""
    with path.open(encoding="utf-8", newline="") as stream:
        return [
            Judged(
                row["what"], row["story"], row["series"] == "1", int(row["scenes"]), float(row["posterior"]), row["right"] == "1"
            )
            for row in csv.DictReader(stream, delimiter="\t")
        ]


def _features(judged: Sequence[Judged]) -> NDArray[np.float64]:
    return np.column_stack([logit([each.posterior for each in judged]), np.log([each.scenes for each in judged])])


def _write(judged: Sequence[Judged]) -> None:
    lines = ["\t".join(("what", "story", "series", "scenes", "posterior", "right"))]
    lines += [
        f"{each.what}\t{each.story}\t{each.series:d}\t{each.scenes}\t{each.posterior:.6f}\t{each.right:d}" for each in judged
    ]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _draw_errors(count: int, draw: Callable[[], tuple[NDArray[np.float64], NDArray[np.float64]]]) -> NDArray[np.float64]:
    return np.array([measure_error(*draw()) for _ in range(count)])


def _print(judged: Sequence[Judged], stated: NDArray[np.float64], name: str) -> None:
    numbers = np.random.default_rng(0)
    right = np.array([each.right for each in judged], np.float64)
    posteriors = np.array([each.posterior for each in judged])

    def redraw() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        places = numbers.integers(0, len(right), len(right))
        return stated[places], right[places]

    errors = _draw_errors(1000, redraw)
    ideal = _draw_errors(1000, lambda: (stated, (numbers.random(len(stated)) < stated).astype(np.float64)))
    low, high = np.quantile(errors, [0.025, 0.975])
    print(
        f"| {name} | {len(right)} | {measure_error(posteriors, right):.3f} | {measure_error(stated, right):.3f} "
        f"[{low:.3f}, {high:.3f}] | {ideal.mean():.3f} | "
        + ", ".join(
            f"{least:g}: {(stated >= least).sum()}, {right[stated >= least].mean():.2f}" for least in (0.4, 0.5, 0.6, 0.7)
        )
        + " |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, help="folder for the sentence vectors")
    parser.add_argument("--write", action="store_true", help="align the stories with gold, and write the table anew")
    options = parser.parse_args()
    if options.write:
        _write(list(judge_stories(Path(os.environ["FABULA_CORPORA"]) / "scripts", options.cache)))
    print("| | number | error of the posterior | error by folds | of true probabilities | kept from …: number, share right |")
    print("|---|---|---|---|---|---|")
    for what, current in (("link", LINK), ("sentence", SENTENCE)):
        judged = [each for each in read_table() if each.what == what]
        stated = fit_by_folds(judged)
        for series in (False, True):
            places = [place for place, each in enumerate(judged) if each.series == series]
            _print([judged[place] for place in places], stated[places], f"{what}s, {'episodes' if series else 'films'}")
        print(f"\n{what}: fitted {fit_curve(judged)}; in use {current}\n")


if __name__ == "__main__":
    main()
