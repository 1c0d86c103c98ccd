"""Publishing a dataset, for every pipeline: shards, statistics, manifest, and the pointer last."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flows.frame.observer import Observer
from infra.store.objects import Store
from infra.store.releases import move_pointer
from tasks.frame.mapper import Mapper
from tasks.frame.release import ReleasePlan, ShardReference, count_rows, publish_tables, write_shard

logger = logging.getLogger(__name__)

Summarise = Callable[[Sequence[ShardReference]], dict[str, Any]]
Tabulate = Callable[[Mapping[str, Any]], list[dict[str, str]]]


@dataclass(frozen=True, slots=True)
class ReleaseOutcome:
    """A release: where it is, whether this run made it, and a few of its figures by name (none where it is as it was)."""

    url: str
    version: str
    new: bool
    highlights: tuple[tuple[str, str], ...]


def release_dataset(
    mapper: Mapper,
    observer: Observer,
    store: Store,
    plan: ReleasePlan,
    summarise: Summarise,
    tabulate: Tabulate,
    started: str,
) -> ReleaseOutcome:
    """Write and publish a planned release, unless the latest one holds exactly the same.

    Args:
        mapper: writes the shards.
        observer: is told of the progress and the statistics.
        store: holds the units' artifacts and gets the release.
        plan: what to write.
        summarise: makes the statistics of the written shards.
        tabulate: makes rows of them for a table.
        started: when the run began (ISO 8601); a later run's release is never replaced by this one.
    """
    url = store.locate(plan.folder)
    if plan.unchanged:
        return ReleaseOutcome(url, plan.version, False, ())
    if plan.complete:  # some release before the latest, or the latest one whose pointer is damaged: its files stay as they are
        move_pointer(store, plan.dataset, plan.version, plan.parent, plan.splits, started)
        return ReleaseOutcome(url, plan.version, not plan.current, ())
    shards = _write_tables(mapper, observer, plan)
    statistics = summarise(shards)
    if not publish_tables(store, plan, shards, statistics, started):
        logger.warning("%s is complete, but a later run has released meanwhile: the pointer stays there", url)
    observer.show_statistics(plan.dataset, url, tabulate(statistics))
    return ReleaseOutcome(url, plan.version, not plan.current, count_rows(shards))


def _write_tables(mapper: Mapper, observer: Observer, plan: ReleasePlan) -> list[ShardReference]:
    observer.start("release", len(plan.requests))
    shards: list[ShardReference] = []
    for outcome in mapper.map_units(write_shard, plan.requests):
        if outcome.error is not None or outcome.result is None:
            raise outcome.error or RuntimeError(f"{outcome.unit}: no result")
        shards.append(outcome.result)
        observer.advance()
    places = {path: number for number, path in enumerate(plan.requests)}
    return sorted(shards, key=lambda shard: places[shard.path])
