"""How good a scorer is: how often it ranks the true reply first, and whether it tells intact dialogues from shuffled ones."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

from core.metrics.estimates import Estimate
from core.threads.dialogues import measure_coherence, rate_turns
from core.threads.reply_pairs import PER_POST, ReplyPair
from core.threads.scoring import KnownScores, ReplyScorer, ScoreRequest
from core.threads.segments import Sentences

_RESAMPLES = 2_000


def rate_share(hits: int, total: int, level: float = 0.95) -> Estimate | None:
    """Return a share with Wilson's interval, None without trials."""
    if not total:
        return None
    interval = binomtest(hits, total).proportion_ci(level, method="wilson")
    return Estimate(hits / total, float(interval.low), float(interval.high))


def find_hits(pairs: Sequence[ReplyPair], others: Sequence[Sequence[Sentences]], scorer: ReplyScorer) -> NDArray[np.float64]:
    """Return for each pair 1 where the true reply scores higher than all its `others`, else 0 (n_pairs)."""
    asked = [
        [pair.request, *(ScoreRequest(pair.context, other) for other in found)] for pair, found in zip(pairs, others, strict=True)
    ]
    scores = [scorer(requests) for requests in asked]
    return np.array([found[0] > found[1:].max() for found in scores], np.float64)


def estimate_rates(pairs: Sequence[ReplyPair], hits: Sequence[NDArray[np.float64]], level: float = 0.95) -> list[Estimate]:
    """Return the mean of each array of `hits` (recall@1), with an interval by drawing posts again, 2,000 times.

    Whole posts are drawn, since the replies of one post are not independent of each other.
    """
    places: dict[str, list[int]] = {}
    for place, pair in enumerate(pairs):
        places.setdefault(pair.post, []).append(place)
    table = np.column_stack(hits)
    sums = np.array([table[found].sum(axis=0) for found in places.values()])
    sizes = np.array([len(found) for found in places.values()])
    numbers = np.random.default_rng(0)
    drawn = [numbers.integers(0, len(sizes), len(sizes)) for _ in range(_RESAMPLES)]
    means = np.stack([sums[chosen].sum(axis=0) / sizes[chosen].sum() for chosen in drawn])
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return [Estimate(*map(float, row)) for row in zip(table.mean(axis=0), low, high, strict=True)]


def measure_recall(
    pairs: Sequence[ReplyPair], others: Sequence[Sequence[Sentences]], scorers: Mapping[str, ReplyScorer]
) -> dict[str, Any]:
    """Return recall@1 of each scorer among the true reply and its `others`, for replies to posts and to comments apart.

    With two scorers also the difference of the first to the second. `pairs` counts the replies, `posts` their posts.
    """
    report: dict[str, Any] = {}
    for kind in PER_POST:
        chosen = [(pair, found) for pair, found in zip(pairs, others, strict=True) if pair.kind == kind]
        if not chosen:
            continue
        asked, false = [pair for pair, _ in chosen], [found for _, found in chosen]
        hits = {name: find_hits(asked, false, scorer) for name, scorer in scorers.items()}
        if len(hits) == 2:
            one, other = hits.values()
            hits["difference"] = one - other
        rates = dict(zip(hits, estimate_rates(asked, list(hits.values())), strict=True))
        counts = {"pairs": len(asked), "posts": len({pair.post for pair in asked})}
        report[f"replies to {kind}s"] = {**counts, **{name: asdict(rate) for name, rate in rates.items()}}
    return report


def measure_separation(
    dialogues: Sequence[Sequence[Sentences]], scorer: ReplyScorer, longest_context: int, seed: int = 0
) -> Estimate | None:
    """Return how often a dialogue is more coherent than with its turns shuffled, with Wilson's interval.

    Dialogues of fewer than three turns are left out. The order that is drawn is never the dialogue's own.

    Reference: thesis, section 3.2.5: what the post-filter has to be able to do.
    """
    draw = Random(seed)
    hits = total = 0
    for utterances in dialogues:
        if len(utterances) < 3:
            continue
        shuffled = list(utterances)
        while shuffled == list(utterances):
            draw.shuffle(shuffled)
            if len(set(utterances)) == 1:
                break
        scores = KnownScores(scorer)
        intact, mixed = (measure_coherence(rate_turns(each, scores, longest_context)) for each in (utterances, shuffled))
        hits += intact > mixed
        total += 1
    return rate_share(hits, total)
