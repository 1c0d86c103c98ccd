"""The `scripts` flow: screenplays, series and books with their synopses in, scenes aligned with their sentences out."""

from functools import partial
from typing import Any

from prefect import flow

from core.fingerprints import canonicalise
from core.scripts.config import ScriptsConfig
from core.scripts.statistics import tabulate_stories
from flows.frame.interrupted import show_cancelled
from flows.frame.release import release_dataset
from flows.frame.run import conclude_run, ingest_units, name_run, start_run
from flows.frame.units import WAITING_THREADS
from infra.orchestration.dask import Cluster
from infra.settings import load_config
from infra.store.catalog import read_catalog
from tasks.frame.ledger import RunSummary, describe_call
from tasks.frame.release import plan_release
from tasks.scripts.build import PIPELINE, build_story
from tasks.scripts.plan import plan_scripts
from tasks.scripts.statistics import summarise_scripts
from tasks.scripts.tables import list_tables, list_units


@flow(name=PIPELINE, flow_run_name=name_run, task_runner=WAITING_THREADS, on_crashed=[show_cancelled])
def build_scripts(
    source: list[str],
    store: str,
    profile: str = "default",
    config_file: str | None = None,
    settings: dict[str, Any] | None = None,
    dataset: str = PIPELINE,
    workers: int | None = None,
    scheduler: str | None = None,
    limit: int | None = None,
) -> RunSummary:
    """Bring a store up to date with sources of screenplays, series and books, and release what they have landed.

    Args:
        source: folders or fsspec URLs, taken together, with `movies/ID/`, `books/ID/`, `friends/*.json` and perhaps
            `gold/*.jsonl`.
        store: folder or fsspec URL of the store.
        profile: named settings that ship with fabula: default, or sumtitles (the paper's own).
        config_file: TOML file with settings over the profile's.
        settings: further settings over both, by section.
        dataset: name of the released dataset.
        workers: processes of a local Dask cluster; default: one per core.
        scheduler: address of a running Dask scheduler, instead of a local cluster.
        limit: at most so many stories, in order.
    """
    config = load_config(ScriptsConfig, PIPELINE, profile, config_file, settings)
    run = start_run(PIPELINE, store, dataset)
    catalog = read_catalog(run.store, PIPELINE)
    plan = plan_scripts(source, run.store.url, config, catalog, limit)
    with Cluster(workers, scheduler) as cluster:
        ingestion = ingest_units(cluster, run, plan.run, catalog, build_story)
        release = None
        if ingestion.releasable:
            tables = list_tables(ingestion.releasable, {link.unit for link in plan.gold}, config.cast)
            units = list_units(ingestion.releasable, config)
            planned = plan_release(run.store, dataset, units, tables, config.split, canonicalise(config), plan.run.withheld)
            summarise = partial(summarise_scripts, run.store, ingestion.releasable, plan.gold, plan.run.withheld.rows)
            release = release_dataset(cluster, run.store, planned, summarise, tabulate_stories, run.started)
    options: dict[str, object] = {"source": source, "store": store, "profile": profile, "config": config_file}
    options |= {"dataset": dataset, "workers": workers, "scheduler": scheduler, "limit": limit}
    return conclude_run(run, plan.run, ingestion, release, describe_call(PIPELINE, options))
