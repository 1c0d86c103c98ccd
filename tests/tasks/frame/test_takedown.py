"""What is on the takedown list is in no file of a later release, computed no more, and counted with its reason."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.unit_shards import name_shard
from infra.store.catalog import read_catalog
from infra.store.objects import Store
from infra.store.releases import read_manifest
from infra.store.takedown import add_takedown, remove_takedown
from tasks.pipelines import SCRIPTS, TRANSCRIPTS
from tests.flows.stories import write_episode
from tests.tasks import in_process
from tests.tasks.conftest import Example
from tests.tasks.in_process import name_version, read_rows, read_splits, release_folder, run
from tests.tasks.toy import LETTERS, NOTES, write_text

TIME = "2026-01-01T00:00:00+00:00"
UNITS = ("S01E01", "S01E02", "S01E03", "S01E04")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for unit in UNITS:
        write_text(tmp_path / "source", unit)
    return tmp_path / "source"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path / "store"))


def files_with(store: Store, dataset: str, word: str) -> list[str]:
    """Return the files of the latest release in which a word stands, whether as text or in a column."""
    found = []
    for key in store.list_keys(release_folder(store, dataset)):
        content = store.read(key)
        text = str(pq.read_table(pa.BufferReader(content)).to_pylist()) if key.endswith(".parquet") else content.decode()
        if word in text:
            found.append(key)
    return found


def count_withheld(store: Store, dataset: str) -> dict[str, Any]:
    manifest = read_manifest(store, dataset)
    assert manifest is not None
    counts: dict[str, Any] = manifest["takedown"]
    return counts


def test_a_unit_is_in_no_file_and_not_computed_and_comes_back_to_its_split(source: Path, store: Store) -> None:
    before, splits = run(LETTERS, source, store), read_splits(store, "letters")
    assert files_with(store, "letters", "S01E02")
    add_takedown(store, "letters", ["S01E02"], "asked for by its author", TIME)
    after = run(LETTERS, source, store)
    assert after.new_release
    assert (after.computed, after.reused) == ((), ("S01E01", "S01E03", "S01E04"))
    assert (after.discovered, after.removed) == (3, ())
    assert files_with(store, "letters", "S01E02") == []
    assert "S01E02" not in read_catalog(store, "letters")
    assert count_withheld(store, "letters") == {"units": {"asked for by its author": 1}, "rows": {}}
    again = run(LETTERS, source, store)
    assert (again.new_release, again.computed) == (False, ())

    remove_takedown(store, "letters", ["S01E02"])
    back = run(LETTERS, source, store)
    assert name_version(back) == name_version(before)
    assert read_splits(store, "letters") == splits


def test_a_unit_that_waits_is_out_too_and_nothing_of_it_is_left(source: Path, store: Store) -> None:
    run(LETTERS, source, store)
    (source / "S01E02.txt").unlink()
    write_text(source, "half-S01E02")
    assert run(LETTERS, source, store).waiting == (("half-S01E02", "end"),)
    add_takedown(store, "letters", ["S01E02", "half-S01E02"], "asked for", TIME)
    after = run(LETTERS, source, store)
    assert (after.waiting, after.removed, after.discovered) == ((), (), 3)
    assert list(read_catalog(store, "letters")) == ["S01E01", "S01E03", "S01E04"]


def test_a_row_is_in_no_table_and_the_others_stay_as_they_were(source: Path, store: Store) -> None:
    run(LETTERS, source, store)
    before = read_rows(store, "letters", "texts")
    add_takedown(store, "letters", ["S01E03_0001", "S09E09_0000"], "a name in it", TIME)
    after = run(LETTERS, source, store)
    assert (after.computed, after.new_release) == ((), True)
    assert files_with(store, "letters", "S01E03_0001") == []
    assert read_rows(store, "letters", "texts") == [row for row in before if row["id"] != "S01E03_0001"]
    assert count_withheld(store, "letters") == {"units": {}, "rows": {"texts": {"a name in it": 1}}}


def test_ids_of_another_source_make_no_new_release(source: Path, store: Store) -> None:
    run(LETTERS, source, store)
    add_takedown(store, "letters", ["S09E09", "S09E09_0000"], "asked for", TIME)
    assert not run(LETTERS, source, store).new_release


def test_a_small_unit_leaves_its_shard_and_is_computed_no_more(source: Path, store: Store) -> None:
    run(NOTES, source, store, shards=2)
    before = read_rows(store, "notes", "texts")
    add_takedown(store, "notes", ["S01E02"], "asked for", TIME)
    after = run(NOTES, source, store, shards=2)
    assert after.computed == tuple(unit for unit in UNITS if unit != "S01E02" and name_shard(unit, 2) == name_shard("S01E02", 2))
    assert [row["text"] for row in read_rows(store, "notes", "texts")] == [
        row["text"] for row in before if row["unit"] != "S01E02"
    ]
    assert files_with(store, "notes", "S01E02") == []
    assert "S01E02" not in str(read_catalog(store, "notes"))
    assert not run(NOTES, source, store, shards=2).new_release


def test_a_shard_of_which_nothing_is_left_is_forgotten(source: Path, store: Store) -> None:
    run(NOTES, source, store, shards=9_999)
    add_takedown(store, "notes", ["S01E02"], "asked for", TIME)
    run(NOTES, source, store, shards=9_999)
    assert name_shard("S01E02", 9_999) not in read_catalog(store, "notes")


# What the papers' own tables make of it.


@pytest.fixture
def episodes_of_tales(tmp_path: Path) -> Path:
    for unit in UNITS[:3]:
        write_episode(tmp_path / "tales", unit)
    return tmp_path / "tales"


def test_the_episode_after_one_that_is_out_retells_no_other(episodes_of_tales: Path, store: Store) -> None:
    def read_retold() -> dict[str, Any]:
        return {row["episode"]: row["retells"] for row in read_rows(store, "transcripts", "summaries") if row["kind"] == "recap"}

    run(TRANSCRIPTS, episodes_of_tales, store)
    before = read_rows(store, "transcripts", "pairs")
    assert read_retold() == {"S01E01": None, "S01E02": "S01E01", "S01E03": "S01E02"}
    figures = store.read_json(f"{release_folder(store, 'transcripts')}/stats.json")["pairs"]["all"]
    add_takedown(store, "transcripts", [before[-1]["id"]], "a name in it", TIME)
    run(TRANSCRIPTS, episodes_of_tales, store)
    for table in ("pairs", "alignments", "rejects"):
        assert before[-1]["id"] not in {row["id"] for row in read_rows(store, "transcripts", table)}
    assert count_withheld(store, "transcripts")["rows"] == {"pairs": {"a name in it": 1}, "alignments": {"a name in it": 1}}
    after = store.read_json(f"{release_folder(store, 'transcripts')}/stats.json")["pairs"]["all"]
    assert after["with_filter"] == figures["with_filter"] - 1

    add_takedown(store, "transcripts", ["S01E02"], "asked for", TIME)
    run(TRANSCRIPTS, episodes_of_tales, store)
    assert read_retold() == {"S01E01": None, "S01E03": None}


def test_a_scene_goes_with_its_links_and_out_of_the_figures(stories: Example, store: Store) -> None:
    add_takedown(store, "scripts", ["lost-property_0002"], "asked for", "2026-01-01")
    in_process.run(SCRIPTS, stories.source, store, config_file=stories.source / "settings.toml")
    whole, without = (
        {table: read_rows(where, "scripts", table) for table in ("scripts", "alignments")} for where in (stories.store, store)
    )
    scene = next(row for row in whole["scripts"] if row["id"] == "lost-property_0002")
    assert sorted(row["id"] for row in without["scripts"]) == sorted({row["id"] for row in whole["scripts"]} - {scene["id"]})
    gone = [row for row in whole["alignments"] if row not in without["alignments"]]
    assert [(row["movie"], row["sentence_index"]) for row in gone] == [("lost-property", n) for n in scene["sentence_indices"]]
    before, after = (
        where.read_json(f"{release_folder(where, 'scripts')}/stats.json")["stories"]["movie"] for where in (stories.store, store)
    )
    assert before["sentences"] - after["sentences"] == len(scene["sentences"]) > 0
    assert before["turns"] - after["turns"] == len(scene["turns"])
    assert before["scenes"] - after["scenes"] == scene["scene_end"] - scene["scene_start"] + 1
