"""Publishing a dataset, for every pipeline: shards, statistics, manifest, and the pointer last."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prefect import get_run_logger
from prefect.artifacts import create_table_artifact

from flows.frame.artifacts import tolerated
from flows.frame.progress import current_observer
from flows.frame.units import map_units
from infra.orchestration.dask import Cluster
from infra.store.objects import Store
from infra.store.releases import move_pointer
from tasks.frame.release import ReleasePlan, ShardReference, count_rows, publish_tables, write_shard

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
    cluster: Cluster, store: Store, plan: ReleasePlan, summarise: Summarise, tabulate: Tabulate, started: str
) -> ReleaseOutcome:
    """Write and publish a planned release, unless the latest one holds exactly the same.

    Args:
        cluster: writes the shards.
        store: holds the units' artifacts and gets the release.
        plan: what to write.
        summarise: makes the statistics of the written shards.
        tabulate: makes rows of them for the table in the Prefect UI.
        started: when the run began (ISO 8601); a later run's release is never replaced by this one.
    """
    url = store.locate(plan.folder)
    if plan.unchanged:
        return ReleaseOutcome(url, plan.version, False, ())
    if plan.complete:  # the same content as some release before the latest: releases never change, so it is not written again
        move_pointer(store, plan.dataset, plan.version, plan.parent, plan.splits, started)
        return ReleaseOutcome(url, plan.version, True, ())
    shards = _write_tables(cluster, plan)
    statistics = summarise(shards)
    if not publish_tables(store, plan, shards, statistics, started):
        get_run_logger().warning("%s is complete, but a later run has released meanwhile: the pointer stays there", url)
    key = re.sub(r"[^a-z0-9]+", "-", plan.dataset.lower()).strip("-")  # all that Prefect allows
    table = tabulate(statistics)
    with tolerated():
        create_table_artifact(table=table, key=f"{key}-statistics", description=f"Statistics of {url}")
    return ReleaseOutcome(url, plan.version, True, count_rows(shards))


def _write_tables(cluster: Cluster, plan: ReleasePlan) -> list[ShardReference]:
    observer = current_observer()
    observer.start("release", len(plan.requests))
    shards: list[ShardReference] = []
    for outcome in map_units(cluster, write_shard, plan.requests):
        if outcome.error is not None or outcome.result is None:
            raise outcome.error or RuntimeError(f"{outcome.unit}: no result")
        shards.append(outcome.result)
        observer.advance()
    places = {path: number for number, path in enumerate(plan.requests)}
    return sorted(shards, key=lambda shard: places[shard.path])
