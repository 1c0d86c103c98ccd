"""Releases: versions, splits that stay, the same bytes twice; empty ones, and units that do not fit."""

import os
import pickle
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.dataset.splits import SplitConfig
from core.errors import DamagedArtifactError, SourceError, UnfitUnitsError
from core.references import Artifact
from flows.frame.flow import conclude_state
from infra.store.objects import Store
from infra.store.releases import move_pointer
from infra.store.takedown import add_takedown
from infra.tables.codecs import decode_table, json_codec
from infra.tables.columns import required
from infra.tables.parquet import Provenance, Rows, assemble
from tasks.frame.build import read_artifact, run_stage
from tasks.frame.pipeline import Pipeline
from tasks.frame.publish import ReleaseFacts, publish_tables
from tasks.frame.release import plan_release, write_shard
from tasks.frame.release_spec import RELEASE, Landed, ReleasePlan, ReleaseUnit, ShardReference, Summary, TableSpec
from tests.tasks import toy
from tests.tasks.in_process import find_version, name_version, on, read_rows, run
from tests.tasks.toy import LETTERS, NOTES, TEXTS, write_text, write_texts

SCHEMA = pa.schema([("unit", pa.string()), ("word", pa.string())])


def build_rows(word: str, _: Store, unit: ReleaseUnit) -> Rows:
    return Rows(pa.table({"unit": [unit.unit] * 3, "word": [word] * 3}, schema=SCHEMA), ["rows"] * 3)


def build_nothing(_: Store, __: ReleaseUnit) -> Rows:
    return Rows(SCHEMA.empty_table())


TABLES = (
    TableSpec(name="lines", schema=SCHEMA, build=partial(build_rows, "line"), config=True, expansion=1),
    TableSpec(name="notes", schema=SCHEMA, build=build_nothing, config=False, expansion=1),
)


def units(numbers: Iterable[int], content: str = "a", size: int = 10) -> dict[str, ReleaseUnit]:
    names = [f"S01E{number:02d}" for number in numbers]
    provenance = Provenance("transcripts/x.txt", "CC BY 4.0", "the show's wiki")
    return {name: ReleaseUnit(unit=name, artifacts={}, checksums=(content,), size=size, provenance=provenance) for name in names}


def release(
    store: Store, found: dict[str, ReleaseUnit], started: str = "2026-01-01", **settings: Any
) -> tuple[ReleasePlan, list[ShardReference]]:
    plan = plan_release(store, "show", found, TABLES, SplitConfig(), settings)
    shards = [write_shard(request) for request in plan.requests.values()]
    publish_tables(store, plan, shards, ReleaseFacts(statistics={"lines": 1}), on(started, plan.parent))
    return plan, shards


def test_every_split_and_table_has_a_file_and_large_units_are_spread_over_several_in_order(store: Store) -> None:
    plan, _ = release(store, units(range(1, 3)))
    files = [f"data/lines/{split}-00000-of-00001.parquet" for split in ("test", "train", "validation")]
    assert sorted(plan.requests) == [*files, "notes/notes-00000-of-00001.parquet"]
    for path in plan.requests:
        assert pq.read_table(BytesIO(store.read(f"{plan.folder}/{path}"))).schema == SCHEMA
    assert set(plan.splits.values()) < {"train", "validation", "test"}
    plan, shards = release(store, units(range(1, 21), size=20 * 2**20))
    train = [shard for shard in shards if shard.split == "train"]
    assert [shard.path for shard in train] == [f"data/lines/train-{n:05d}-of-00016.parquet" for n in range(16)]
    order = [pq.read_table(BytesIO(store.read(f"{plan.folder}/{shard.path}"))).column("unit")[0].as_py() for shard in train]
    assert order == sorted(order)


def test_the_version_is_of_content_and_settings_and_the_same_again_is_no_new_release(store: Store) -> None:
    found, usual = units(range(1, 11)), SplitConfig()
    others = [
        plan_release(store, "show", each, TABLES, splits, {"min_turns": turns}).version
        for each, splits, turns in (
            (units(range(1, 11), content="b"), usual, 2),
            (units(range(1, 12)), usual, 2),
            (found, usual, 3),
            (found, SplitConfig(shares=(0.5, 0.2, 0.3)), 2),
        )
    ]
    first, shards = release(store, found, min_turns=2)
    assert len({first.version, *others}) == 5
    assert not first.unchanged
    again = plan_release(store, "show", dict(reversed(found.items())), TABLES, usual, {"min_turns": 2})
    assert (again.version, again.unchanged, again.parent) == (first.version, True, None)
    assert [write_shard(request) for request in again.requests.values()] == shards


def test_a_shard_whose_unit_fails_leaves_no_file(store: Store, tmp_path: Path) -> None:
    def fail(_: Store, __: ReleaseUnit) -> Rows:
        raise ZeroDivisionError

    broken = (TableSpec(name="lines", schema=SCHEMA, build=fail, config=True, expansion=1),)
    plan = plan_release(store, "show", units(range(1, 3)), broken, SplitConfig(), {})
    full = next(request for request in plan.requests.values() if request.units)
    with pytest.raises(UnfitUnitsError, match="S01E01: its rows do not fit the table lines"):
        write_shard(full)
    assert [name for _, _, names in os.walk(tmp_path) for name in names] == []


def test_a_unit_keeps_its_split_though_the_pointer_went_back_to_a_release_without_it(store: Store) -> None:
    release(store, units(range(1, 11)))
    second, _ = release(store, units(range(1, 22)), "2026-01-02")
    back = plan_release(store, "show", units(range(1, 11)), TABLES, SplitConfig(), {})
    assert back.complete
    assert move_pointer(store, "show", back.version, on("2026-01-03", back.parent), back.splits, back.gone)
    later = plan_release(store, "show", units(range(1, 41)), TABLES, SplitConfig(), {})
    assert {unit: later.splits[unit] for unit in second.splits} == second.splits


@pytest.mark.parametrize(("content", "state"), [(None, "missing"), (b"other", "damaged")])
def test_an_artifact_that_is_not_as_it_was_written_names_its_unit(store: Store, content: bytes | None, state: str) -> None:
    stored = store.write("artifacts/a.json", b"{}")
    artifact = Artifact("text", "f", "artifacts/a.json", stored.sha256)
    assert read_artifact(store, "S01E01", artifact) == b"{}"
    store.delete("artifacts/a.json")
    if content is not None:
        store.write("artifacts/a.json", content)
    with pytest.raises(DamagedArtifactError, match=f"S01E01: artifacts/a.json is {state} in the store; restore it") as caught:
        read_artifact(store, "S01E01", artifact)
    assert pickle.loads(pickle.dumps(caught.value)).unit == "S01E01"  # it comes from a worker


@pytest.mark.parametrize("pipeline", [LETTERS, NOTES], ids=lambda pipeline: pipeline.name)
def test_a_good_release_stays_where_nothing_is_left_of_the_rows(source: Path, store: Store, pipeline: Pipeline) -> None:
    write_text(source, "one", "")
    assert run(pipeline, source, store).new_release  # the first one may be empty, and another such may follow
    write_text(source, "two", "")
    assert run(pipeline, source, store).new_release
    write_texts(source, ("one", "two"))
    first = run(pipeline, source, store)
    write_texts(source, ("one", "two"), "")
    refused = run(pipeline, source, store)
    assert (refused.release, refused.new_release) == (None, False)
    assert f"would have 0 texts, and the latest ({name_version(first)}) has 4" in refused.explain_empty()
    assert "--allow-empty" in refused.refused
    assert find_version(store, pipeline.name) == name_version(first)
    assert refused.fell_short
    assert refused.as_json()["empty"] == refused.refused == store.read_json(f"runs/{refused.run_id}.json")["empty"]
    assert conclude_state(refused).name == "Release refused"

    told = run(pipeline, source, store, allow_empty=True)
    assert not told.fell_short
    assert find_version(store, pipeline.name) == name_version(told) != name_version(first)
    write_texts(source, ("one", "two"))
    assert run(pipeline, source, store).rows["texts"] == 4
    write_texts(source, ("one", "two"), "")
    assert run(pipeline, source, store).refused  # its files are all there, and the pointer does not move
    assert find_version(store, pipeline.name) == name_version(first)


@pytest.mark.parametrize("listed", [["one_0000", "one_0001"], ["one"]], ids=["rows", "units"])
def test_what_is_taken_down_leaves_although_nothing_is_left(source: Path, store: Store, listed: list[str]) -> None:
    write_text(source, "one")
    first = run(LETTERS, source, store)
    write_text(source, "two", "")
    add_takedown(store, "letters", listed, "asked", "2026-01-01T00:00:00+00:00")
    second = run(LETTERS, source, store)
    assert second.new_release
    assert find_version(store, "letters") == name_version(second) != name_version(first)


@dataclass(frozen=True, slots=True)
class Page:
    """A page with a title."""

    title: str


@pytest.fixture
def letters(source: Path) -> Path:
    return write_texts(source, "abc")


def test_what_does_not_fit_its_types_is_not_stored(store: Store) -> None:
    page: Any = Page(5)  # type: ignore[arg-type]
    with pytest.raises(
        SourceError, match=r"S01: what the stage 'page' made of it does not fit its schema \(title is 5; .*string"
    ):
        run_stage(store, "toys", "page", "S01", "f", json_codec(Page), lambda: page)
    assert store.list_keys("artifacts") == []


def build_unfit(store: Store, unit: ReleaseUnit) -> Rows:
    """Return rows as the toy does; those of a text with the word `odd` are of another type."""
    table = decode_table(unit.read(store, "text"))
    if any("odd" in text for text in table.column("text").to_pylist()):
        return Rows(pa.table({"id": [5]}))
    return Rows(assemble(TEXTS, table, {"id": table.column("id")}, unit.provenance))


def count_letters(landed: Landed[Any], _: Sequence[ShardReference]) -> Summary:
    """Return a figure; it cannot be had of a text with the word `odd`."""
    for reference in landed.references.values():
        table = decode_table(landed.store.read(reference.artifacts["text"].key))
        if any("odd" in text for text in table.column("text").to_pylist()):
            raise ZeroDivisionError("no words")
    return Summary({"units": len(landed.references)}, [])


TABLE = TableSpec(name="texts", schema=TEXTS, build=build_unfit, config=True, expansion=1.0)
UNFIT = LETTERS.change(RELEASE=replace(LETTERS.load(RELEASE), tables=lambda _: (TABLE,)))


@pytest.mark.parametrize("pipeline", [UNFIT, LETTERS.change(summarise=count_letters)], ids=["rows", "statistics"])
def test_a_unit_that_the_release_cannot_take_is_named_and_the_others_are_released(
    letters: Path, store: Store, pipeline: Pipeline
) -> None:
    write_text(letters, "b", "an odd text")
    first = run(pipeline, letters, store)
    (failure,) = first.quarantined
    assert (failure.unit, failure.stage, failure.paths) == ("b", "release", ("b.txt",))
    assert "stays out of the release" in failure.reason
    assert {row["unit"] for row in read_rows(store, "letters", "texts")} == {"a", "c"}
    again = run(pipeline, letters, store)  # it is remembered
    assert (name_version(again), again.new_release, [entry.unit for entry in again.quarantined]) == (
        name_version(first),
        False,
        ["b"],
    )
    write_text(letters, "b", "a text", "and another line")
    assert run(pipeline, letters, store).quarantined == ()
    assert {row["unit"] for row in read_rows(store, "letters", "texts")} == {"a", "b", "c"}
    write_texts(letters, "abc", "an odd text")
    if pipeline is UNFIT:  # where no unit fits it is not the units
        with pytest.raises(UnfitUnitsError, match="a: its rows do not fit the table texts"):
            run(pipeline, letters, store)


def test_a_member_whose_rows_do_not_fit_fails_alone(letters: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:

    def tabulate(unit: str, *_: Any) -> pa.Table:
        return pa.Table.from_pylist([{"id": unit, "unit": unit, "text": 5 if unit == "b" else "a text"}], schema=toy.ARTIFACT)

    monkeypatch.setattr(toy, "tabulate", tabulate)
    summary = run(NOTES, letters, store, shards=1)
    (failure,) = summary.quarantined
    assert failure.unit == "b"
    assert "does not fit the schema (ArrowTypeError" in failure.reason
    assert {row["unit"] for row in read_rows(store, "notes", "texts")} == {"a", "c"}


def test_another_meaning_of_a_column_is_another_version_of_the_same_files(
    source: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_texts(source, ("one", "two"))
    first = name_version(run(LETTERS, source, store))
    explained = [required("id", pa.string(), "names the line"), *[column for column in toy.TEXTS if column.name != "id"]]
    monkeypatch.setattr(toy, "TEXTS", pa.schema(explained))
    second = name_version(run(LETTERS, source, store))
    assert second != first
    folders = [f"datasets/{LETTERS.name}/{version}" for version in (first, second)]
    cards = [store.read(f"{folder}/README.md").decode() for folder in folders]
    assert ["names the line" in card for card in cards] == [False, True]
    sums = [store.read(f"{folder}/SHA256SUMS").decode().splitlines() for folder in folders]
    assert [line for line in sums[0] if line.endswith(".parquet")] == [line for line in sums[1] if line.endswith(".parquet")]
