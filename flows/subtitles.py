"""The `subtitles` flow: films' subtitles and summaries in, whole dialogues with synopses out; films travel in shards."""

from functools import partial
from typing import Any

from prefect import flow

from core.fingerprints import canonicalise
from core.subtitles.config import SubtitlesConfig
from flows.frame.interrupted import show_cancelled
from flows.frame.release import release_dataset
from flows.frame.run import conclude_run, ingest_units, name_run, start_run
from flows.frame.units import WAITING_THREADS
from infra.orchestration.dask import Cluster
from infra.settings import load_config
from infra.store.catalog import read_catalog
from tasks.frame.ledger import RunSummary, describe_call
from tasks.frame.release import plan_release
from tasks.subtitles.build import PIPELINE, build_films
from tasks.subtitles.plan import plan_subtitles
from tasks.subtitles.tables import list_tables, list_units, summarise_subtitles, tabulate_subtitles


@flow(name=PIPELINE, flow_run_name=name_run, task_runner=WAITING_THREADS, on_crashed=[show_cancelled])
def build_subtitles(
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
    """Bring a store up to date with sources of subtitles and summaries, and release what they have landed.

    Args:
        source: folders or fsspec URLs, taken together, as `docs/subtitles.md` describes: OPUS's layout, or a folder per film.
        store: folder or fsspec URL of the store.
        profile: named settings that ship with fabula.
        config_file: TOML file with settings over the profile's.
        settings: further settings over both, by section.
        dataset: name of the released dataset.
        workers: processes of a local Dask cluster; default: one per core.
        scheduler: address of a running Dask scheduler, instead of a local cluster.
        limit: at most so many shards, in order.
    """
    config = load_config(SubtitlesConfig, PIPELINE, profile, config_file, settings)
    run = start_run(PIPELINE, store, dataset)
    catalog = read_catalog(run.store, PIPELINE)
    plan = plan_subtitles(source, run.store.url, config, catalog, limit)
    with Cluster(workers, scheduler) as cluster:
        ingestion = ingest_units(cluster, run, plan.run, catalog, build_films)
        release = None
        if ingestion.releasable:
            units = list_units(ingestion.releasable, config)
            planned = plan_release(
                run.store, dataset, units, list_tables(), config.split, canonicalise(config), plan.run.withheld
            )
            summarise = partial(summarise_subtitles, plan.left_out)
            release = release_dataset(cluster, run.store, planned, summarise, tabulate_subtitles, run.started)
    options: dict[str, object] = {"source": source, "store": store, "profile": profile, "config": config_file}
    options |= {"dataset": dataset, "workers": workers, "scheduler": scheduler, "limit": limit}
    return conclude_run(run, plan.run, ingestion, release, describe_call(PIPELINE, options))
