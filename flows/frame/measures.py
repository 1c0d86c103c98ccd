"""Measuring a dataset on Dask or in this process, and the papers' tables of what was measured."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from core.dataset.paper_tables import PaperTable, tabulate_sumtitles
from core.errors import ConfigError
from core.metrics.bert_score import TokenCounts
from core.metrics.dataset_measures import DatasetMeasures, report_measures
from flows.frame.observer import current_observer
from infra.store.catalog import find_pipeline_of
from infra.store.objects import Store
from tasks.frame.release_spec import RELEASE
from tasks.pipelines import find_pipeline
from tasks.store.measures import (
    SAMPLE_SEED,
    MeasureRequest,
    check_bert_model,
    count_document_tokens,
    count_pairs,
    count_train_on,
    draw_sample,
    list_pair_configs,
    list_ranges,
    measure_range,
    read_statistics,
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


@dataclass(frozen=True, slots=True)
class MeasureOptions:
    """What to measure besides the quick figures: BERTScore by a model; of `limit` pairs (None: of all)."""

    bert_model: str | None = None
    limit: int | None = None


def measure_dataset(
    store: Store, dataset: str, config: str | None, options: MeasureOptions, compute: Compute
) -> dict[str, object]:
    """Return the measures of section 5 of SumTitles for a dataset's config, as JSON values."""
    if options.bert_model is not None:
        check_bert_model(options.bert_model)
    ranges = list_ranges(store, dataset, config)
    if not ranges:
        raise ConfigError(f"dataset {dataset} has no pairs to measure")
    sampled = ranges if options.limit is None else draw_sample(ranges, options.limit)
    total, tokens = DatasetMeasures(), TokenCounts()
    if options.bert_model is not None:  # of all pairs, whatever the sample: so a sample's figures estimate the whole's
        count = partial(count_document_tokens, options.bert_model)
        for counted in _map(compute, "idf", count, ranges):
            tokens += counted
    requests = [MeasureRequest(part, options.bert_model, tokens) for part in sampled]
    for measures in _map(compute, "pairs", measure_range, requests):
        total += measures
    return {
        "dataset": dataset,
        "config": ranges[0].key.split("/")[-2],
        "train_on": count_train_on(ranges),
        "sample": {"pairs": count_pairs(sampled), "of": count_pairs(ranges), "seed": SAMPLE_SEED},
        **report_measures(total),
        "bert_model": options.bert_model,
        "idf_texts": tokens.texts if options.bert_model else None,
    }


def _map(compute: Compute, step: str, function: Callable[[Any], Any], requests: list[Any]) -> Iterable[Any]:
    observer = current_observer()
    observer.start(step, len(requests))
    for result in compute(function, requests):
        yield result
        observer.advance()


def make_paper_tables(
    store: Store, dataset: str, config: str | None, options: MeasureOptions, compute: Compute
) -> tuple[tuple[PaperTable, ...], dict[str, Any]]:
    """Return the tables of the pipeline's paper, from `stats.json`, tables 1 and 2 of SumTitles, and the measures by config."""
    statistics, units = read_statistics(store, dataset)
    name = find_pipeline_of(store, dataset)
    if name is None:
        raise ConfigError(f"store {store.url} does not say which pipeline makes {dataset}; look at it where it was made")
    own = tuple(find_pipeline(name).load(RELEASE).paper_tables(statistics, units))
    configs = [config] if config else list_pair_configs(store, dataset)
    measured = {each: measure_dataset(store, dataset, each, options, compute) for each in configs}
    pairs = tabulate_sumtitles({f"this release: {each}": found for each, found in measured.items()}) if measured else ()
    if options.limit is not None:
        pairs = tuple(replace(table, note=f"At most {options.limit} pairs of each config. {table.note}") for table in pairs)
    return (*own, *pairs), measured
