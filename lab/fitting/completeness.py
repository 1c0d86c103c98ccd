"""Fits the curve of `core.scripts.confidence` on films that were read, and measures it by folds.

    FABULA_CORPORA=DIR python -m lab.fitting.completeness [--cache FOLDER] [--write]

Without options, it fits the curve on `completeness.tsv` and measures it: of each fold one film is left out, fitted on the others,
and judged. `--write` links the films by the default profile first, and writes that table: numbers only. A sentence is whole if
its links have all scenes that tell it by the reading, and one at least does.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from core.scripts.aligning import link_story
from core.scripts.confidence import WHOLE, CompletenessCurve, measure_features
from core.scripts.config import ScriptsConfig
from core.scripts.rows import choose_links
from core.similarity.cosine import Embedder
from lab.fitting.link_probability import measure_error
from lab.fitting.tables import read_call, read_rows, write_rows
from lab.readings.films import find_movies, open_embedder, read_stories

TABLE = Path(__file__).with_name("completeness.tsv")
_FEATURES = ("posterior", "share", "skipped", "missing")
_SURE = (0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    """A sentence of a film that was read: its features, and whether its links have all scenes that tell it."""

    film: str
    features: tuple[float, ...]
    whole: bool


def judge_sentences(movies: Path, embed: Embedder) -> Iterator[JudgedSentence]:
    """Yield every sentence of the films read, linked by the default profile."""
    config = ScriptsConfig()
    for story, gold in read_stories(movies, config):
        links = link_story(story, embed, config)
        chosen = choose_links(links, config.filter)
        scenes = [[each.scene for each in row] for row in chosen]
        features = measure_features(story, links.scenes, scenes, [sum(each.posterior or 0.0 for each in row) for row in chosen])
        for told, linked, row in zip(gold.values(), scenes, features.tolist(), strict=True):
            yield JudgedSentence(story.unit, tuple(row), bool(told) and set(told) <= set(linked))


def fit_completeness(judged: Sequence[JudgedSentence]) -> CompletenessCurve:
    """Return the curve with the highest likelihood, with scikit-learn's usual penalty on the weights."""
    fitted = LogisticRegression(max_iter=1000).fit([each.features for each in judged], [each.whole for each in judged])
    return CompletenessCurve(float(fitted.intercept_[0]), *map(float, fitted.coef_[0]))


def fit_completeness_without(judged: Iterable[JudgedSentence], film: str) -> CompletenessCurve:
    """Return the curve that was fitted on all films but that one."""
    return fit_completeness([each for each in judged if each.film != film])


def state_by_folds(judged: Sequence[JudgedSentence]) -> NDArray[np.float64]:
    """Return the probability of each sentence by the curve that was fitted on the other films."""
    stated = np.empty(len(judged))
    for film in {each.film for each in judged}:
        places = [place for place, each in enumerate(judged) if each.film == film]
        stated[places] = fit_completeness_without(judged, film)(np.array([judged[place].features for place in places]))
    return stated


def read_sentences(path: Path = TABLE) -> list[JudgedSentence]:
    """Read the sentences that `--write` wrote."""
    return [
        JudgedSentence(row["film"], tuple(float(row[feature]) for feature in _FEATURES), row["whole"] == "1")
        for row in read_rows(path)
    ]


def main() -> None:
    options = read_call(__doc__)
    if options.write:
        found = judge_sentences(find_movies(), open_embedder(options.cache))
        rows = ((each.film, *(f"{feature:.5f}" for feature in each.features), f"{each.whole:d}") for each in found)
        write_rows(TABLE, ("film", *_FEATURES, "whole"), rows)
    judged = read_sentences()
    stated, whole = state_by_folds(judged), np.array([each.whole for each in judged], np.float64)
    print(f"{len(judged)} sentences, {whole.mean():.3f} whole; by folds over {len({each.film for each in judged})} films:")
    print(f"  area under the curve {roc_auc_score(whole, stated):.3f}; by the posterior alone", end=" ")
    print(f"{roc_auc_score(whole, [each.features[0] for each in judged]):.3f}")
    print(f"  calibration error {measure_error(stated, whole):.3f}")
    for least in _SURE:
        print(f"  {least:g} or more: {(stated >= least).sum()} sentences, {whole[stated >= least].mean():.2f} whole")
    print(f"fitted {fit_completeness(judged)}; in use {WHOLE}")


if __name__ == "__main__":
    main()
