"""The `transcripts` flow: raw transcripts and recaps in, an aligned dataset out."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from time import perf_counter
from typing import Any

from prefect import flow, get_run_logger
from prefect.artifacts import create_markdown_artifact

from core.errors import ConfigError
from core.fingerprints import canonicalise
from core.references import UnitFailure, UnitReference
from core.transcripts.config import TranscriptsConfig
from core.transcripts.statistics.table import tabulate_statistics
from flows.progress import current_observer
from flows.release import ReleaseOutcome, release_dataset
from flows.units import WAITING_THREADS, map_units
from infra.catalog import read_catalog, write_catalog
from infra.dask import Cluster
from infra.quarantine import clear_quarantine, quarantine_unit
from infra.settings import load_config
from infra.store import Store
from tasks.ledger import RunSummary, describe_failure, list_entries, write_run
from tasks.planning import RunPlan, plan_run
from tasks.release import plan_release
from tasks.statistics import summarise_release
from tasks.transcript_tables import list_tables, list_units
from tasks.transcripts import PIPELINE, build_episode, check_resources


@flow(name=PIPELINE, flow_run_name="{dataset} from {source}", task_runner=WAITING_THREADS)
def build_transcripts(
    source: str,
    store: str,
    profile: str = "default",
    config_file: str | None = None,
    settings: dict[str, Any] | None = None,
    dataset: str = PIPELINE,
    workers: int | None = None,
    scheduler: str | None = None,
    limit: int | None = None,
    wordnet: str | None = None,
) -> RunSummary:
    """Bring a store up to date with a source of transcripts and recaps, and release what it holds.

    Args:
        source: folder or fsspec URL with `transcripts/` and `recaps/`.
        store: folder or fsspec URL of the store.
        profile: named settings that ship with fabula.
        config_file: TOML file with settings over the profile's.
        settings: further settings over both, by section.
        dataset: name of the released dataset.
        workers: processes of a local Dask cluster; default: one per core.
        scheduler: address of a running Dask scheduler, instead of a local cluster.
        limit: at most so many units, in order.
        wordnet: folder of WordNet's noun files, where the tokeniser needs them.
    """
    started, clock = datetime.now(UTC), perf_counter()
    run_id = f"{started:%Y%m%dT%H%M%S}-{started.microsecond:06d}"
    config = load_config(TranscriptsConfig, PIPELINE, profile, config_file, settings)
    check_resources(config, wordnet)
    target = Store(store)
    catalog = read_catalog(target, PIPELINE)
    plan = plan_run(source, target.url, config, profile, catalog, wordnet, limit)
    with Cluster(workers, scheduler) as cluster:
        computed, failures = _compute_units(cluster, plan)
        landed = plan.reused | computed
        for failure in failures:
            quarantine_unit(target, PIPELINE, failure, run_id, started.isoformat())
        clear_quarantine(target, PIPELINE, landed)
        if computed or failures:
            write_catalog(target, PIPELINE, run_id, list_entries(catalog, plan, landed, failures))
        release = _release(cluster, target, dataset, landed, plan, config, started.isoformat()) if landed else None
    summary = RunSummary(
        run_id,
        PIPELINE,
        len(plan.discovered) + plan.refused,
        tuple(sorted(computed)),
        tuple(sorted(plan.reused)),
        tuple((unit.id, unit.missing) for unit in plan.waiting),
        tuple(failures),
        release.url if release else None,
        release is not None and release.new,
        release.statistics if release else None,
        perf_counter() - clock,
    )
    write_run(target, summary)
    _show(summary)
    return summary


def _compute_units(cluster: Cluster, plan: RunPlan) -> tuple[dict[str, UnitReference], list[UnitFailure]]:
    """Build the units that are new or changed; return what landed and everything that is in quarantine now."""
    computed: dict[str, UnitReference] = {}
    failures = list(plan.failures)
    if not plan.requests:
        return computed, failures
    observer = current_observer()
    observer.start("episodes", len(plan.requests))
    for outcome in map_units(cluster, build_episode, plan.requests):
        if outcome.result is not None:
            computed[outcome.unit] = outcome.result
        elif isinstance(outcome.error, ConfigError):
            raise outcome.error
        elif outcome.error is not None:
            failures.append(describe_failure(outcome.unit, plan.paths(outcome.unit), outcome.error))
        observer.advance()
    return computed, failures


def _release(
    cluster: Cluster,
    store: Store,
    dataset: str,
    landed: Mapping[str, UnitReference],
    plan: RunPlan,
    config: TranscriptsConfig,
    started: str,
) -> ReleaseOutcome:
    units = list_units(landed, plan.discovered, config)
    release = plan_release(store, dataset, units, list_tables(config), config.split, canonicalise(config))
    summarise = partial(summarise_release, store, landed, config=config.statistics)
    return release_dataset(cluster, store, release, summarise, tabulate_statistics, started)


def _show(summary: RunSummary) -> None:
    """Show the run's outcome in the Prefect UI: counts, and what is in quarantine or waits, with the reason."""
    counts = ", ".join(f"{count} {name}" for name, count in summary.as_json()["units"].items())
    lines = [f"# Run {summary.run_id}", "", counts, ""]
    lines += [f"- **{failure.unit}** in quarantine: {failure.reason}" for failure in summary.quarantined]
    lines += [f"- **{unit}** waits for its {missing}" for unit, missing in summary.waiting]
    get_run_logger().info("%s", counts)
    create_markdown_artifact("\n".join([*lines, ""]), key=f"{PIPELINE}-run", description="Outcome of the run")
