"""One shard of films, from their files to whole dialogues with synopses."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial

import pyarrow as pa

from core.errors import SourceError
from core.fingerprints import fingerprint
from core.references import Artifact, UnitFailure, UnitReference
from core.subtitles.config import SubtitlesConfig
from core.subtitles.film_dialogue import FilmOutcome, read_film
from core.subtitles.films import Film
from core.text.sentences import make_splitter
from infra.codecs import Codec
from infra.settings import load_config
from infra.store import Store
from infra.subtitle_tables import tabulate_films, tabulate_rejected
from infra.tables import decode_table, encode_table
from tasks.landing import LandedFile, land_file
from tasks.stages import run_stage

PIPELINE = "subtitles"
STAGE_VERSIONS = {"films": 1, "rejected": 1}
"""Raised when a stage's results change though its inputs and settings do not; a golden test per stage watches over it."""

TABLE: Codec[pa.Table] = Codec(".parquet", encode_table, decode_table)
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ShardOfFilms:
    """Films to read together, and where they go."""

    shard: str
    films: tuple[Film, ...]
    store: str
    config: SubtitlesConfig


def build_films(request: ShardOfFilms) -> UnitReference:
    """Read the films of a shard; a film that fails is named in the reference and the others go on.

    Raises:
        StoreError: source or store failed.
    """
    started = time.perf_counter()
    store, config = _open_store(request.store), request.config
    landed = [_land_film(store, request, film) for film in request.films]
    inputs = [request.shard, *(_identify(entry) for entry in landed)]
    settings = [config.limits, config.cleaning, config.language, config.variants, config.splitter]
    outcomes = cache(lambda: [_read_film(entry, config) for entry in landed])
    artifacts: dict[str, Artifact] = {}
    computed: list[str] = []
    tables: dict[str, pa.Table] = {}
    for stage, tabulate in (("films", tabulate_films), ("rejected", tabulate_rejected)):
        key = fingerprint(stage, STAGE_VERSIONS[stage], inputs, settings)
        result = run_stage(store, PIPELINE, stage, request.shard, key, TABLE, partial(_tabulate, tabulate, outcomes))
        artifacts[stage], tables[stage] = result.artifact, result.load()
        if result.computed:
            computed.append(stage)
    files = [file for entry in landed for file in entry.files]
    logger.info("%s: %d films of %d", request.shard, len(tables["films"]), len(request.films))
    return UnitReference(
        request.shard,
        artifacts,
        tuple(file.key for file in files),
        tuple(file.file.path for file in files),
        {"films": len(tables["films"]), "characters": sum(len(file.content) for file in files)},
        tuple(computed),
        {"films": time.perf_counter() - started},
        tuple(
            UnitFailure(row["film"], _paths(request, row["film"]), "films", row["reason"], "SourceError", True)
            for row in tables["rejected"].to_pylist()
            if row["failed"]
        ),
    )


def check_settings(profile: str, config_file: str | None, _: str | None = None) -> None:
    """Raise ConfigError where the profile or the settings are not there or wrong."""
    load_config(SubtitlesConfig, PIPELINE, profile, config_file)


@dataclass(frozen=True, slots=True)
class _LandedFilm:
    """A film with its landed files, the summary's last where it is a file; `failure` is why they could not land."""

    film: Film
    files: tuple[LandedFile, ...]
    failure: str = ""


def _land_film(store: Store, request: ShardOfFilms, film: Film) -> _LandedFilm:
    listed = [*film.subtitles, *((film.summary.file,) if film.summary.file is not None else ())]
    try:
        return _LandedFilm(film, tuple(land_file(store, PIPELINE, request.shard, file) for file in listed))
    except SourceError as error:
        return _LandedFilm(film, (), str(error))


def _identify(landed: _LandedFilm) -> str:
    return " ".join((landed.film.id, *(file.sha256 for file in landed.files), landed.film.summary.text or "", landed.failure))


def _read_film(landed: _LandedFilm, config: SubtitlesConfig) -> FilmOutcome:
    film = landed.film
    if landed.failure:
        return FilmOutcome(film.id, None, (), landed.failure)
    subtitles = [(file.file.path, file.content) for file in landed.files[: len(film.subtitles)]]
    last = landed.files[-1]
    given = film.summary.text is not None
    summary = ("summaries.tsv", (film.summary.text or "").encode()) if given else (last.file.path, last.content)
    try:
        return read_film(film, subtitles, summary, config, make_splitter(config.splitter))
    except SourceError as error:
        return FilmOutcome(film.id, None, (), str(error))


def _tabulate(tabulate: Callable[[Sequence[FilmOutcome]], pa.Table], outcomes: Callable[[], list[FilmOutcome]]) -> pa.Table:
    return tabulate(outcomes())


def _paths(request: ShardOfFilms, film_id: str) -> tuple[str, ...]:
    return tuple(file.path for film in request.films if film.id == film_id for file in film.subtitles)


@lru_cache(maxsize=4)
def _open_store(url: str) -> Store:
    return Store(url)
