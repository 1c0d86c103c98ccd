"""Planning a run of `subtitles`: the source's files sorted to films, the films to shards."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from core.errors import ConfigError, SourceError
from core.fingerprints import fingerprint
from core.subtitles.config import SubtitlesConfig
from core.subtitles.discovery import LeftOut, find_films, find_table
from core.subtitles.films import Film
from core.subtitles.places import SUMMARY_FOLDER
from core.subtitles.summaries import MAX_TABLE_BYTES, TABLE_NAME, SummaryTable, parse_summary_table
from core.unit_shards import group_units, name_shard
from core.units import SourceFile
from infra.sources.listing import list_sources
from infra.sources.opening import read_file
from infra.store.catalog import CatalogEntry
from infra.store.objects import Store
from infra.store.releases import read_manifest, release_key
from infra.store.takedown import read_takedown
from infra.tables.parquet import read_rows
from tasks.frame.planning import Candidate, RunPlan, plan_units
from tasks.subtitles.build import PIPELINE, STAGE_VERSIONS, ShardOfFilms


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
    store = Store(store_url)
    exclude = (*config.exclude, *(name for dataset in config.exclude_datasets for name in _list_movies(store, dataset)))
    discovery = find_films(files, _read_table(find_table(files)), exclude, config.limits)
    takedown = read_takedown(store, PIPELINE)
    parts = [config.limits, config.cleaning, config.language, config.variants, config.splitter]
    settings = fingerprint("settings", 2, [], [parts, STAGE_VERSIONS])
    films = {film.id: film for film in discovery.units if film.id not in takedown}
    candidates = []
    for shard, members in group_units(films, config.shards).items():
        chosen = tuple(films[member] for member in members)
        request = ShardOfFilms(shard, chosen, store_url, config, _find_earlier(catalog.get(shard), settings))
        candidates.append(Candidate(shard, tuple(file for film in chosen for file in _files(film)), request, members))
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
    """Return what a film is made from; its line of the table counts as a file of its own, or one line would change every film."""
    files = (*film.subtitles, *((film.summary.file,) if film.summary.file is not None else ()))
    text = film.summary.text or ""
    if not text and not film.title:
        return files
    line = fingerprint("line", 1, [], [film.title, film.year, text])
    return (*files, SourceFile(f"{TABLE_NAME}#{film.id}", len(text), line))


def _find_earlier(entry: CatalogEntry | None, settings: str) -> str | None:
    if entry is None or entry.reference is None or entry.settings != settings:
        return None
    return entry.reference.artifacts["films"].key


def _list_movies(store: Store, dataset: str) -> Iterator[str]:
    """Yield id and title, with the year where it is known, of the movies of a dataset of scripts; none where it is not there.

    Raises:
        ConfigError: the dataset is not one of scripts.
    """
    manifest = read_manifest(store, dataset)
    if manifest is None:
        return
    folder = release_key(dataset, manifest["version"])
    paths = [file["path"] for file in manifest["files"] if file["path"].startswith("data/")]
    for row in chain.from_iterable(read_rows(store, f"{folder}/{path}", ("movie", "kind", "title", "year")) for path in paths):
        if row["kind"] == "movie":
            yield row["movie"]
            yield f"{row['title']} ({row['year']})" if row["year"] else row["title"]
