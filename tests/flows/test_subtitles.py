"""The whole `subtitles` flow: a release that `datasets` loads, a rerun that computes nothing, bad films beside good ones."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.dataset.shards import name_shard
from infra.store.objects import Store
from tests.flows.calling import Ended
from tests.tasks.subtitled import make_xml, write_bad_films, write_film

GOOD = ("alpha", "beta", "gamma", "omega")


@dataclass(frozen=True, slots=True)
class Setting:
    """A source, a store and the reasons why the source's bad films are refused."""

    source: Path
    store: Path
    reasons: dict[str, str]
    run: Callable[[], Ended]


@pytest.fixture(scope="module")
def setting(fabula: Callable[..., Ended], repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Setting:
    root = tmp_path_factory.mktemp("subtitles")
    source, store = root / "source", root / "store"
    reasons = write_bad_films(source)
    for film in (*GOOD, "doublet"):
        write_film(source, film)
    opus = source / "en" / "1999" / "42"
    opus.mkdir(parents=True)
    (opus / "7.xml").write_text(make_xml())
    (source / "summaries.tsv").write_text("film\ttitle\tyear\tsynopsis\ntt0000042\tThe Lantern\t1999\tA lantern is lost.\n")
    (source / "stray.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nYes.\n")
    (write_film(source, "silent") / "film.srt").unlink()
    run_scripts(fabula, repository, store)
    options = ("--source", source, "--store", store, "--in-process", "--json")
    return Setting(source, store, reasons, lambda: fabula("run", "subtitles", *options))


@pytest.fixture(scope="module")
def first(setting: Setting) -> Ended:
    return setting.run()


def run_scripts(fabula: Callable[..., Ended], repository: Path, store: Path) -> None:
    """Put a dataset of scripts with the movie `doublet` into the store."""
    example, source = repository / "examples" / "scripts", store.parent / "scripts"
    shutil.copytree(example / "movies" / "lost-property", source / "movies" / "doublet")
    settings = ("--config", example / "settings.toml")
    ended = fabula("run", "scripts", "--source", source, "--store", store, *settings, "--in-process")
    assert ended.status == 0, ended.err


def read_films(release: str) -> dict[str, dict[str, Any]]:
    tables = [pq.read_table(path) for path in sorted(Path(release).glob("data/subtitles/*.parquet"))]
    return {row["film"]: row for row in pa.concat_tables(tables).to_pylist()}


def test_the_films_land_and_everything_else_is_named(first: Ended, setting: Setting) -> None:
    assert first.status == 0, first.err
    assert first.json["units"] == {
        "discovered": len(GOOD) + 1 + len(setting.reasons) + 2,
        "computed": len(GOOD) + 1,
        "reused": 0,
        "waiting": 1,
        "quarantined": len(setting.reasons) + 1,
        "removed": 0,
    }
    lines = first.err.splitlines()
    assert "waiting      silent: no English subtitle yet" in lines
    for unit, part in {**setting.reasons, "stray.srt": "not in a film's folder"}.items():
        (line,) = [line for line in lines if line.startswith(f"quarantined  {unit}: ")]
        assert part in line


def test_quarantine_names_film_files_and_reason(first: Ended, setting: Setting) -> None:
    assert first.status == 0, first.err
    store = Store(str(setting.store))
    records = {record["unit"]: record for record in map(store.read_json, store.list_keys("quarantine/subtitles"))}
    assert set(records) == {*setting.reasons, "stray.srt"}
    assert records["bomb"]["paths"] == ["bomb/film.xml", "bomb/synopsis.txt"]
    assert len(records["bomb"]["checksum"]) == 64


def test_the_release_loads_with_datasets_without_a_network(first: Ended, load_release: Callable[[str], Any]) -> None:
    (table,) = load_release(first.json["release"]).values()
    films = {row["film"]: row for rows in table.values() for row in rows}
    assert set(films) == {*GOOD, "tt0000042"}
    assert (len(films["tt0000042"]["turns"]), films["tt0000042"]["summary"]) == (12, "A lantern is lost.")


def test_a_movie_of_the_stores_scripts_is_left_out_and_told(first: Ended) -> None:
    (line,) = [line for line in first.err.splitlines() if line.startswith("left out     ")]
    assert line.startswith("left out     doublet: already present in scripts")
    statistics = json.loads((Path(first.json["release"]) / "stats.json").read_text())
    (entry,) = statistics["left_out"]
    assert entry["film"] == "doublet"
    assert "already present in scripts" in entry["reason"]


def test_then_nothing_is_computed_until_a_film_changes_and_then_its_shard_only(first: Ended, setting: Setting) -> None:
    again = setting.run()  # it looks at the shard of "gone" again, in vain
    assert again.status == 0, again.err
    assert again.json["units"]["computed"] == 0
    assert again.json["release"] == first.json["release"]

    write_film(setting.source, "beta", word="candle")
    changed = setting.run()
    assert changed.status == 0, changed.err
    record = Store(str(setting.store)).read_json(f"runs/{changed.json['run_id']}.json")
    neighbours = [film for film in (*GOOD, "tt0000042") if name_shard(film, 64) == name_shard("beta", 64)]
    assert record["computed"] == neighbours
    before, after = read_films(first.json["release"]), read_films(changed.json["release"])
    assert {film for film in after if after[film]["dialogue"] != before[film]["dialogue"]} == {"beta"}

    (setting.source / "beta" / "film.srt").write_text("")
    bad = setting.run()
    assert any(line.startswith("quarantined  beta: ") for line in bad.err.splitlines())
    assert read_films(bad.json["release"])["beta"] == after["beta"]


def test_prefect_and_dask_release_what_this_process_does(
    fabula: Callable[..., Ended], fabula_process: Callable[..., Ended], repository: Path, tmp_path: Path
) -> None:
    call = ("run", "subtitles", "--source", repository / "examples" / "subtitles", "--json", "--store")
    here = fabula(*call, tmp_path / "here", "--in-process")
    there = fabula_process(*call, tmp_path / "there", "--workers", 1)
    assert there.status == 0, there.err
    assert (there.json["units"], there.err) == (here.json["units"], "")
    assert there.json["units"]["computed"] == 2
    assert Path(there.json["release"]).name == Path(here.json["release"]).name  # the version, a hash of the content
