"""What is on the takedown list is in no file of a later release, computed no more, and counted with its reason."""

import gzip
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.dataset.takedown import Takedown
from core.dataset.units import name_shard
from core.errors import StoreError
from flows.frame.ingestion import InProcessMapper
from infra.store.catalog import read_catalog
from infra.store.history import read_history
from infra.store.objects import Store
from infra.store.releases import choose_release, read_manifest
from infra.store.takedown import add_takedown, remove_takedown
from infra.tables.columns import UNIT_COLUMNS
from infra.tables.parquet import Rows
from tasks.frame.pipeline import Pipeline
from tasks.frame.release import write_shard
from tasks.frame.release_spec import RELEASE, ReleaseUnit, TableSpec
from tasks.frame.report import ASSETS
from tasks.frame.taken_down import find_taken_down
from tasks.pipelines import SCRIPTS, TRANSCRIPTS
from tasks.store.known_names import read_names
from tests.flows.stories import write_episode
from tests.tasks import in_process
from tests.tasks.conftest import Example
from tests.tasks.in_process import name_version, read_rows, read_splits, release_folder, run
from tests.tasks.toy import LETTERS, NOTES, write_text, write_texts

TIME = "2026-01-01T00:00:00+00:00"
NAMES = pa.schema([("unit", pa.string()), ("retells", pa.string())])
UNITS = ("S01E01", "S01E02", "S01E03", "S01E04")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_texts(tmp_path / "source", UNITS)


def files_with(store: Store, dataset: str, word: str) -> list[str]:
    """Return the files of the latest release in which a word stands, whether as text or in a column."""
    folder = release_folder(store, dataset)
    page = {f"{folder}/report/{name}" for name in ASSETS if name != "index.html"}  # the same in every release
    found = []
    for key in sorted({*store.list_keys(folder)} - page):
        content = gzip.decompress(store.read(key)) if key.endswith(".gz") else store.read(key)
        text = str(pq.read_table(pa.BufferReader(content)).to_pylist()) if key.endswith(".parquet") else content.decode()
        found += [key] if word in text else []
    return found


def count_withheld(store: Store, dataset: str) -> dict[str, Any]:
    manifest = read_manifest(store, dataset)
    counts: dict[str, Any] = manifest.says["takedown"]
    return counts


def test_a_unit_or_a_row_is_in_no_file_and_not_computed_and_comes_back_to_its_split(source: Path, store: Store) -> None:
    write_text(source, "half-S01E05")
    before, splits = run(LETTERS, source, store), read_splits(store, "letters")
    assert before.waiting == (("half-S01E05", "end"),)
    rows = read_rows(store, "letters", "texts")
    assert files_with(store, "letters", "S01E02")
    add_takedown(store, "letters", ["S01E02", "half-S01E05", "S01E03_0001", "S09E09_0000"], "asked for by its author", TIME)
    after = run(LETTERS, source, store)
    assert after.new_release
    assert (after.computed, after.reused, after.waiting) == ((), ("S01E01", "S01E03", "S01E04"), ())
    assert (after.discovered, after.removed) == (3, ())
    assert files_with(store, "letters", "S01E02") == files_with(store, "letters", "S01E03_0001") == []
    assert read_rows(store, "letters", "texts") == [row for row in rows if row["unit"] != "S01E02" and row["id"] != "S01E03_0001"]
    assert list(read_catalog(store, "letters")) == ["S01E01", "S01E03", "S01E04"]
    reason = "asked for by its author"
    assert count_withheld(store, "letters") == {"units": {reason: 2}, "rows": {"texts": {reason: 1}}}
    again = run(LETTERS, source, store)
    assert (again.new_release, again.computed) == (False, ())

    remove_takedown(store, "letters", ["S01E02", "half-S01E05", "S01E03_0001", "S09E09_0000"])
    assert name_version(run(LETTERS, source, store)) == name_version(before)
    assert read_splits(store, "letters") == splits


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


# What the papers' own tables make of it.


@pytest.fixture
def episodes_of_tales(tmp_path: Path) -> Path:
    for unit in UNITS[:3]:
        write_episode(tmp_path / "tales", unit)
        recap = tmp_path / "tales" / "recaps" / f"{unit}.md"
        recap.write_text(recap.read_text().replace("## Part I", "## Recap\n\nThey slept at the inn.\n\n## Part I"))
    return tmp_path / "tales"


def test_the_episode_after_one_that_is_out_retells_no_other(episodes_of_tales: Path, store: Store) -> None:
    def read_retold() -> dict[str, Any]:
        return {row["episode"]: row["retells"] for row in read_rows(store, "transcripts", "summaries") if row["kind"] == "recap"}

    run(TRANSCRIPTS, episodes_of_tales, store)
    before = read_rows(store, "transcripts", "pairs")
    assert read_retold() == {"S01E01": None, "S01E02": "S01E01", "S01E03": "S01E02"}
    figures = store.read_json(f"{release_folder(store, 'transcripts')}/stats.json")["pairs"]["all"]
    last = next(row["id"] for row in reversed(before) if not row["train_on"])
    add_takedown(store, "transcripts", [last], "a name in it", TIME)
    run(TRANSCRIPTS, episodes_of_tales, store)
    for table in ("pairs", "alignments", "rejects"):
        assert last not in {row["id"] for row in read_rows(store, "transcripts", table)}
    assert count_withheld(store, "transcripts")["rows"] == {"pairs": {"a name in it": 1}, "alignments": {"a name in it": 1}}
    after = store.read_json(f"{release_folder(store, 'transcripts')}/stats.json")["pairs"]["all"]
    assert after["with_filter"] == figures["with_filter"] - 1

    add_takedown(store, "transcripts", ["S01E02"], "asked for", TIME)
    run(TRANSCRIPTS, episodes_of_tales, store)
    assert read_retold() == {"S01E01": None, "S01E03": None}


def test_a_scene_goes_with_its_links_and_out_of_the_figures(stories: Example, store: Store) -> None:
    add_takedown(store, "scripts", ["lost-property_0002"], "asked for", "2026-01-01")
    in_process.run(SCRIPTS, stories.source, store, config_file=stories.source / "settings.toml")

    def read(where: Store) -> tuple[Any, Any, Any]:
        figures = where.read_json(f"{release_folder(where, 'scripts')}/stats.json")["stories"]["movie"]
        return read_rows(where, "scripts", "scripts"), read_rows(where, "scripts", "alignments"), figures

    (rows, links, before), (left, links_left, after) = read(stories.store), read(store)
    scene = next(row for row in rows if row["id"] == "lost-property_0002")
    assert sorted(row["id"] for row in left) == sorted({row["id"] for row in rows} - {scene["id"]})
    gone = [(row["movie"], row["sentence_index"]) for row in links if row not in links_left]
    assert gone == [("lost-property", n) for n in scene["sentence_indices"]]
    assert before["sentences"] - after["sentences"] == len(scene["sentences"]) > 0
    assert before["turns"] - after["turns"] == len(scene["turns"])
    assert before["scenes"] - after["scenes"] == scene["scene_end"] - scene["scene_start"] + 1


# What is on the list is known under other names, while a run works, and whatever a pipeline's tables say.


@pytest.mark.parametrize("pipeline", [LETTERS, NOTES], ids=lambda pipeline: pipeline.name)
def test_a_renamed_file_is_known_by_its_content(
    pipeline: Pipeline, source: Path, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    write_texts(source, ("S01E03", "S01E04"), "To be written.")
    run(pipeline, source, store)
    known = read_names(store, pipeline).find_texts(["S01E02", "S01E03"])
    assert known["S01E03"] == [], "a text that several units have tells none of them"
    (text,) = known["S01E02"]
    add_takedown(store, pipeline.name, ["S01E02"], "asked for", TIME, {"S01E02": [text]})
    (source / "S01E02.txt").rename(source / "another.txt")
    with caplog.at_level(logging.WARNING):
        run(pipeline, source, store)
    assert "another has the text of S01E02, which is on the takedown list" in caplog.text
    assert files_with(store, pipeline.name, "S01E02") == files_with(store, pipeline.name, "another") == []
    assert count_withheld(store, pipeline.name)["units"] == {"asked for": 1}
    caplog.clear()
    assert (run(pipeline, source, store).new_release, caplog.messages) == (False, [])
    remove_takedown(store, pipeline.name, ["S01E02"])
    run(pipeline, source, store)
    assert files_with(store, pipeline.name, "another")


class AddsWhileReleasing(InProcessMapper):
    """Puts a unit on the takedown list once the first table of a release is written."""

    def __init__(self, store: Store, name: str) -> None:
        self.store, self.name = store, name

    def map_units(self, function: Any, requests: Any, *rest: Any) -> Any:
        for outcome in super().map_units(function, requests, *rest):
            if function is write_shard:
                add_takedown(self.store, "letters", [self.name], "asked for", TIME)
            yield outcome


@pytest.mark.parametrize("name", ["s01e02", "S01E02_0001"])
def test_what_is_added_while_tables_are_written_is_not_in_that_release(source: Path, store: Store, name: str) -> None:
    summary = run(LETTERS, source, store, mapper=AddsWhileReleasing(store, name))
    assert files_with(store, "letters", name.upper()) == []
    assert len(read_rows(store, "letters", "texts")) == (7 if "_" in name else 6)
    assert list(read_history(store, "letters").releases) == [name_version(summary)]  # no other was ever published


def test_a_table_that_names_what_is_out_is_not_published(source: Path, store: Store) -> None:
    def tell_on(_: Store, unit: ReleaseUnit) -> Rows:
        return Rows(pa.table({"unit": [unit.unit], "retells": ["S01E02"]}, schema=NAMES))

    table = TableSpec(name="told", schema=NAMES, build=tell_on, config=True, expansion=1.0)
    told = replace(LETTERS.load(RELEASE), tables=lambda _: (table,))
    gossip = LETTERS.change(RELEASE=told)
    before = run(LETTERS, source, store)
    add_takedown(store, "letters", ["S01E02"], "asked for", TIME)
    with pytest.raises(StoreError, match="S01E02 is on the takedown list, and stands in this table"):
        run(gossip, source, store)
    assert release_folder(store, "letters").endswith(name_version(before))


def test_a_release_holds_a_person_of_whom_it_only_tells_what_it_left_out(threads: Example) -> None:
    told = {author for row in threads.rows("dialogues") for author in row["authors"]}
    rejects = [row for row in threads.rows("rejects") if row["text"]]
    assert all(row["authors"] for row in rejects)
    author, row = next((author, row["id"]) for row in rejects for author in row["authors"] if author not in told)
    found = find_taken_down(threads.store, "threads", choose_release(threads.store, "threads"), Takedown({author: "asked for"}))
    assert row in found[author].rows


@pytest.mark.parametrize("name", ["episodes", "stories", "films", "threads", "descriptions"])
def test_every_table_of_every_pipeline_names_its_unit(name: str, request: pytest.FixtureRequest) -> None:
    example: Example = request.getfixturevalue(name)
    tables = [key for key in example.store.list_keys(example.folder) if key.endswith(".parquet")]
    assert tables
    for key in tables:
        columns = pq.read_schema(pa.BufferReader(example.store.read(key))).names
        assert UNIT_COLUMNS.intersection(columns), f"{key}: add the column that names units to UNIT_COLUMNS"
