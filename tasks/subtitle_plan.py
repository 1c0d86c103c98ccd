"""Planning a run of `subtitles`: the source's files sorted to films, the films to shards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.errors import ConfigError, SourceError
from core.fingerprints import fingerprint
from core.subtitles.config import SubtitlesConfig
from core.subtitles.discovery import LeftOut, find_films, find_table
from core.subtitles.films import Film
from core.subtitles.places import SUMMARY_FOLDER
from core.subtitles.summaries import MAX_TABLE_BYTES, SummaryTable, parse_summary_table
from core.unit_shards import group_units, name_shard
from core.units import SourceFile
from infra.catalog import CatalogEntry
from infra.sources.listing import list_sources
from infra.sources.opening import read_file
from infra.store import Store
from infra.takedown import read_takedown
from tasks.planning import Candidate, RunPlan, plan_units
from tasks.subtitles import PIPELINE, STAGE_VERSIONS, ShardOfFilms


@dataclass(frozen=True, slots=True)
class SubtitlePlan:
    """What a run has to do, and the films and files that are complete and yet not taken."""

    run: RunPlan
    left_out: tuple[LeftOut, ...]


def plan_subtitles(
    sources: Sequence[str], store_url: str, config: SubtitlesConfig, catalog: Mapping[str, CatalogEntry], limit: int | None
) -> SubtitlePlan:
    """List the sources, sort its files to films and these to shards, and compare them with the catalog.

    Raises:
        ConfigError: a source does not exist, or the table of summaries is unusable.
        StoreError: a source could not be listed.
    """
    files = list_sources(sources, (SUMMARY_FOLDER,))
    discovery = find_films(files, _read_table(find_table(files)), config.exclude, config.limits)
    takedown = read_takedown(Store(store_url), PIPELINE)
    films = {film.id: film for film in discovery.units if film.id not in takedown}
    candidates = []
    for shard, members in group_units(films, config.shards).items():
        chosen = tuple(films[member] for member in members)
        request = ShardOfFilms(shard, chosen, store_url, config)
        candidates.append(Candidate(shard, tuple(file for film in chosen for file in _files(film)), request, members))
    told = [film.summary.text or "" for film in films.values()]  # synopses of the table have no file of their own
    parts = [config.limits, config.cleaning, config.language, config.variants, config.splitter]
    settings = fingerprint("settings", 1, told, [parts, STAGE_VERSIONS])
    out = {film.id: name_shard(film.id, config.shards) for film in discovery.units if film.id in takedown}
    return SubtitlePlan(
        plan_units(files, candidates, discovery.waiting, discovery.refused, settings, catalog, limit, takedown, out),
        tuple(entry for entry in discovery.left_out if entry.film not in takedown),
    )


def _read_table(file: SourceFile | None) -> SummaryTable | None:
    if file is None:
        return None
    try:
        return parse_summary_table(file.path, read_file(file, MAX_TABLE_BYTES))
    except SourceError as error:
        raise ConfigError(str(error)) from error


def _files(film: Film) -> tuple[SourceFile, ...]:
    return (*film.subtitles, *((film.summary.file,) if film.summary.file is not None else ()))
