"""Evaluating `threads`: whether the scorer tells dialogues of a store from shuffled ones, and what raters judged."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from random import Random
from typing import Any

from scipy.stats import binomtest

from core.errors import ConfigError
from core.metrics.estimates import Estimate
from core.references import UnitReference
from core.review.agreement import compare_items, measure_agreement, measure_position_bias, rate_items
from core.review.judgements import keep_latest, select_question
from core.threads.config import ThreadsConfig
from core.threads.dialogues import Sentences, measure_coherence
from core.threads.scoring import KnownScores, ReplyScorer, rate_turns
from infra.store.catalog import read_catalog
from infra.store.objects import Store
from infra.store.reviews import read_reviews
from infra.tables.codecs import decode_table
from tasks.frame.build import read_stage
from tasks.threads.scorers import make_scorer

LEAST_SECONDS = 60.0
"""Comparisons that took less do not count (section 4.4)."""


def evaluate_threads(store: Store, datasets: Sequence[str], config: ThreadsConfig, limit: int) -> dict[str, Any]:
    """Return the figures of each dataset, at most `limit` of whose dialogues the settings' scorer tells from shuffled ones."""
    return {"datasets": {name: _evaluate_dataset(store, name, config, limit) for name in datasets}}


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


def rate_share(hits: int, total: int, level: float = 0.95) -> Estimate | None:
    """Return a share with Wilson's interval, None without trials."""
    if not total:
        return None
    interval = binomtest(hits, total).proportion_ci(level, method="wilson")
    return Estimate(hits / total, float(interval.low), float(interval.high))


def _evaluate_dataset(store: Store, dataset: str, config: ThreadsConfig, limit: int) -> dict[str, Any]:
    dialogues = [tuple((text,) for text in said) for _, said in _read_dialogues(store, dataset)]
    timed, seconds = measure_speed(store, dataset)
    separation = measure_separation(dialogues[:limit], make_scorer(config.scorer), config.scorer.max_context)
    return {
        "dialogues": len(dialogues),
        "turns": sum(map(len, dialogues)),
        "turns_computed": timed,
        "turns_per_second": timed / seconds if seconds else None,
        "separation": None if separation is None else asdict(separation),
        "judgements": rate_judgements(store, dataset),
    }


def measure_speed(store: Store, dataset: str) -> tuple[int, float]:
    """Return the turns that the last run of each shard computed, and the seconds that it took.

    Dialogues that a run found in the store are left out: they took no time.

    Reference: thesis, table 4.4.
    """
    timed = [(reference, said) for reference, said in _read_dialogues(store, dataset) if "dialogues" in reference.computed]
    seconds = {reference.unit: reference.seconds["dialogues"] for reference, _ in timed}
    return sum(len(said) for _, said in timed), sum(seconds.values())


def _read_dialogues(store: Store, dataset: str) -> Iterator[tuple[UnitReference, list[str]]]:
    """Yield the texts of the turns of each dialogue that has landed, with the reference of its shard."""
    entries = read_catalog(store, dataset)
    if not entries:
        raise ConfigError(f"store {store.url} has no units of {dataset!r}; run `fabula run threads` first")
    for _, entry in sorted(entries.items()):
        if entry.reference is not None:
            for row in decode_table(read_stage(store, entry.reference, "dialogues")).to_pylist():
                yield entry.reference, [turn["text"] for turn in row["turns"]]


def rate_judgements(store: Store, dataset: str) -> dict[str, Any]:
    """Return the measures of the judgements of a dataset, and how many lines were refused."""
    reviews = read_reviews(store, dataset)
    refused = len(reviews.refused)
    answers = keep_latest(reviews.judgements)
    interactions, sense = select_question(answers, "interactions"), select_question(answers, "sense")
    compared = select_question(answers, "naturalness", LEAST_SECONDS)
    measures = {
        "interactions": rate_items(interactions),
        "sense": rate_items(sense),
        "comparison": compare_items(compared),
        "agreement": measure_agreement([*interactions, *sense, *compared]),
        "position_bias": measure_position_bias(compared),
    }
    return {"refused_lines": refused, **{name: asdict(value) if value else None for name, value in measures.items()}}
