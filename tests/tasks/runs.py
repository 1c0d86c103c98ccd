"""A run of `transcripts` or `subtitles` without Prefect and Dask: the flows' steps, one after the other in this process."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from core.fingerprints import canonicalise
from core.references import UnitReference
from core.subtitles.config import SubtitlesConfig
from core.transcripts.config import TranscriptsConfig
from infra.store.catalog import read_catalog, write_catalog
from infra.store.objects import Store
from infra.store.releases import move_pointer
from tasks.frame.ledger import RunSummary, list_entries, write_run
from tasks.frame.planning import RunPlan
from tasks.frame.release import ReleasePlan, ReleaseUnit, ShardReference, TableSpec, plan_release, publish_tables, write_shard
from tasks.subtitles import tables as subtitle_tables
from tasks.subtitles.build import build_films
from tasks.subtitles.plan import plan_subtitles
from tasks.transcripts import tables as transcript_tables
from tasks.transcripts.build import build_episode
from tasks.transcripts.plan import plan_transcripts
from tasks.transcripts.statistics import summarise_release


@dataclass(frozen=True, slots=True)
class Ran:
    """A run: what it planned, the stages that it computed by unit, and what it released."""

    plan: RunPlan
    computed: dict[str, tuple[str, ...]]
    release: ReleasePlan


def run_transcripts(
    source: Path, store: Store, day: int, config: TranscriptsConfig | None = None, dataset: str = "transcripts"
) -> Ran:
    """Bring the store up to date with the source, as a run on the given day of January 2026 does."""
    config = config or TranscriptsConfig()
    plan = plan_transcripts([str(source)], store.url, config, "default", read_catalog(store, "transcripts"), None, None)

    def list_units(landed: Mapping[str, UnitReference]) -> dict[str, ReleaseUnit]:
        return transcript_tables.list_units(landed, plan.discovered, config, plan.withheld.units)

    def summarise(landed: Mapping[str, UnitReference], shards: list[ShardReference]) -> dict[str, Any]:
        return summarise_release(store, landed, shards, config.statistics)

    return _run(
        "transcripts",
        dataset,
        store,
        day,
        plan,
        build_episode,
        list_units,
        transcript_tables.list_tables(config),
        config,
        summarise,
    )


def run_subtitles(source: Path, store: Store, day: int, config: SubtitlesConfig | None = None) -> Ran:
    """The same for subtitles."""
    config = config or SubtitlesConfig()
    planned = plan_subtitles([str(source)], store.url, config, read_catalog(store, "subtitles"), None)
    list_units = partial(subtitle_tables.list_units, config=config)

    def summarise(_: Mapping[str, UnitReference], shards: list[ShardReference]) -> dict[str, Any]:
        return subtitle_tables.summarise_subtitles(planned.left_out, shards)

    return _run(
        "subtitles",
        "subtitles",
        store,
        day,
        planned.run,
        build_films,
        list_units,
        subtitle_tables.list_tables(),
        config,
        summarise,
    )


def _run(
    pipeline: str,
    dataset: str,
    store: Store,
    day: int,
    plan: RunPlan,
    build: Callable[[Any], UnitReference],
    list_units: Callable[[Mapping[str, UnitReference]], dict[str, ReleaseUnit]],
    tables: Iterable[TableSpec],
    config: Any,
    summarise: Callable[[Mapping[str, UnitReference], list[ShardReference]], dict[str, Any]],
) -> Ran:
    run_id, started = f"202601{day:02d}T000000-000000", f"2026-01-{day:02d}T00:00:00+00:00"
    catalog = read_catalog(store, pipeline)
    references = {unit: build(request) for unit, request in plan.requests.items()}
    landed = plan.reused | references
    if references or not plan.withheld.entries.isdisjoint(catalog):
        write_catalog(store, pipeline, run_id, list_entries(catalog, plan, landed, ()))
    units = list_units(plan.earlier | landed)
    release = plan_release(store, dataset, units, list(tables), config.split, canonicalise(config), plan.withheld)
    if release.complete and not release.unchanged:
        move_pointer(store, dataset, release.version, release.parent, release.splits, started)
    elif not release.unchanged:
        shards = [write_shard(request) for request in release.requests.values()]
        publish_tables(store, release, shards, summarise(plan.earlier | landed, shards), started)
    done = RunSummary(run_id, pipeline, len(units), tuple(references), tuple(plan.reused), (), (), None, True, (), 1.0)
    write_run(store, done, references.values(), f"fabula run {pipeline}")
    return Ran(plan, {unit: reference.computed for unit, reference in references.items() if reference.computed}, release)
