"""Quality of an alignment of sentences with scenes (section 4.1): measures of indicator matrices, and rates over gold links."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class IndicatorCounts:
    """Counts of cells (scene, sentence) in the algorithm's and the human's indicator matrix. Counts of movies add up.

    Attributes:
        both: the cells that are 1 in both matrices.
        ours: the cells that are 1 in the algorithm's matrix.
        gold: the cells that are 1 in the human's matrix.
        cells: all N · M cells.
    """

    both: int = 0
    ours: int = 0
    gold: int = 0
    cells: int = 0

    def __add__(self, other: "IndicatorCounts") -> "IndicatorCounts":
        return IndicatorCounts(self.both + other.both, self.ours + other.ours, self.gold + other.gold, self.cells + other.cells)

    @property
    def accuracy(self) -> float | None:
        """Share of the cells on which both matrices agree (eq. 1); None without cells."""
        return (self.cells - self.ours - self.gold + 2 * self.both) / self.cells if self.cells else None

    @property
    def iou(self) -> float | None:
        """Intersection over union, which the paper calls precision (eq. 2); None if both matrices are empty."""
        union = self.ours + self.gold - self.both
        return self.both / union if union else None

    @property
    def recall(self) -> float | None:
        """Share of the human's cells that the algorithm has too (eq. 3); None if there are none."""
        return self.both / self.gold if self.gold else None

    @property
    def precision(self) -> float | None:
        """Share of the algorithm's cells that the human has too (precision in the usual sense); None if there are none."""
        return self.both / self.ours if self.ours else None

    @property
    def f1(self) -> float | None:
        """Harmonic mean of the usual precision and recall; None if both matrices are empty."""
        return 2 * self.both / (self.ours + self.gold) if self.ours + self.gold else None

    def report(self) -> dict[str, float | None]:
        """Return the measures by name; `paper_precision` is `iou` under the paper's name."""
        return {
            "accuracy": self.accuracy,
            "iou": self.iou,
            "paper_precision": self.iou,
            "recall": self.recall,
            "precision": self.precision,
            "f1": self.f1,
        }


def count_indicators(predicted: Sequence[Collection[int]], gold: Sequence[Collection[int]], n_scenes: int) -> IndicatorCounts:
    """Count the cells of one movie.

    Args:
        predicted: the scenes that the algorithm gave each sentence.
        gold: the scenes that a human gave each sentence.
        n_scenes: the number of scenes. Scenes are 0-based; −1 (before the first heading) is not a scene and has no cell.

    Raises ValueError if the numbers of sentences differ or a scene is not from −1 to `n_scenes` − 1.

    Reference: SumTitles, section 4.1, eq. 1 to 3.
    """
    counts = IndicatorCounts()
    for ours, theirs in zip(predicted, gold, strict=True):
        own, human = _keep_scenes(ours, n_scenes), _keep_scenes(theirs, n_scenes)
        counts += IndicatorCounts(len(own & human), len(own), len(human), n_scenes)
    return counts


@dataclass(frozen=True, slots=True)
class Link:
    """A sentence's predicted scene, compared with its gold scenes.

    `hit` tells whether the scene is a gold scene. `distance` is the number of scenes to the nearest gold scene, as a share of all
    scenes of the movie.
    """

    hit: bool
    distance: float


def judge_links(predicted: Sequence[int], gold: Sequence[Collection[int]], n_scenes: int) -> list[Link]:
    """Compare the scene predicted for each sentence of a movie with gold. Sentences without a gold scene from 0 on are left out.

    −1, the text before the first heading, counts as a scene before the first if it is predicted, or if it is gold together with
    other scenes. Raises ValueError as `count_indicators` does.
    """
    links = []
    for scene, theirs in zip(predicted, gold, strict=True):
        _keep_scenes([scene], n_scenes)
        if _keep_scenes(theirs, n_scenes):
            links.append(Link(scene in theirs, min(abs(scene - other) for other in theirs) / n_scenes))
    return links


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class LinkRates:
    """Rates over gold links: their number, the share of hits, and the mean distance in % of the script's scenes."""

    links: int
    hit_rate: Estimate
    distance_percent: Estimate


def rate_links(links: Iterable[Link], level: float = 0.95, resamples: int = 10_000, seed: int = 0) -> LinkRates | None:
    """Return the rates over the links of one or several movies, or None without links.

    Intervals are percentile bootstraps over links; equal seeds give equal intervals. Links count as independent, so an interval
    over few movies is somewhat too narrow.

    Reference: Efron, "Bootstrap Methods: Another Look at the Jackknife", 1979.
    """
    judged = list(links)
    if not judged:
        return None
    values = np.array([[link.hit, 100 * link.distance] for link in judged], np.float64)
    hit_rate, distance = bootstrap_means(values, level, resamples, seed)
    return LinkRates(len(judged), hit_rate, distance)


def bootstrap_means(values: NDArray[np.float64], level: float, resamples: int, seed: int) -> list[Estimate]:
    """Return the mean of each column and its percentile interval. Rows are drawn, so all columns are drawn together."""
    numbers = np.random.default_rng(seed)
    drawn = np.stack([values[numbers.integers(0, len(values), len(values))].mean(axis=0) for _ in range(resamples)])
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
    columns = zip(values.mean(axis=0), low, high, strict=True)
    return [Estimate(float(mean), float(bottom), float(top)) for mean, bottom, top in columns]


def _keep_scenes(scenes: Collection[int], n_scenes: int) -> set[int]:
    """Return the distinct scenes, without −1."""
    if scenes and not -1 <= min(scenes) <= max(scenes) < n_scenes:
        raise ValueError(f"found scenes {sorted(scenes)}: expected numbers from −1 to {n_scenes - 1}")
    return {scene for scene in scenes if scene >= 0}
