"""Agreement of predicted spans of turns with gold spans: precision, recall and F1 in turns, with bootstrap intervals."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.metrics.alignment_quality import Estimate

_SUMS = 7  # sums of: spans, shared turns, predicted turns, gold turns, and each span's precision, recall and F1


@dataclass(frozen=True, slots=True)
class SpanMatch:
    """A predicted span compared with the gold span, in turns.

    `inside` is the number of shared turns, `predicted` and `gold` are the lengths of the two spans. `predicted` is 0 if nothing
    was predicted; then all gold turns are missed.
    """

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
    """Compare the turns `start` to `end` with the gold span. Both ends are inclusive; None means that nothing was predicted.

    Raises ValueError for an empty gold span.

    Reference: CRD3, appendix A.1: a turn inside both is a true positive, one inside only the predicted span a false positive, one
    inside only the gold span a false negative.
    """
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
    matches: Sequence[SpanMatch], blocks: Sequence[Hashable], level: float = 0.95, resamples: int = 10_000, seed: int = 0
) -> SpanRates | None:
    """Return the agreement of the spans, or None without spans.

    Intervals are percentile bootstraps over `blocks` (one per span). The spans of a block are drawn together because they depend
    on each other, such as chunks of several sizes over the same sentences. Equal seeds give equal intervals. Raises ValueError if
    the lengths differ.

    Reference: CRD3, appendix A.1, for the figures; Künsch, "The Jackknife and the Bootstrap for General Stationary
    Observations", 1989, for resampling blocks.
    """
    if not matches:
        return None
    sums = _sum_blocks(matches, blocks)
    numbers = np.random.default_rng(seed)
    drawn = numbers.multinomial(len(sums), np.full(len(sums), 1 / len(sums)), resamples) @ sums
    values = _figures(sums.sum(axis=0))
    low, high = np.quantile(_figures(drawn), [(1 - level) / 2, (1 + level) / 2], axis=0)
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
