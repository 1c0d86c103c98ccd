"""Planning a run of `subtitles`: the source's files sorted to films, which travel in shards."""

import json
from collections.abc import Iterator
from itertools import chain

from core.dataset.units import SourceFile
from core.errors import ConfigError, SourceError
from core.subtitles.config import SubtitlesConfig
from core.subtitles.discovery import find_films, find_table
from core.subtitles.films import Film
from core.subtitles.places import SUMMARY_FOLDER
from core.subtitles.summaries import MAX_TABLE_BYTES, SummaryTable, parse_summary_table
from infra.store.manifests import release_key
from infra.store.objects import Store
from infra.store.releases import read_manifest
from infra.tables.parquet import read_rows
from tasks.frame.model import Discovery, PlanRequest, Sources, Unit
from tasks.frame.shards import group_members


def plan_subtitles(request: PlanRequest[SubtitlesConfig]) -> Discovery:
    """List the sources and sort their files to films. What the release needs to know are the films that are left out.

    Raises:
        ConfigError: a source does not exist, or the table of summaries is unusable.
        StoreError: a source could not be listed.
    """
    config = request.config
    files = request.sources.list_files((SUMMARY_FOLDER,))
    named = (name for dataset in config.exclude_datasets for name in _list_movies(request.store, dataset))
    found = find_films(files, _read_table(request.sources, find_table(files)), (*config.exclude, *named), config.limits)
    shards, taken_down = group_members([_make_unit(film) for film in found.units], config.shards, request.takedown)
    return Discovery(
        listing=files,
        units=shards,
        waiting=found.waiting,
        refused=found.refused,
        taken_down=taken_down,
        knowledge=found.left_out,
        left_out={entry.film: entry.reason for entry in found.left_out if entry.path is None},
    )


def _make_unit(film: Film) -> Unit:
    """Return a film as a unit; it is made from its own line of the table of summaries, not from the table as a whole."""
    files = (*film.subtitles, *((film.summary.file,) if film.summary.file is not None else ()))
    return Unit(id=film.id, files=files, spec=film, made_from=json.dumps([film.title, film.year, film.summary.text]))


def _read_table(sources: Sources, file: SourceFile | None) -> SummaryTable | None:
    if file is None:
        return None
    try:
        return parse_summary_table(file.path, sources.read(file, MAX_TABLE_BYTES))
    except SourceError as error:
        raise ConfigError(str(error)) from error


def _list_movies(store: Store, dataset: str) -> Iterator[str]:
    """Yield what names the movies and episodes of a dataset of scripts; nothing where it is not there.

    It is their ids, and of movies the title as well, with the year where it is known: a film may have an episode's title.

    Raises:
        ConfigError: the dataset is not one of scripts.
    """
    manifest = read_manifest(store, dataset)
    if manifest is None:
        return
    folder = release_key(dataset, manifest["version"])
    paths = [file["path"] for file in manifest["files"] if file["path"].startswith("data/")]
    for row in chain.from_iterable(read_rows(store, f"{folder}/{path}", ("movie", "kind", "title", "year")) for path in paths):
        if row["kind"] in ("movie", "episode"):
            yield row["movie"]
        if row["kind"] == "movie":
            yield f"{row['title']} ({row['year']})" if row["year"] else row["title"]
