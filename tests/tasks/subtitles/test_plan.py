"""Planning a run of `subtitles`: films in shards, what is left out, and what is computed again."""

import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from core.dataset.unit_shards import name_shard
from core.errors import ConfigError
from core.references import Artifact, CatalogEntry, UnitFailure
from core.subtitles.config import SubtitleCleaning, SubtitlesConfig
from infra.store.objects import Store
from infra.tables.columns import optional, required
from infra.tables.parquet import Rows, write_tables
from tasks.frame.plan import RunPlan
from tasks.pipelines import SUBTITLES
from tests.tasks import in_process
from tests.tasks.in_process import make_reference
from tests.tasks.subtitled import write_film

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


def landed(run: RunPlan, *failures: UnitFailure) -> dict[str, CatalogEntry]:
    """Return the catalog of a run after which members failed in every shard."""
    return {
        unit: CatalogEntry(
            unit=unit,
            settings=run.settings,
            signature=run.signatures[unit],
            reference=make_reference(unit, artifacts={"films": Artifact("films", "", f"{unit}.parquet", "")}, failures=failures),
        )
        for unit in run.to_build
    }


def shard(*films: str) -> list[str]:
    return sorted({name_shard(film, 64) for film in films})


def list_requests(planned: RunPlan) -> list[str]:
    return sorted(planned.to_build)


def write_table(source: Path, **lines: str) -> None:
    rows = [f"{film}\tThe {film}\t1999\t{text}" for film, text in lines.items()]
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
    assert [(unit.id, unit.missing) for unit in run.waiting] == [("swan", "English subtitle")]


def test_nothing_is_new_the_second_time(source: Path) -> None:
    first = plan(source)
    second = plan(source, landed(first))
    assert second.to_build == ()
    assert sorted(second.reused) == sorted(first.to_build)


@pytest.mark.parametrize("name", ["film.srt", "synopsis.txt"])
def test_a_changed_film_changes_its_shard_only(source: Path, name: str) -> None:
    catalog = landed(plan(source))
    os.utime(source / "owl" / name, (1, 1))
    planned = plan(source, catalog)
    assert list_requests(planned) == shard("owl")
    (unit,) = planned.to_build
    assert planned.requests[unit].earlier["films"].key == f"{unit}.parquet"


def test_a_new_film_changes_its_shard_only(source: Path) -> None:
    catalog = landed(plan(source))
    write_film(source, "swan")
    assert list_requests(plan(source, catalog)) == shard("swan")
    (source / "owl" / "film.srt").unlink()
    assert list_requests(plan(source, catalog)) == shard("swan")


def test_a_line_of_the_table_changes_its_film_only(source: Path) -> None:
    for film in FILMS:
        (source / film / "synopsis.txt").unlink()
    write_table(source, fox="A fox.", goose="A goose.", owl="An owl.")
    first = plan(source)
    assert [unit.id for unit in first.waiting] == ["wolf"]
    catalog = landed(first)
    os.utime(source / "summaries.tsv", (1, 1))
    assert plan(source, catalog).to_build == ()
    write_table(source, fox="A fox.", goose="Another goose.", owl="An owl.")
    assert list_requests(plan(source, catalog)) == shard("goose")
    write_table(source, fox="A fox.", goose="A goose.", owl="An owl.", wolf="A wolf.")
    assert list_requests(plan(source, catalog)) == shard("wolf")


def test_a_changed_setting_counts_where_films_depend_on_it(source: Path) -> None:
    catalog = landed(plan(source))
    assert plan(source, catalog, SubtitlesConfig(exclude=("swan",))).to_build == ()
    changed = plan(source, catalog, SubtitlesConfig(cleaning=SubtitleCleaning(lyrics="remove")))
    assert list_requests(changed) == shard(*FILMS)
    assert [request.earlier for request in changed.requests.values() if request.earlier] == []


def test_a_shard_is_tried_again_where_a_film_could_not_be_read(source: Path) -> None:
    """A file without permission looks the same in the listing once it has it."""
    first = plan(source)
    passing = UnitFailure("owl", ("owl/film.srt",), "build", "could not read owl/film.srt", "UnreadableFileError", False)
    permanent = UnitFailure("owl", ("owl/film.srt",), "build", "owl/film.srt: it is empty", "SourceError", True)
    assert list_requests(plan(source, landed(first, passing))) == shard(*FILMS)
    assert plan(source, landed(first, permanent)).to_build == ()


def test_films_that_the_settings_list_are_left_out(source: Path) -> None:
    planned = plan(source, config=SubtitlesConfig(exclude=("Fox", "goose")))
    assert sorted(entry.film for entry in planned.knowledge) == ["fox", "goose"]
    assert all("already present in scripts" in entry.reason for entry in planned.knowledge)
    assert list_requests(planned) == shard("owl", "wolf")


def test_movies_of_the_stores_scripts_are_left_out(source: Path) -> None:
    """By id, by title and year; a book of the same name, and a remake of another year, are other stories."""
    for film in FILMS:
        (source / film / "synopsis.txt").unlink()
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
    assert {entry.film: entry.reason.split()[-1] for entry in planned.knowledge} == {"fox": "'fox'", "goose": "(1999)'"}
    assert list_requests(planned) == shard("owl", "wolf")
    assert plan(source, config=SubtitlesConfig(exclude_datasets=())).knowledge == ()
    assert plan(source, config=SubtitlesConfig(exclude_datasets=("others",))).knowledge == ()


def test_episodes_of_the_stores_scripts_are_left_out_by_their_ids_and_told(source: Path) -> None:
    write_scripts(source, ("fox", "episode", "Owl", None), ("e2", "episode", "Goose", None))
    planned = plan(source)
    assert [entry.film for entry in planned.knowledge] == ["fox"]
    assert list(planned.left_out) == ["fox"]
    assert "already present in scripts" in planned.left_out["fox"]
    assert "fox" not in planned.discovered


def test_only_a_dataset_of_scripts_can_be_excluded(source: Path) -> None:
    store = Store(str(source.parent / "store"))
    schema = pa.schema([required("episode", pa.string())])
    path = "datasets/tales/v1/data/pairs/train-00000-of-00001.parquet"
    with store.writing(path) as stream:
        write_tables(stream, schema, [Rows(pa.table({"episode": ["e1"]}, schema=schema))])
    files = [{"path": "data/pairs/train-00000-of-00001.parquet"}]
    store.write_json("datasets/tales/v1/manifest.json", {"version": "v1", "files": files})
    store.write_json("datasets/tales/latest.json", {"version": "v1", "path": "datasets/tales/v1"})
    with pytest.raises(ConfigError, match="no column movie, kind, title, year"):
        plan(source, config=SubtitlesConfig(exclude_datasets=("tales",)))


def test_foreign_and_misplaced_files_are_told(source: Path) -> None:
    (source / "fox" / "film.fr.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nOui.\n")
    (source / "stray.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nYes.\n")
    planned = plan(source)
    assert [(entry.film, entry.path) for entry in planned.knowledge] == [("fox", "fox/film.fr.srt")]
    (failure,) = planned.failures
    assert failure.unit == "stray.srt"
    assert "not in a film's folder" in failure.reason


def test_a_bad_line_of_the_table_is_told_and_a_bad_table_ends_the_run(source: Path) -> None:
    (source / "summaries.tsv").write_text("film\tsynopsis\nfox\tA fox.\n\tNobody's.\n")
    (failure,) = plan(source).failures
    assert failure.unit == "summaries.tsv, line 3"
    (source / "summaries.tsv").write_text("name,plot\n")
    with pytest.raises(ConfigError, match="expected column names"):
        plan(source)


def test_a_limit_takes_the_first_shards(source: Path) -> None:
    assert list_requests(plan(source, limit=1)) == shard(*FILMS)[:1]


def test_a_source_that_is_not_there_is_the_callers_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such folder"):
        plan(tmp_path / "nothing")
