"""What is on the takedown list is in no file of a later release, computed no more, and counted with its reason."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tasks.frame.removals import find_removed, remember_units

from infra.store.catalog import read_catalog
from infra.store.objects import Store
from infra.store.releases import read_manifest
from infra.store.takedown import add_takedown, remove_takedown
from tasks.frame.release import ReleasePlan
from tests.flows.stories import write_episode
from tests.tasks.runs import run_subtitles, run_transcripts
from tests.tasks.scripts.test_tables import Release

TIME = "2026-01-01T00:00:00+00:00"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for number in range(1, 5):
        write_episode(tmp_path / "source", f"S01E{number:02d}")
    return tmp_path / "source"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path / "store"))


def rows(store: Store, release: ReleasePlan, table: str) -> list[dict[str, Any]]:
    paths = [path for path, request in release.requests.items() if request.table.name == table]
    return [row for path in paths for row in pq.read_table(pa.BufferReader(store.read(f"{release.folder}/{path}"))).to_pylist()]


def files_with(store: Store, release: ReleasePlan, word: str) -> list[str]:
    """The files of a release in which a word stands, whether as text or in a column."""
    found = []
    for key in store.list_keys(release.folder):
        content = store.read(key)
        text = str(pq.read_table(pa.BufferReader(content)).to_pylist()) if key.endswith(".parquet") else content.decode()
        if word in text:
            found.append(key)
    return found


def test_a_unit_is_in_no_file_and_not_computed_and_comes_back_to_its_split(source: Path, store: Store) -> None:
    before = run_transcripts(source, store, 1)
    assert files_with(store, before.release, "S01E02")
    add_takedown(store, "transcripts", ["S01E02"], "asked for by its author", TIME)
    after = run_transcripts(source, store, 2)
    assert after.release.version != before.release.version
    assert after.computed == {}
    assert files_with(store, after.release, "S01E02") == []
    assert after.plan.discovered == ("S01E01", "S01E03", "S01E04")
    assert "S01E02" not in read_catalog(store, "transcripts")
    manifest = read_manifest(store, "transcripts")
    assert manifest is not None
    assert manifest["takedown"] == {"units": {"asked for by its author": 1}, "rows": {}}
    again = run_transcripts(source, store, 3)
    assert (again.release.unchanged, again.computed) == (True, {})

    remove_takedown(store, "transcripts", ["S01E02"])
    back = run_transcripts(source, store, 4)
    assert back.release.version == before.release.version
    assert back.release.splits == before.release.splits


def test_the_episode_after_one_that_is_out_retells_no_other(source: Path, store: Store) -> None:
    before = run_transcripts(source, store, 1).release
    add_takedown(store, "transcripts", ["S01E02"], "asked for", TIME)
    after = run_transcripts(source, store, 2).release

    def facts(release: ReleasePlan) -> dict[str, Any]:
        return {unit.unit: unit.facts["retells"] for request in release.requests.values() for unit in request.units}

    assert facts(before) == {"S01E01": None, "S01E02": "S01E01", "S01E03": "S01E02", "S01E04": "S01E03"}
    assert facts(after) == {"S01E01": None, "S01E03": None, "S01E04": "S01E03"}


def test_a_unit_that_waits_is_out_too_and_nothing_of_it_is_left(source: Path, store: Store) -> None:
    run_transcripts(source, store, 1)
    remember_units(store, "transcripts", "transcripts", run_transcripts(source, store, 2).plan)
    (source / "recaps" / next(file.name for file in (source / "recaps").iterdir() if file.stem.startswith("S01E02"))).unlink()
    assert [unit.id for unit in run_transcripts(source, store, 3).plan.waiting] == ["S01E02"]
    add_takedown(store, "transcripts", ["S01E02"], "asked for", TIME)
    after = run_transcripts(source, store, 4)
    assert after.plan.waiting == ()
    assert after.plan.withheld.units == ("S01E02",)
    assert find_removed(store, "transcripts", "transcripts", after.plan) == ()
    assert "S01E02" not in read_catalog(store, "transcripts")
    facts = {unit.unit: unit.facts["retells"] for request in after.release.requests.values() for unit in request.units}
    assert facts["S01E03"] is None


def test_a_pair_is_in_no_table_and_in_no_count_and_the_others_stay_as_they_were(source: Path, store: Store) -> None:
    before = run_transcripts(source, store, 1).release
    kept = rows(store, before, "pairs")[3]["id"]
    dropped = next(iter(rows(store, before, "rejects")), None)
    out = [kept, *([dropped["id"]] if dropped else [])]
    add_takedown(store, "transcripts", [*out, "S09E09_2_0_0000"], "a name in it", TIME)
    after = run_transcripts(source, store, 2)
    assert after.computed == {}
    assert after.release.version != before.version
    for name in out:
        assert files_with(store, after.release, name) == []
    for table in ("pairs", "alignments", "rejects", "dialogues", "summaries"):
        assert rows(store, after.release, table) == [row for row in rows(store, before, table) if row.get("id") not in out]
    manifest = read_manifest(store, "transcripts")
    assert manifest is not None
    counted = {table: {"a name in it": count} for table, count in (("pairs", 1), ("alignments", len(out))) if count}
    assert {table: manifest["takedown"]["rows"][table] for table in counted} == counted
    first, second = (store.read_json(f"{release.folder}/stats.json")["pairs"]["all"] for release in (before, after.release))
    assert second["with_filter"] == first["with_filter"] - 1


def test_ids_of_another_source_make_no_new_release(source: Path, store: Store) -> None:
    before = run_transcripts(source, store, 1).release
    add_takedown(store, "transcripts", ["S09E09", "S09E09_2_0_0000"], "asked for", TIME)
    assert run_transcripts(source, store, 2).release.version == before.version


def test_a_film_leaves_its_shard_and_is_computed_no_more(repository: Path, store: Store) -> None:
    source = repository / "examples" / "subtitles"
    before = run_subtitles(source, store, 1)
    film = rows(store, before.release, "subtitles")[0]["film"]
    add_takedown(store, "subtitles", [film], "asked for", TIME)
    after = run_subtitles(source, store, 2)
    assert film in {member for members in before.plan.members.values() for member in members}
    assert film not in {member for members in after.plan.members.values() for member in members}
    assert [row for row in rows(store, before.release, "subtitles") if row["film"] != film] == rows(
        store, after.release, "subtitles"
    )
    assert files_with(store, after.release, film) == []
    (shard,) = (shard for shard, members in before.plan.members.items() if film in members)
    entry = read_catalog(store, "subtitles").get(shard)
    assert entry is None or film not in str(entry)
    assert run_subtitles(source, store, 3).release.unchanged


def test_a_scene_goes_with_its_links_and_out_of_the_figures(repository: Path) -> None:
    examples = repository / "examples" / "scripts"
    whole, without = Release(examples), Release(examples, out=("lost-property_0002",))
    scene = next(row for row in whole.rows("scripts") if row["id"] == "lost-property_0002")
    assert without.rows("scripts") == [row for row in whole.rows("scripts") if row["id"] != scene["id"]]
    gone = [row for row in whole.rows("alignments") if row not in without.rows("alignments")]
    assert [(row["movie"], row["sentence_index"]) for row in gone] == [("lost-property", n) for n in scene["sentence_indices"]]
    before, after = whole.figures()["stories"]["movie"], without.figures()["stories"]["movie"]
    assert before["sentences"] - after["sentences"] == len(scene["sentences"]) > 0
    assert before["turns"] - after["turns"] == len(scene["turns"])
    assert before["scenes"] - after["scenes"] == scene["scene_end"] - scene["scene_start"] + 1
