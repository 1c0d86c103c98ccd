"""One shard of films, from their files to whole dialogues with synopses."""

import hashlib
import json
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial

import pyarrow as pa
import pyarrow.compute as pc

from core.errors import SourceError, UnreadableFileError
from core.fingerprints import fingerprint
from core.references import UnitFailure, UnitReference
from core.subtitles.config import SubtitlesConfig
from core.subtitles.film_dialogue import FilmOutcome, read_film
from core.subtitles.films import Film
from core.subtitles.summaries import TABLE_NAME
from core.text.sentences import make_splitter
from infra.settings import load_config
from infra.store.objects import Store
from infra.tables.codecs import Codec
from infra.tables.parquet import decode_table, encode_table
from infra.tables.subtitles import tabulate_films, tabulate_rejected
from tasks.frame.landing import LandedFile, land_file
from tasks.frame.stages import StageResult, run_stage

PIPELINE = "subtitles"
STAGE_VERSIONS = {"films": 2, "rejected": 2}
"""Raised when a stage's results change though its inputs and settings do not; a golden test per stage watches over it."""

TABLE: Codec[pa.Table] = Codec(".parquet", encode_table, decode_table)
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ShardOfFilms:
    """Films to read together, and where they go.

    `earlier` is the key of what the shard's films were when it last landed with these settings: a film that fails now stays as it
    was.
    """

    shard: str
    films: tuple[Film, ...]
    store: str
    config: SubtitlesConfig
    earlier: str | None = None


def build_films(request: ShardOfFilms) -> UnitReference:
    """Read the films of a shard, one at a time; a film that fails is named in the reference and the others go on.

    Raises:
        StoreError: source or store failed.
    """
    started = time.perf_counter()
    store, config = _open_store(request.store), request.config
    landed = [_land_film(store, request, film) for film in request.films]
    inputs = [request.shard, *(_identify(entry) for entry in landed)]
    settings = [config.limits, config.cleaning, config.language, config.variants, config.splitter]
    read = cache(partial(_read_films, store, landed, config))
    results = {}
    for stage, version in STAGE_VERSIONS.items():
        key = fingerprint(stage, version, inputs, settings)
        results[stage] = run_stage(store, PIPELINE, stage, request.shard, key, TABLE, partial(_pick, read, stage))
    failures = _list_failures(landed, results["rejected"].load())
    results["films"] = _keep_earlier(store, request, results["films"], [failure.unit for failure in failures])
    count = len(results["films"].load())
    logger.info("%s: %d films of %d", request.shard, count, len(request.films))
    files = [file for entry in landed for file in entry.files]
    return UnitReference(
        request.shard,
        {stage: result.artifact for stage, result in results.items()},
        tuple(file.key for file in files),
        tuple(file.file.path for file in files),
        {"films": count, "characters": sum(entry.size for entry in landed)},
        tuple(stage for stage, result in results.items() if result.computed),
        {"films": time.perf_counter() - started},
        failures,
    )


def check_settings(profile: str, config_file: str | None, _: str | None = None) -> None:
    """Raise ConfigError where the profile or the settings are not there or wrong."""
    load_config(SubtitlesConfig, PIPELINE, profile, config_file)


@dataclass(frozen=True, slots=True)
class _LandedFilm:
    """A film with its landed files (without their contents, `size` bytes in all), the summary's last where it is a file.

    `failure` is why they could not land; `unreadable`: the next run may find it otherwise.
    """

    film: Film
    files: tuple[LandedFile, ...]
    size: int = 0
    failure: str = ""
    unreadable: bool = False


def _land_film(store: Store, request: ShardOfFilms, film: Film) -> _LandedFilm:
    listed = [*film.subtitles, *((film.summary.file,) if film.summary.file is not None else ())]
    files, size = [], 0
    try:
        for file in listed:
            landed = land_file(store, PIPELINE, request.shard, file)
            size += len(landed.content)
            files.append(replace(landed, content=b""))  # a shard's contents would fill the memory
    except (SourceError, UnreadableFileError) as error:
        return _LandedFilm(film, (), 0, str(error), isinstance(error, UnreadableFileError))
    return _LandedFilm(film, tuple(files), size)


def _identify(landed: _LandedFilm) -> str:
    """Return everything that a film's rows are made from: names count too, since they tell languages and stand in the rows."""
    film = landed.film
    files = [(file.file.path, file.sha256) for file in landed.files]
    return json.dumps([film.id, film.title, film.year, files, film.summary.text, landed.failure])


def _read_films(store: Store, landed: Sequence[_LandedFilm], config: SubtitlesConfig) -> dict[str, pa.Table]:
    """Return the table of each stage; what a film's rows are made from is let go before the next film is read."""
    tables: dict[str, list[pa.Table]] = {stage: [] for stage in STAGE_VERSIONS}
    for entry in landed:
        outcome = [_read_film(store, entry, config)]
        tables["films"].append(tabulate_films(outcome))
        tables["rejected"].append(tabulate_rejected(outcome))
    return {stage: pa.concat_tables(parts).combine_chunks() for stage, parts in tables.items()}


def _read_film(store: Store, landed: _LandedFilm, config: SubtitlesConfig) -> FilmOutcome:
    film = landed.film
    if landed.failure:
        return FilmOutcome(film.id, None, (), landed.failure)
    contents = [(file.file.path, store.read(file.key)) for file in landed.files]
    text = film.summary.text
    *subtitles, summary = contents if text is None else [*contents, (TABLE_NAME, text.encode())]
    try:
        return read_film(film, subtitles, summary, config, make_splitter(config.splitter))
    except SourceError as error:
        return FilmOutcome(film.id, None, (), str(error))


def _pick(read: Callable[[], dict[str, pa.Table]], stage: str) -> pa.Table:
    return read()[stage]


def _list_failures(landed: Sequence[_LandedFilm], rejected: pa.Table) -> tuple[UnitFailure, ...]:
    films = {entry.film.id: entry for entry in landed}
    return tuple(
        UnitFailure(
            row["film"],
            tuple(file.path for file in films[row["film"]].film.subtitles),
            "films",
            row["reason"],
            "StoreError" if films[row["film"]].unreadable else "SourceError",
            not films[row["film"]].unreadable,
        )
        for row in rejected.to_pylist()
        if row["failed"]
    )


def _keep_earlier(
    store: Store, request: ShardOfFilms, films: StageResult[pa.Table], failed: Sequence[str]
) -> StageResult[pa.Table]:
    """Return the films with the earlier rows of those that failed: a file that went bad takes nothing out of a dataset."""
    found = store.read_if_there(request.earlier) if failed and request.earlier is not None else None
    if found is None:
        return films
    earlier = decode_table(found[0])
    kept = earlier.filter(pc.is_in(earlier.column("film"), pa.array(failed, pa.string())))
    if not len(kept):
        return films
    made_from = [films.artifact.fingerprint, hashlib.sha256(encode_table(kept)).hexdigest()]
    key = fingerprint("films", STAGE_VERSIONS["films"], made_from, [])
    return run_stage(
        store, PIPELINE, "films", request.shard, key, TABLE, lambda: pa.concat_tables([films.load(), kept]).sort_by("film")
    )


@lru_cache(maxsize=4)
def _open_store(url: str) -> Store:
    return Store(url)
