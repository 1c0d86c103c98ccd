"""A run of `subtitles`: films planned in shards, what is left out, and what is computed again; a shard built; bad films."""

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pyarrow as pa
import pytest

from core.dataset.units import name_shard
from core.errors import ConfigError
from core.references import Artifact, CatalogEntry, UnitReference
from core.subtitles.config import SubtitlesConfig
from infra.store.objects import Store
from infra.tables.codecs import decode_table
from infra.tables.columns import optional, required
from infra.tables.parquet import Rows, write_tables
from tasks.frame.build import build_unit
from tasks.frame.plan import RunPlan
from tasks.pipelines import SUBTITLES
from tests.tasks import in_process
from tests.tasks.conftest import Example
from tests.tasks.in_process import as_landed, make_reference
from tests.tasks.subtitled import GERMAN, make_srt, make_xml, write_bad_films, write_film

FILMS = ("fox", "goose", "owl", "wolf")
MOVIES = pa.schema([required(name, pa.string()) for name in ("movie", "kind", "title")] + [optional("year", pa.string())])


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for film in FILMS:
        write_film(tmp_path / "source", film)
    return tmp_path / "source"


def plan(
    source: Path, catalog: dict[str, CatalogEntry] | None = None, config: SubtitlesConfig | None = None, **asked: Any
) -> RunPlan:
    return in_process.plan(SUBTITLES, source, Store(str(source.parent / "store")), config, catalog=catalog, **asked)


def landed(run: RunPlan) -> dict[str, CatalogEntry]:
    """Return the catalog of a run that built everything."""
    built = {unit: {"films": Artifact("films", "", f"{unit}.parquet", "")} for unit in run.to_build}
    return {unit: replace(entry, reference=make_reference(unit, artifacts=built[unit])) for unit, entry in as_landed(run).items()}


def shard(*films: str) -> list[str]:
    return sorted({name_shard(film, 64) for film in films})


def write_table(source: Path, title: str = "The {}", year: int = 1999, **lines: str) -> None:
    """Write a table of summaries, which the films have no files of."""
    for film in FILMS:
        (source / film / "synopsis.txt").unlink(missing_ok=True)
    rows = [f"{film}\t{title.format(film)}\t{year}\t{text}" for film, text in lines.items()]
    (source / "summaries.tsv").write_text("\n".join(["film\ttitle\tyear\tsynopsis", *rows]) + "\n")


def write_scripts(source: Path, *rows: tuple[str, str, str, str | None], dataset: str = "scripts") -> None:
    """Put a dataset of movies into the store: id, kind, title, year."""
    store = Store(str(source.parent / "store"))
    folder, path = f"datasets/{dataset}/v1", "data/scripts/train-00000-of-00001.parquet"
    columns = dict(zip(MOVIES.names, zip(*rows, strict=True), strict=True))
    with store.writing(f"{folder}/{path}") as stream:
        write_tables(stream, MOVIES, [Rows(pa.table({name: list(values) for name, values in columns.items()}, schema=MOVIES))])
    store.write_json(f"{folder}/manifest.json", {"version": "v1", "files": [{"path": path}, {"path": "README.md"}]})
    store.write_json(f"datasets/{dataset}/latest.json", {"version": "v1", "path": folder})


def test_films_travel_in_the_shards_that_their_ids_name(source: Path) -> None:
    (source / "swan").mkdir()
    (source / "swan" / "synopsis.txt").write_text("A swan sings.")
    run = plan(source)
    assert sorted(run.requests) == shard(*FILMS)
    assert {film.id for request in run.requests.values() for film in request.unit.members} == set(FILMS)
    assert all(run.members[unit] == request.unit.member_ids for unit, request in run.requests.items())
    assert run.discovered == (*FILMS[:3], "swan", "wolf")
    assert [(unit.id, unit.missing) for unit in run.found.waiting] == [("swan", "English subtitle")]


@pytest.mark.parametrize("name", ["film.srt", "synopsis.txt"])
def test_a_changed_film_changes_its_shard_only(source: Path, name: str) -> None:
    catalog = landed(plan(source))
    os.utime(source / "owl" / name, (1, 1))
    planned = plan(source, catalog)
    (unit,) = planned.to_build
    assert [unit] == shard("owl")
    assert planned.requests[unit].earlier["films"].key == f"{unit}.parquet"


def test_a_line_of_the_table_changes_its_film_only(source: Path) -> None:
    told = {"fox": "A fox.", "goose": "A goose.", "owl": "An owl."}
    write_table(source, **told)
    first = plan(source)
    assert [unit.id for unit in first.found.waiting] == ["wolf"]
    catalog = landed(first)
    os.utime(source / "summaries.tsv", (1, 1))
    assert plan(source, catalog).to_build == ()
    for film, text in (("goose", "Another goose."), ("wolf", "A wolf.")):
        write_table(source, **(told | {film: text}))
        assert sorted(plan(source, catalog).to_build) == shard(film)


def test_movies_of_the_settings_and_of_the_stores_scripts_are_left_out(source: Path) -> None:
    """By id, by title and year; a book of the same name, and a remake of another year, are other stories."""
    planned = plan(source, config=SubtitlesConfig(exclude=("Fox", "goose")))
    assert sorted(entry.film for entry in planned.found.knowledge) == ["fox", "goose"]
    assert all("already present in scripts" in entry.reason for entry in planned.found.knowledge)
    assert sorted(planned.to_build) == shard("owl", "wolf")
    write_table(source, fox="A fox.", goose="A goose.", owl="An owl.", wolf="A wolf.")
    write_scripts(
        source,
        ("m1", "movie", "The Goose!", "1999"),
        ("m1", "movie", "The Goose!", "1999"),
        ("m2", "movie", "The Owl", "1950"),
        ("b1", "book", "The Wolf", "1999"),
        ("fox", "movie", "Reynard", None),
    )
    planned = plan(source)
    assert {entry.film: entry.reason.split()[-1] for entry in planned.found.knowledge} == {"fox": "'fox'", "goose": "(1999)'"}
    assert sorted(planned.to_build) == shard("owl", "wolf")
    for others in ((), ("others",)):
        assert plan(source, config=SubtitlesConfig(exclude_datasets=others)).found.knowledge == ()


def test_a_bad_line_of_the_table_is_told_and_a_bad_table_ends_the_run(source: Path) -> None:
    (source / "summaries.tsv").write_text("film\tsynopsis\nfox\tA fox.\n\tNobody's.\n")
    (failure,) = plan(source).failures
    assert failure.unit == "summaries.tsv, line 3"
    (source / "summaries.tsv").write_text("name,plot\n")
    with pytest.raises(ConfigError, match="expected column names"):
        plan(source)


def build_shard(source: Path, store: Store) -> UnitReference:
    """Build the films of a source as one shard."""
    (request,) = in_process.plan(SUBTITLES, source, store, SubtitlesConfig(shards=1)).requests.values()
    return build_unit(request)


def read_stage(store: Store, reference: UnitReference, stage: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = decode_table(store.read(reference.artifacts[stage].key)).to_pylist()
    return rows


def read_films(store: Store, reference: UnitReference) -> dict[str, dict[str, Any]]:
    return {row["film"]: row for row in read_stage(store, reference, "films")}


def test_a_film_has_its_dialogue_its_times_and_its_summary(films: Example) -> None:
    ghost = read_films(films.store, films.references["shard-0000-of-0001"])["the-tidy-ghost"]
    assert (ghost["title"], ghost["year"], ghost["subtitle"]) == ("The Tidy Ghost", 2021, "the-tidy-ghost/film.srt")
    assert ghost["summary"] == " ".join(ghost["sentences"])
    assert len(ghost["turns"]) == len(ghost["starts"]) == len(ghost["ends"])
    assert all(turn["speakers"] == [] and turn["text"] in ghost["plain"] for turn in ghost["turns"])
    assert ghost["starts"] == sorted(ghost["starts"])
    assert all(start <= end for start, end in zip(ghost["starts"], ghost["ends"], strict=True))


def test_films_with_one_dialogue_are_released_once_whatever_their_shards(tmp_path: Path, store: Store) -> None:
    for film, word in (("fox", "lantern"), ("goose", "lantern"), ("owl", "spoon")):
        write_film(tmp_path / "films", film, word)
    assert len(shard("fox", "goose", "owl")) == 3
    in_process.run(SUBTITLES, tmp_path / "films", store)
    assert {row["film"] for row in in_process.read_rows(store, "subtitles", "subtitles")} == {"fox", "owl"}
    (reject,) = in_process.read_rows(store, "subtitles", "rejects")
    assert (reject["film"], "fox" in reject["reason"]) == ("goose", True)


def test_bad_films_and_files_are_named_and_leave_the_others_landed(tmp_path: Path, store: Store) -> None:
    source = tmp_path / "source"
    reasons = write_bad_films(source)
    write_film(source, "omega")
    folder = write_film(source, "alpha")
    (folder / "other.srt").write_text(make_srt("Laterne", GERMAN))
    (folder / "broken.srt").write_text("no times at all")
    landed = build_shard(source, store)
    assert {film: row["subtitle"] for film, row in read_films(store, landed).items()} == {
        film: f"{film}/film.srt" for film in ("alpha", "omega")
    }
    assert landed.counts["members"] == 2
    rejected = {row["path"]: row["reason"] for row in read_stage(store, landed, "rejected")}
    assert rejected["alpha/other.srt"].startswith("not English")
    assert rejected["alpha/broken.srt"].startswith("unreadable: alpha/broken.srt")
    failures = {failure.unit: failure for failure in landed.failures}
    assert set(failures) == set(reasons)
    for film, part in reasons.items():
        assert part in failures[film].reason
        assert failures[film].paths[0].startswith(f"{film}/film.")
        assert (failures[film].permanent, failures[film].error) == (
            (False, "UnreadableFileError") if film == "gone" else (True, "SourceError")
        )


@pytest.mark.parametrize(
    "change",
    [
        lambda source: (source / "fox" / "synopsis.txt").write_text("Another story altogether.\n"),
        lambda source: (source / "fox" / "film.srt").rename(source / "fox" / "film.en.srt"),
        lambda source: (source / "fox" / "second.xml").write_text(make_xml()),
        lambda source: write_table(source, year=1998, fox="Told here."),
        lambda source: write_table(source, "A {}", fox="Told here."),
    ],
    ids=["synopsis", "name", "variant", "year", "title"],
)
def test_everything_that_a_row_shows_counts(tmp_path: Path, store: Store, change: Callable[[Path], object]) -> None:
    source = tmp_path / "source"
    write_film(source, "fox")
    write_table(source, fox="Told here.")
    before = build_shard(source, store)
    change(source)
    after = build_shard(source, store)
    assert list(after.computed) == ["films", "rejected", "failures", "prints"]
    assert after.artifacts == build_shard(source, Store(f"memory://{uuid4().hex}")).artifacts
    assert after.artifacts["films"].fingerprint != before.artifacts["films"].fingerprint


def test_real_films_land_and_the_rest_is_named(corpora: Path, tmp_path: Path, store: Store) -> None:
    """OPUS's files as they lie there, with a summary table: seven variants of one film, two .srt files, and one cut off."""
    opus, source = corpora / "subtitles" / "opus_subalign", tmp_path / "source"
    for language in ("en", "et"):
        shutil.copytree(opus / language, source / language)
    names = {"shrek": "srt/en/shrek3.srt", "spartacus": "srt/en/spartacus.srt", "shrek-de": "srt/de/shrek3.srt"}
    for film, path in names.items():
        (source / film).mkdir()
        (source / film / "film.srt").write_bytes((opus / path).read_bytes())
    (source / "cut").mkdir()
    whole = (opus / "en/2001/209475/109371.xml.gz").read_bytes()
    (source / "cut" / "film.xml.gz").write_bytes(whole[: len(whole) // 2])
    lines = [f"{film}\tA story of {film}. It ends well." for film in (*names, "cut", "209475")]
    (source / "summaries.tsv").write_text("\n".join(["film\tsynopsis", *lines]) + "\n")

    landed = build_shard(source, store)
    films = read_films(store, landed)
    assert set(films) == {"shrek", "spartacus", "tt0209475"}
    assert len(films["tt0209475"]["turns"]) == 1783
    assert {failure.unit: failure.reason.split(":")[0] for failure in landed.failures} == {
        "cut": "no readable English subtitle",
        "shrek-de": "no English subtitle",
    }
    assert len([row for row in read_stage(store, landed, "rejected") if row["film"] == "tt0209475"]) == 6
    assert build_shard(source, store).computed == ()
