"""The `transcripts` flow: raw transcripts and recaps in, an aligned dataset out."""

from functools import partial
from typing import Any

from prefect import flow

from core.fingerprints import canonicalise
from core.transcripts.config import TranscriptsConfig
from core.transcripts.statistics.table import tabulate_statistics
from flows.frame.interrupted import show_cancelled
from flows.frame.release import release_dataset
from flows.frame.run import conclude_run, ingest_units, name_run, start_run
from flows.frame.units import WAITING_THREADS
from infra.orchestration.dask import Cluster
from infra.settings import load_config
from infra.store.catalog import read_catalog
from infra.store.releases import check_dataset_name
from tasks.frame.ledger import RunSummary, describe_call
from tasks.frame.release import plan_release
from tasks.transcripts.build import PIPELINE, build_episode, check_resources
from tasks.transcripts.plan import plan_transcripts
from tasks.transcripts.statistics import summarise_release
from tasks.transcripts.tables import list_tables, list_units


@flow(name=PIPELINE, flow_run_name=name_run, task_runner=WAITING_THREADS, on_crashed=[show_cancelled])
def build_transcripts(
    source: list[str],
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
    """Bring a store up to date with sources of transcripts and recaps, and release what they have landed.

    Args:
        source: folders, fsspec URLs or wikis (`docs/sources.md`), taken together, with `transcripts/` and `recaps/`.
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
    config = load_config(TranscriptsConfig, PIPELINE, profile, config_file, settings)
    check_dataset_name(dataset)
    dictionary = check_resources(config, wordnet)
    run = start_run(PIPELINE, store, dataset)
    catalog = read_catalog(run.store, PIPELINE)
    plan = plan_transcripts(source, run.store.url, config, profile, catalog, dictionary, limit)
    with Cluster(workers, scheduler) as cluster:
        ingestion = ingest_units(cluster, run, plan, catalog, build_episode)
        release = None
        if ingestion.releasable:
            units = list_units(ingestion.releasable, plan.discovered, config, plan.withheld.units)
            planned = plan_release(
                run.store, dataset, units, list_tables(config), config.split, canonicalise(config), plan.withheld
            )
            summarise = partial(summarise_release, run.store, ingestion.releasable, config=config.statistics)
            release = release_dataset(cluster, run.store, planned, summarise, tabulate_statistics, run.started)
    options: dict[str, object] = {"source": source, "store": store, "profile": profile, "config": config_file}
    options |= {"dataset": dataset, "workers": workers, "scheduler": scheduler, "limit": limit}
    resume = describe_call(PIPELINE, options | {"wordnet": wordnet})
    return conclude_run(run, plan, ingestion, release, resume)
