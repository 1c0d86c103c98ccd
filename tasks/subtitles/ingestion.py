"""How the pipeline `subtitles` makes units of its sources: files sorted to films, which travel in shards, and films read."""

import hashlib
import json
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pyarrow as pa

from core.dataset.units import RefusedFile, SourceFile
from core.errors import ConfigError, SourceError
from core.references import UnitReference
from core.subtitles import discovery
from core.subtitles.config import SubtitlesConfig
from core.subtitles.film_dialogue import FilmOutcome, read_film
from core.text.sentences import SentenceSplitter, make_splitter
from infra.store.manifests import release_key
from infra.store.objects import Store
from infra.store.releases import read_manifest
from infra.tables.codecs import Codec, decode_table, json_codec
from infra.tables.parquet import read_rows
from infra.tables.subtitles import FILM_ARTIFACT, REJECT_ARTIFACT, tabulate_films, tabulate_rejected
from tasks.frame.asking import await_answers
from tasks.frame.build import UnitWork
from tasks.frame.model import Discovery, Ingestion, PlanRequest, SizeLimit, Sources, Unit
from tasks.frame.shards import SHARD_STAGES, Member, MemberRows, ShardRules, build_shard, group_members
from tasks.subtitles.asking import hear_reader

PRINTS: Codec[dict[str, str]] = json_codec(dict[str, str])
"""By film the SHA-256 of its dialogue: films with the same one are released once."""
STAGE_VERSIONS = {"films": 9, "rejected": 9, "prints": 1, "reading": 2, **SHARD_STAGES}
"""Raised when a stage's results change though its inputs and settings do not; a golden test per stage watches over it."""


def plan_subtitles(request: PlanRequest[SubtitlesConfig]) -> Discovery:
    """List the sources and sort their files to films. What the release needs to know are the films that are left out."""
    config = request.config
    files = request.sources.list_files((discovery.SUMMARY_FOLDER,), records="subtitles")
    named = (name for dataset in config.exclude_datasets for name in _list_movies(request.store, dataset))
    found = discovery.find_films(
        (file for file in files if not file.is_bad_record),
        _read_table(request.sources, discovery.find_table(files)),
        (*config.exclude, *named),
        config.limits,
    )
    shards, taken_down = group_members([_make_unit(film) for film in found.units], config.shards, request.takedown)
    return Discovery(
        listing=files,
        units=await_answers(shards, request),
        waiting=found.waiting,
        refused=[*found.refused, *(RefusedFile(file.path, file.fault) for file in files if file.is_bad_record)],
        taken_down=taken_down,
        knowledge=found.left_out,
        left_out={entry.film: entry.reason for entry in found.left_out if entry.path is None},
    )


def _make_unit(film: discovery.Film) -> Unit:
    """Return a film as a unit; it is made from its own line of the table of summaries, not from the table as a whole."""
    told = film.summary if isinstance(film.summary, str) else None
    files = film.subtitles if isinstance(film.summary, str) else (*film.subtitles, film.summary)
    return Unit(id=film.id, files=files, spec=film, made_from=json.dumps([film.title, film.year, told]))


def _read_table(sources: Sources, file: SourceFile | None) -> discovery.SummaryTable | None:
    if file is None:
        return None
    try:
        return discovery.parse_summary_table(file.path, sources.read(file, discovery.MAX_TABLE_BYTES))
    except SourceError as error:
        raise ConfigError(str(error)) from error


def _list_movies(store: Store, dataset: str) -> Iterator[str]:
    """Yield what names the movies and episodes of a dataset of scripts; nothing where it is not there.

    It is their ids, and of movies the title as well, with the year where it is known: a film may have an episode's title.
    """
    manifest = read_manifest(store, dataset)
    if manifest is None:
        return
    folder = release_key(dataset, manifest.version)
    paths = [file.path for file in manifest.files if file.path.startswith("data/")]
    for row in chain.from_iterable(read_rows(store, f"{folder}/{path}", ("movie", "kind", "title", "year")) for path in paths):
        if row["kind"] in ("movie", "episode"):
            yield row["movie"]
        if row["kind"] == "movie":
            yield f"{row['title']} ({row['year']})" if row["year"] else row["title"]


def build(work: UnitWork[SubtitlesConfig]) -> UnitReference:
    """Read the films of a shard, one at a time; a film that fails is named in the reference and the others go on."""
    config = work.config
    split = make_splitter(config.splitter)
    rules = ShardRules(
        read=lambda member: _read_film(member, config, split),
        column="film",
        settings=_list_result_settings(config),
        stages={"films": FILM_ARTIFACT, "rejected": REJECT_ARTIFACT},
        limit=SizeLimit(
            config.limits.max_bytes, "a subtitle file or summary", "Take the file out, or raise the setting limits.max_bytes"
        ),
        kept=("films",),
        tabulate_failure=lambda film, reason: _tabulate(FilmOutcome(film, None, (), reason)),
    )
    reference = build_shard(work, rules)
    films = reference.artifacts["films"]
    work.run("prints", PRINTS, [films.fingerprint], None, lambda: _print_films(decode_table(work.store.read(films.key))))
    return hear_reader(work, work.complete(reference))


def _print_films(films: pa.Table) -> dict[str, str]:
    """Return the SHA-256 of each film's dialogue."""
    texts = zip(films.column("film").to_pylist(), films.column("plain").to_pylist(), strict=True)
    return {film: hashlib.sha256(text.encode()).hexdigest() for film, text in texts}


def _read_film(member: Member, config: SubtitlesConfig, split: SentenceSplitter) -> MemberRows:
    film: discovery.Film = member.spec
    told = film.summary
    *subtitles, summary = [*member.files, (discovery.TABLE_NAME, told.encode())] if isinstance(told, str) else member.files
    try:
        outcome = read_film(film, subtitles, summary, config, split)
    except SourceError as error:
        outcome = FilmOutcome(film.id, None, (), str(error))
    return MemberRows(_tabulate(outcome), outcome.failure)


def _tabulate(outcome: FilmOutcome) -> dict[str, pa.Table]:
    return {"films": tabulate_films([outcome]), "rejected": tabulate_rejected([outcome])}


def _list_result_settings(config: SubtitlesConfig) -> list[Any]:
    return [config.limits, config.cleaning, config.language, config.variants, config.matching, config.splitter]


INGESTION = Ingestion(
    config=SubtitlesConfig,
    plan=plan_subtitles,
    stage_versions=STAGE_VERSIONS,
    result_settings=_list_result_settings,
)
