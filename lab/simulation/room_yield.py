"""Simulates people who judge sentences in some order: how many room descriptions they find, and what a ranker learns.

python -m lab.simulation.room_yield GOLD [--json]      # GOLD: a folder as that of `fabula evaluate rooms --gold`
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from json import dumps
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.errors import ConfigError
from core.metrics.estimates import Estimate
from core.rooms.config import RoomsConfig
from core.rooms.ranker import average_precision, choose_likely, choose_next, divide_folds, fit_ranker, name_features
from infra.models.sentence_embedder import SentenceEmbedder
from tasks.rooms.evaluation import make_ready
from tasks.rooms.labels import read_gold

Order = Literal["random", "score", "useful", "likely"]
ORDERS: tuple[Order, ...] = ("random", "score", "useful", "likely")
"""In which order sentences are read: at random; by score; by `choose_next`; by the ranker's probability, the highest first.

The last two begin with a batch of which half has the highest score and half is drawn at random. Each batch trains a ranker.
"""
RESAMPLES = 500
_INTERVAL = (0.025, 0.975)
_SEED = 17


@dataclass(frozen=True, slots=True)
class Reviewed:
    """Labelled sentences made ready (n): their labels, episodes, scores, features (n × features) and vectors of length 1."""

    labels: NDArray[np.bool_]
    groups: Sequence[str]
    scores: NDArray[np.float64]
    rows: NDArray[np.float64]
    vectors: NDArray[np.float32]
    features: tuple[str, ...]

    def take(self, chosen: NDArray[np.int64]) -> "Reviewed":
        """Return some of the sentences."""
        groups = [self.groups[place] for place in chosen]
        return Reviewed(self.labels[chosen], groups, self.scores[chosen], self.rows[chosen], self.vectors[chosen], self.features)


@dataclass(frozen=True, slots=True)
class YieldPoint:
    """What was found after `read` sentences.

    `found`: room descriptions for each sentence that was read. `recall`: share of all room descriptions of the pool. `learned`:
    average precision, on episodes that nobody read, of a ranker that is trained on what was read; None where it cannot be.
    """

    read: int
    found: Estimate
    recall: Estimate
    learned: float | None


@dataclass(frozen=True, slots=True)
class YieldCurves:
    """The curve of each order; `pool` sentences could be read in a simulation, of which the share `base` are descriptions."""

    pool: float
    base: float
    curves: Mapping[Order, tuple[YieldPoint, ...]]


def simulate_yield(ready: Reviewed, batch: int, batches: int, seeds: int) -> YieldCurves:
    """Return the yield curves of all orders.

    For each of the folds by episode, and each seed, the sentences of the other folds are the pool, and the ranker's learning is
    measured on the fold. Intervals are over simulations and over the episodes of their pools, both drawn anew `RESAMPLES` times.

    Args:
        ready: the labelled sentences.
        batch: sentences that are judged before the ranker is trained anew.
        batches: how many batches are read.
        seeds: simulations of each fold.

    Raises:
        ConfigError: there are too few labels for folds.
    """
    pools, readings = [], {order: list[list[int]]() for order in ORDERS}
    learned: dict[Order, list[NDArray[np.float64]]] = {order: [] for order in ORDERS}
    folds = divide_folds(ready.labels, ready.groups)
    for seed in range(seeds):
        held_out = {order: np.full((batches, len(ready.labels)), np.nan) for order in ORDERS}
        for place, fold in enumerate(folds):
            pool, test = ready.take(np.flatnonzero(~fold)), ready.take(np.flatnonzero(fold))
            pools.append(pool)
            for order in ORDERS:
                read, ranked = _read(pool, test, order, batch, batches, np.random.default_rng([_SEED, seed, place]))
                readings[order].append(read)
                held_out[order][:, fold] = ranked
        for order in ORDERS:
            learned[order].append(held_out[order])
    steps = [batch * (number + 1) for number in range(batches)]
    curves = {}
    for order in ORDERS:
        found, recall = _estimate(pools, readings[order], steps)
        quality = [_rate(ready.labels, [values[number] for values in learned[order]]) for number in range(batches)]
        points = zip(steps, found, recall, quality, strict=True)
        curves[order] = tuple(YieldPoint(step, share, all_found, rated) for step, share, all_found, rated in points)
    sizes, base = [len(pool.labels) for pool in pools], [pool.labels.mean() for pool in pools]
    return YieldCurves(float(np.mean(sizes)), float(np.mean(base)), curves)


def _read(
    pool: Reviewed, test: Reviewed, order: Order, batch: int, batches: int, generator: np.random.Generator
) -> tuple[list[int], NDArray[np.float64]]:
    """Return the indices of the pool in the order of reading, and the test's probabilities after each batch (NaN: no ranker)."""
    shuffled = generator.permutation(len(pool.labels))
    by_score = shuffled[np.argsort(-pool.scores[shuffled], kind="stable")]
    fixed = {"random": shuffled, "score": by_score}.get(order)
    read: list[int] = []
    ranked = np.full((batches, len(test.labels)), np.nan)
    probabilities: NDArray[np.float64] | None = None
    for number in range(batches):
        free = np.setdiff1d(np.arange(len(pool.labels)), read)
        if not len(free):  # everything is read
            ranked[number:] = ranked[number - 1]
            break
        if fixed is not None:
            read += fixed[number * batch : (number + 1) * batch].tolist()
        elif probabilities is None:  # nothing is learned yet
            unread = set(free.tolist())
            best = [int(place) for place in by_score if place in unread][: batch // 2]
            read += [
                *best,
                *[int(place) for place in shuffled if place in unread and place not in set(best)][: batch - len(best)],
            ]
        elif order == "likely":
            read += free[choose_likely(probabilities[free], batch)].tolist()
        else:
            chosen = choose_next(probabilities[free], pool.vectors[free], pool.vectors[read], batch)
            read += free[chosen].tolist()
        judged = pool.take(np.asarray(read, np.int64))
        try:
            ranker = fit_ranker(judged.rows, judged.labels, judged.groups, pool.features)
        except ConfigError:
            continue  # too few of a class, or of episodes
        probabilities = ranker.rank(pool.rows)
        ranked[number] = ranker.rank(test.rows)
    return read, ranked


def _estimate(
    pools: Sequence[Reviewed], readings: Sequence[Sequence[int]], steps: Sequence[int]
) -> tuple[list[Estimate], list[Estimate]]:
    """Return for each number of sentences read the yield and the recall, with intervals over simulations and their episodes."""
    plain = np.array([_follow(pool, read, np.ones(len(pool.labels)), steps) for pool, read in zip(pools, readings, strict=True)])
    generator = np.random.default_rng(_SEED)
    codes = [np.unique(np.asarray(pool.groups), return_inverse=True)[1] for pool in pools]
    drawn = []
    for _ in range(RESAMPLES):
        place = int(generator.integers(len(pools)))
        count = int(codes[place].max()) + 1
        weights = np.bincount(generator.integers(0, count, count), minlength=count)[codes[place]].astype(float)
        drawn.append(_follow(pools[place], readings[place], weights, steps))
    low, high = np.quantile(np.array(drawn), _INTERVAL, axis=0)
    values = plain.mean(0)
    found, recall = (
        [Estimate(*map(float, figures)) for figures in zip(values[row], low[row], high[row], strict=True)] for row in (0, 1)
    )
    return found, recall


def _follow(pool: Reviewed, read: Sequence[int], weights: NDArray[np.float64], steps: Sequence[int]) -> NDArray[np.float64]:
    """Return yield and recall (2 × steps) where sentence i counts `weights[i]` times."""
    places = np.asarray(read, np.int64)
    found, seen = count_found(pool.labels, read, weights), np.cumsum(weights[places])
    at = np.minimum(np.asarray(steps), len(places)) - 1
    everything = max(float(weights[pool.labels].sum()), 1e-9)
    return np.stack([found[at] / np.maximum(seen[at], 1e-9), found[at] / everything])


def _rate(labels: NDArray[np.bool_], ranked: Sequence[NDArray[np.float64]]) -> float | None:
    """Return the mean average precision of the seeds; None where a fold has no ranker in one of them."""
    if any(np.isnan(values).any() for values in ranked):
        return None
    return float(np.mean([average_precision(labels, values) for values in ranked]))


def count_found(
    labels: NDArray[np.bool_], read: Sequence[int], weights: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return how many room descriptions were found after each sentence that was read (len(read)); each counts as its weight."""
    places = np.asarray(read, np.int64)
    counted = np.ones(len(labels)) if weights is None else weights
    found: NDArray[np.float64] = np.cumsum(counted[places] * labels[places])
    return found


def simulate_gold(gold: str, config: RoomsConfig) -> YieldCurves:
    """Return what a review of labelled sentences would find in each order; those of an unsure kind are left out."""
    sure = [each for each in read_gold(gold).sentences if not each.apart]
    embedder = SentenceEmbedder(config.analysis.embedding_model)
    ready = make_ready([each.text for each in sure], config.analysis, config.weights, embedder)
    rooms, groups = np.array([each.room for each in sure]), [each.episode for each in sure]
    reviewed = Reviewed(rooms, groups, ready.scores, ready.rows, ready.vectors, name_features(ready.vectors.shape[1]))
    return simulate_yield(reviewed, batch=50, batches=10, seeds=4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", help="folder with *.jsonl: text, label, kind and episode")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    curves = simulate_gold(given.gold, RoomsConfig())
    if given.json:
        print(dumps(asdict(curves)))
        return
    print("order\tread\tfound a sentence\tof all\tlearned")
    for order, points in curves.curves.items():
        for point in points:
            found, recall = (f"{each.value:.2f} ({each.low:.2f} to {each.high:.2f})" for each in (point.found, point.recall))
            print(order, point.read, found, recall, "–" if point.learned is None else f"{point.learned:.3f}", sep="\t")


if __name__ == "__main__":
    main()
