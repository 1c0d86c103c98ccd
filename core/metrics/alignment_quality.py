"""Quality of an alignment against gold: of sentences with scenes (SumTitles, section 4.1), with spans of turns (CRD3, A.1)."""

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.metrics.estimates import PERCENTILES, Estimate, bootstrap_means


@dataclass(frozen=True, slots=True)
class IndicatorCounts:
    """Counts of cells (scene, sentence) in the algorithm's and the human's indicator matrix. Counts of movies add up."""

    both: int = 0  # 1 in both matrices
    ours: int = 0
    gold: int = 0
    cells: int = 0  # all N · M

    def __add__(self, other: "IndicatorCounts") -> "IndicatorCounts":
        return IndicatorCounts(self.both + other.both, self.ours + other.ours, self.gold + other.gold, self.cells + other.cells)

    def report(self) -> dict[str, float | None]:
        """Return the measures by name, None where nothing is divided by; `iou` is what the paper calls precision (eq. 2)."""
        iou = _divide(self.both, self.ours + self.gold - self.both)
        return {
            "accuracy": _divide(self.cells - self.ours - self.gold + 2 * self.both, self.cells),  # eq. 1
            "iou": iou,
            "paper_precision": iou,
            "recall": _divide(self.both, self.gold),  # eq. 3
            "precision": _divide(self.both, self.ours),
            "f1": _divide(2 * self.both, self.ours + self.gold),
        }


def _divide(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def count_indicators(predicted: Sequence[Collection[int]], gold: Sequence[Collection[int]], n_scenes: int) -> IndicatorCounts:
    """Count the cells of one movie (SumTitles, section 4.1); scenes are 0-based, and −1 (before the first) has no cell."""
    counts = IndicatorCounts()
    for ours, theirs in zip(predicted, gold, strict=True):
        own, human = _keep_scenes(ours, n_scenes), _keep_scenes(theirs, n_scenes)
        counts += IndicatorCounts(len(own & human), len(own), len(human), n_scenes)
    return counts


@dataclass(frozen=True, slots=True)
class Link:
    """Whether a sentence's predicted scene is a gold scene, and its distance to the nearest one as a share of all scenes."""

    hit: bool
    distance: float


def judge_links(predicted: Sequence[int], gold: Sequence[Collection[int]], n_scenes: int) -> list[Link]:
    """Compare the scene predicted for each sentence of a movie with gold; sentences without a gold scene ≥ 0 are left out."""
    links = []
    for scene, theirs in zip(predicted, gold, strict=True):
        _keep_scenes([scene], n_scenes)
        if _keep_scenes(theirs, n_scenes):
            links.append(Link(scene in theirs, min(abs(scene - other) for other in theirs) / n_scenes))
    return links


@dataclass(frozen=True, slots=True)
class LinkRates:
    """Rates over gold links: their number, the share of hits, and the mean distance in % of the script's scenes."""

    links: int
    hit_rate: Estimate
    distance_percent: Estimate


def rate_links(links: Iterable[Link]) -> LinkRates | None:
    """Return the rates over links, which count as independent (percentile bootstrap, Efron 1979); None without any."""
    judged = list(links)
    if not judged:
        return None
    values = np.array([[link.hit, 100 * link.distance] for link in judged], np.float64)
    hit_rate, distance = bootstrap_means(values)
    return LinkRates(len(judged), hit_rate, distance)


def _keep_scenes(scenes: Collection[int], n_scenes: int) -> set[int]:
    """Return the distinct scenes, without −1."""
    if scenes and not -1 <= min(scenes) <= max(scenes) < n_scenes:
        raise ValueError(f"found scenes {sorted(scenes)}: expected numbers from −1 to {n_scenes - 1}")
    return {scene for scene in scenes if scene >= 0}


_SUMS = 7  # sums of: spans, shared turns, predicted turns, gold turns, and each span's precision, recall and F1


@dataclass(frozen=True, slots=True)
class SpanMatch:
    """The shared turns of a predicted and a gold span, and the lengths of both; `predicted` is 0 if nothing was predicted."""

    inside: int
    predicted: int
    gold: int

    @property
    def precision(self) -> float:
        """Share of the predicted turns that lie in the gold span; 0 if nothing was predicted."""
        return self.inside / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        """Share of the gold turns that were predicted."""
        return self.inside / self.gold

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return 2 * self.inside / (self.predicted + self.gold)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Precision, recall and F1, each with its confidence interval."""

    precision: Estimate
    recall: Estimate
    f1: Estimate


@dataclass(frozen=True, slots=True)
class SpanRates:
    """Agreement over several spans. `pooled` adds up their turns, so long spans weigh most; `macro` is the mean over spans."""

    spans: int
    pooled: Agreement
    macro: Agreement


def match_span(start: int | None, end: int | None, gold_start: int, gold_end: int) -> SpanMatch:
    """Compare the turns `start` to `end` (inclusive; None: nothing predicted) with the gold span, as in CRD3, appendix A.1."""
    if gold_end < gold_start:
        raise ValueError(f"found a gold span of turns {gold_start} to {gold_end}: expected at least one turn")
    gold = gold_end - gold_start + 1
    if start is None or end is None:
        return SpanMatch(0, 0, gold)
    return SpanMatch(max(0, min(end, gold_end) - max(start, gold_start) + 1), end - start + 1, gold)


def measure_overlap(one: tuple[int | None, int | None], other: tuple[int | None, int | None]) -> float:
    """Return the F1 of two spans of turns (first and last, inclusive; None: no turn); 1 where both have no turn."""
    (start, end), (other_start, other_end) = one, other
    if other_start is None or other_end is None:
        return float(start is None)
    return match_span(start, end, other_start, other_end).f1


def rate_spans(
    matches: Sequence[SpanMatch], blocks: Sequence[Hashable], resamples: int = 10_000, seed: int = 0
) -> SpanRates | None:
    """Return the agreement of the spans, or None without spans.

    Intervals are percentile bootstraps over `blocks` (one per span): the spans of a block depend on each other, such as chunks of
    several sizes over the same sentences.

    Reference: CRD3, appendix A.1; Künsch, "The Jackknife and the Bootstrap for General Stationary Observations", 1989.
    """
    if not matches:
        return None
    sums = _sum_blocks(matches, blocks)
    numbers = np.random.default_rng(seed)
    drawn = numbers.multinomial(len(sums), np.full(len(sums), 1 / len(sums)), resamples) @ sums
    values = _figures(sums.sum(axis=0))
    low, high = np.quantile(_figures(drawn), PERCENTILES, axis=0)
    found = [Estimate(*map(float, column)) for column in zip(values, low, high, strict=True)]
    return SpanRates(len(matches), Agreement(*found[:3]), Agreement(*found[3:]))


def _sum_blocks(matches: Sequence[SpanMatch], blocks: Sequence[Hashable]) -> NDArray[np.float64]:
    """Return the sums of each block (n_blocks × `_SUMS`)."""
    places: dict[Hashable, int] = {}
    sums = np.zeros((len(set(blocks)), _SUMS))
    for match, block in zip(matches, blocks, strict=True):
        place = places.setdefault(block, len(places))
        sums[place] += (1, match.inside, match.predicted, match.gold, match.precision, match.recall, match.f1)
    return sums


def _figures(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the six figures for each row of sums (… × 6): pooled precision, recall and F1, then their means over spans."""
    spans, inside, predicted, gold = (sums[..., place] for place in range(4))
    parts, wholes = (inside, inside, 2 * inside), (predicted, gold, predicted + gold)
    pooled = [np.divide(a, b, out=np.zeros_like(a), where=b > 0) for a, b in zip(parts, wholes, strict=True)]
    return np.stack([*pooled, *(sums[..., place] / spans for place in range(4, _SUMS))], axis=-1)
