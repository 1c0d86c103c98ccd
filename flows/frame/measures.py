"""Measuring a dataset on Dask or in this process."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from core.errors import ConfigError
from core.metrics.bert_score import TokenCounts
from core.metrics.dataset_measures import DatasetMeasures, report_measures
from flows.frame.observer import current_observer
from infra.models.sentence_embedder import SentenceEmbedder
from infra.store.objects import Store
from tasks.store.measures import (
    SAMPLE_SEED,
    count_document_tokens,
    count_pairs,
    count_train_on,
    draw_sample,
    list_ranges,
    measure_range,
)

Compute = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
"""Calls a function on each of many requests; the results come in any order."""


@contextmanager
def computing(workers: int | None, scheduler: str | None, in_process: bool) -> Iterator[Compute]:
    """Give the way to compute inside the block: a Dask cluster, which starts with the first call, or this process."""
    if in_process:
        yield map
        return
    from infra.orchestration.dask import Cluster

    with Cluster(workers, scheduler) as cluster:
        yield cluster.map_unordered


def measure_dataset(
    store: Store, dataset: str, config: str | None, bert_model: str | None, limit: int | None, compute: Compute
) -> dict[str, object]:
    """Return the measures of section 5 of SumTitles for a dataset's config, as JSON values.

    With `bert_model` BERTScore too, by this model; of `limit` pairs, None: of all.

    Raises:
        ConfigError: there are no pairs, or the model or a package that it needs is not installed.
    """
    if bert_model is not None:
        SentenceEmbedder(bert_model).check()
    ranges = list_ranges(store, dataset, config)
    if not ranges:
        raise ConfigError(f"dataset {dataset} has no pairs to measure")
    sampled = ranges if limit is None else draw_sample(ranges, limit)
    total, tokens = DatasetMeasures(), TokenCounts()
    if bert_model is not None:  # of all pairs, whatever the sample: so a sample's figures estimate the whole's
        count = partial(count_document_tokens, bert_model)
        for counted in map_watched(compute, "idf", count, ranges):
            tokens += counted
    for measures in map_watched(compute, "pairs", partial(measure_range, bert_model, tokens), sampled):
        total += measures
    return {
        "dataset": dataset,
        "config": ranges[0].key.split("/")[-2],
        "train_on": count_train_on(ranges),
        "sample": {"pairs": count_pairs(sampled), "of": count_pairs(ranges), "seed": SAMPLE_SEED},
        **report_measures(total),
        "bert_model": bert_model,
        "idf_texts": tokens.texts if bert_model else None,
    }


def map_watched(compute: Compute, step: str, function: Callable[[Any], Any], requests: Sequence[Any]) -> Iterator[Any]:
    """Yield what a function returns for each request, in any order, and let whoever watches see how far the step is."""
    observer = current_observer()
    observer.start(step, len(requests))
    for result in compute(function, requests):
        yield result
        observer.advance()
