"""The whole `subtitles` flow: a release that `datasets` loads, a rerun that computes nothing, bad films beside good ones."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.unit_shards import name_shard
from infra.store.objects import Store
from tests.flows.conftest import Ended
from tests.tasks.subtitled import make_xml, write_bad_films, write_film
from tests.tasks.subtitles.test_plan import write_scripts

LOAD = """
import json, sys, datasets
table = datasets.load_dataset(sys.argv[1])
print(json.dumps({split: [[row["film"], len(row["turns"]), row["summary"]] for row in rows] for split, rows in table.items()}))
"""
GOOD = ("alpha", "beta", "gamma", "omega")


@dataclass(frozen=True, slots=True)
class Setting:
    """A source, a store and the reasons why the source's bad films are refused."""

    source: Path
    store: Path
    reasons: dict[str, str]
    run: Callable[[], Ended]


@pytest.fixture(scope="module")
def setting(fabula: Callable[..., Ended], tmp_path_factory: pytest.TempPathFactory) -> Setting:
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
    write_scripts(source, ("doublet", "movie", "Doublet", "1999"))
    options = ("--source", source, "--store", store, "--workers", 2, "--json")
    return Setting(source, store, reasons, lambda: fabula("run", "subtitles", *options))


@pytest.fixture(scope="module")
def first(setting: Setting) -> Ended:
    return setting.run()


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
    assert records["bomb"]["paths"] == ["bomb/film.xml"]
    assert len(records["bomb"]["checksum"]) == 64


def test_the_release_loads_with_datasets_without_a_network(first: Ended, tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", LOAD, first.json["release"]],
        env=os.environ | {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    loaded = {film: rest for rows in json.loads(ended.stdout).values() for film, *rest in rows}
    assert set(loaded) == {*GOOD, "tt0000042"}
    assert loaded["tt0000042"] == [12, "A lantern is lost."]


def test_a_movie_of_the_stores_scripts_is_left_out_and_told(first: Ended) -> None:
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
    assert {film for film in after if after[film]["plain"] != before[film]["plain"]} == {"beta"}

    (setting.source / "beta" / "film.srt").write_text("")
    bad = setting.run()
    assert any(line.startswith("quarantined  beta: ") for line in bad.err.splitlines())
    assert read_films(bad.json["release"])["beta"] == after["beta"]
