"""How good links of synopsis sentences to scenes are: the measures of SumTitles, and hits and distances on gold links."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Indicators = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class LinkScores:
    """Measures over all cells of a matrix of sentences × scenes; None where a denominator is 0.

    `accuracy`, `union_precision` (the paper's "Precision": an intersection over union) and `recall` are eq. 1 to 3 of SumTitles,
    section 4.1; `precision` and `f1` are the usual ones.
    """

    accuracy: float | None
    union_precision: float | None
    recall: float | None
    precision: float | None
    f1: float | None


@dataclass(frozen=True, slots=True)
class Hit:
    """What became of one gold sentence: linked to one of its gold scenes or not, and how far off, in % of the script's scenes."""

    hit: bool
    distance: float


def score_links(linked: Indicators, gold: Indicators) -> LinkScores:
    """Compare two indicator matrices of one shape (n_sentences × n_scenes): links that were found, and gold links."""
    if linked.shape != gold.shape:
        raise ValueError(f"links and gold must have one shape, not {linked.shape} and {gold.shape}")
    both, either = int((linked & gold).sum()), int((linked | gold).sum())
    n_linked, n_gold = int(linked.sum()), int(gold.sum())
    return LinkScores(
        accuracy=float((linked == gold).mean()) if linked.size else None,
        union_precision=both / either if either else None,
        recall=both / n_gold if n_gold else None,
        precision=both / n_linked if n_linked else None,
        f1=2 * both / (n_linked + n_gold) if n_linked + n_gold else None,
    )


def judge_link(scene: int, gold: Sequence[int], n_scenes: int) -> Hit:
    """Compare the scene a sentence was linked to with its gold scenes (one or more), in a script of `n_scenes`."""
    distance = min(abs(scene - other) for other in gold)
    return Hit(distance == 0, 100 * distance / n_scenes)


def bootstrap_interval(
    groups: Sequence[Sequence[float]], level: float = 0.95, n_samples: int = 10_000, seed: int = 0
) -> tuple[float, float]:
    """Return the percentile interval of the mean over all values, by resampling groups (movies) and then values within them.

    With one group only its values are resampled. Raises ValueError where there is no value.
    """
    filled = [np.asarray(group, dtype=np.float64) for group in groups if len(group)]
    if not filled:
        raise ValueError("an interval needs at least one value")
    rng = np.random.default_rng(seed)
    means = np.empty(n_samples)
    for sample in range(n_samples):
        drawn = [filled[place] for place in rng.integers(len(filled), size=len(filled))]
        values = np.concatenate([group[rng.integers(group.size, size=group.size)] for group in drawn])
        means[sample] = values.mean()
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
