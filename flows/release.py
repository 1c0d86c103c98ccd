"""Publishing a dataset: splits, shards, statistics, manifest, and the pointer last."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from prefect import get_run_logger
from prefect.artifacts import create_markdown_artifact, create_table_artifact

from core.references import UnitReference
from core.transcripts.config import TranscriptsConfig
from core.transcripts.statistics_table import tabulate_statistics
from flows.progress import current_observer
from flows.units import map_units
from infra.dask import Cluster
from infra.store import Store
from tasks.publication import publish_tables
from tasks.release import ShardReference, write_shard
from tasks.release_plan import ReleasePlan, plan_release
from tasks.statistics import summarise_release


@dataclass(frozen=True, slots=True)
class ReleaseOutcome:
    """A release: where it is, whether this run made it, and its statistics (None where it is as it was)."""

    url: str
    version: str
    new: bool
    statistics: dict[str, Any] | None


def release_dataset(
    cluster: Cluster,
    store: Store,
    dataset: str,
    references: Mapping[str, UnitReference],
    known_units: tuple[str, ...],
    config: TranscriptsConfig,
    started: str,
) -> ReleaseOutcome:
    """Release the landed units, or find that the latest release holds exactly them."""
    plan = plan_release(store, dataset, references, known_units, config)
    if plan.unchanged:
        return ReleaseOutcome(store.locate(plan.folder), plan.version, False, None)
    shards = _write_tables(cluster, plan)
    statistics = summarise_release(store, references, shards, config.statistics)
    publish_tables(store, plan, shards, statistics, started)
    _show(store, plan, statistics)
    return ReleaseOutcome(store.locate(plan.folder), plan.version, True, statistics)


def _write_tables(cluster: Cluster, plan: ReleasePlan) -> list[ShardReference]:
    observer = current_observer()
    observer.start("release", len(plan.requests))
    shards: list[ShardReference] = []
    for outcome in map_units(cluster.client, write_shard, plan.requests):
        if outcome.error is not None or outcome.result is None:
            raise outcome.error or RuntimeError(f"{outcome.unit}: no result")
        shards.append(outcome.result)
        observer.advance()
    return sorted(shards, key=lambda shard: shard.path)


def _show(store: Store, plan: ReleasePlan, statistics: dict[str, Any]) -> None:
    get_run_logger().info("released %s", store.locate(plan.folder))
    create_table_artifact(
        table=tabulate_statistics(statistics), key=f"{plan.dataset}-statistics", description="Statistics of the release"
    )
    create_markdown_artifact(
        f"# {plan.dataset} {plan.version}\n\n`{store.locate(plan.folder)}`\n",
        key=f"{plan.dataset}-release",
        description="Release",
    )
