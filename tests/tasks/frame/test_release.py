"""Releases of made-up units: versions, splits that stay, a file for every split, and the same bytes twice."""

import os
import pickle
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.dataset.splits import SplitConfig
from core.errors import DamagedArtifactError
from core.references import Artifact
from infra.store.history import Publication
from infra.store.objects import Store
from infra.store.releases import move_pointer, read_manifest
from infra.tables.parquet import Provenance, Rows
from tasks.frame.publish import ReleaseFacts, publish_tables
from tasks.frame.release import UnfitUnitsError, plan_release, write_shard
from tasks.frame.release_spec import ReleasePlan, ReleaseUnit, ShardReference, TableSpec, read_artifact

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


def on(started: str, parent: str | None = None, **more: bool) -> Publication:
    """Return the publication of the only run of a day."""
    return Publication(run=int(started.replace("-", "")), started=started, parent=parent, **more)


def release(
    store: Store, found: dict[str, ReleaseUnit], started: str = "2026-01-01", **settings: Any
) -> tuple[ReleasePlan, list[ShardReference]]:
    plan = plan_release(store, "show", found, TABLES, SplitConfig(), settings)
    shards = [write_shard(request) for request in plan.requests.values()]
    publish_tables(store, plan, shards, ReleaseFacts(statistics={"lines": 1}), on(started, plan.parent))
    return plan, shards


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path))


def test_every_split_and_table_has_a_file_with_its_schema(store: Store) -> None:
    plan, _ = release(store, units(range(1, 3)))
    assert sorted(plan.requests) == [
        "data/lines/test-00000-of-00001.parquet",
        "data/lines/train-00000-of-00001.parquet",
        "data/lines/validation-00000-of-00001.parquet",
        "notes/notes-00000-of-00001.parquet",
    ]
    for path in plan.requests:
        table = pq.read_table(BytesIO(store.read(f"{plan.folder}/{path}")))
        assert table.schema == SCHEMA
    assert set(plan.splits.values()) < {"train", "validation", "test"}


def test_the_card_names_the_splits_that_have_rows_and_no_other(store: Store) -> None:
    plan, shards = release(store, units(range(1, 3)))
    card = store.read(f"{plan.folder}/README.md").decode()
    header = card.split("---")[1]
    for shard in shards:
        if shard.split:
            assert (f"path: data/lines/{shard.split}-*.parquet" in header) == bool(shard.rows)
    assert "notes" not in header


def test_large_units_are_spread_over_files_in_order(store: Store) -> None:
    plan, shards = release(store, units(range(1, 21), size=20 * 2**20))
    train = [shard for shard in shards if shard.split == "train"]
    assert [shard.path for shard in train] == [f"data/lines/train-{n:05d}-of-00016.parquet" for n in range(16)]
    order = [pq.read_table(BytesIO(store.read(f"{plan.folder}/{shard.path}"))).column("unit")[0].as_py() for shard in train]
    assert order == sorted(order)


def test_the_version_is_of_content_and_settings(store: Store) -> None:
    found = units(range(1, 11))
    first = plan_release(store, "show", found, TABLES, SplitConfig(), {"min_turns": 2})
    assert plan_release(store, "show", dict(reversed(found.items())), TABLES, SplitConfig(), {"min_turns": 2}) == first
    others = [
        plan_release(store, "show", units(range(1, 11), content="b"), TABLES, SplitConfig(), {"min_turns": 2}),
        plan_release(store, "show", units(range(1, 12)), TABLES, SplitConfig(), {"min_turns": 2}),
        plan_release(store, "show", found, TABLES, SplitConfig(), {"min_turns": 3}),
        plan_release(store, "show", found, TABLES, SplitConfig(shares=(0.5, 0.2, 0.3)), {"min_turns": 2}),
    ]
    assert len({first.version, *(other.version for other in others)}) == 5


def test_the_same_again_is_no_new_release(store: Store) -> None:
    first, shards = release(store, units(range(1, 11)))
    assert not first.unchanged
    again = plan_release(store, "show", units(range(1, 11)), TABLES, SplitConfig(), {})
    assert again.unchanged
    assert (again.version, again.parent) == (first.version, None)
    assert [write_shard(request) for request in again.requests.values()] == shards


def test_a_unit_stays_in_its_split_when_others_arrive(store: Store) -> None:
    first, _ = release(store, units(range(10, 20)))
    second, _ = release(store, units([*range(1, 10), *range(10, 20)]), "2026-01-02")
    assert second.parent == first.version
    assert {unit: second.splits[unit] for unit in first.splits} == first.splits
    manifest = read_manifest(store, "show")
    assert manifest is not None
    assert manifest["splits"] == second.splits


def test_a_unit_that_vanished_returns_to_its_split(store: Store) -> None:
    first, _ = release(store, units(range(1, 11)))
    (gone,) = (unit for unit, split in first.splits.items() if split == "test")
    without = {unit: entry for unit, entry in units(range(1, 11)).items() if unit != gone}
    second, _ = release(store, without, "2026-01-02")
    assert all(gone not in {unit.unit for unit in request.units} for request in second.requests.values())
    third, _ = release(store, units(range(1, 16)), "2026-01-03")
    assert third.splits[gone] == "test"
    assert any(gone in {unit.unit for unit in request.units} for path, request in third.requests.items() if "/test-" in path)


def test_who_is_to_be_credited_is_said_once(store: Store) -> None:
    plan, _ = release(store, units(range(1, 11)))
    assert store.read(f"{plan.folder}/ATTRIBUTION.md").decode().count("- the show's wiki (CC BY 4.0)") == 1


def test_counts_of_a_shard_add_up_over_its_units(store: Store) -> None:
    _, shards = release(store, units(range(1, 11)))
    assert sum(shard.counts.get("rows", 0) for shard in shards) == 30
    assert sum(shard.rows for shard in shards) == 30


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


def test_the_version_covers_where_rows_come_from_and_what_they_say(store: Store) -> None:
    found = units(range(1, 4))
    unit = found["S01E01"]
    elsewhere = replace(unit, provenance=replace(unit.provenance, source="recaps/b.html"))
    told = replace(unit, facts={"retells": "S01E00"})
    versions = {
        plan_release(store, "show", found | {"S01E01": entry}, TABLES, SplitConfig(), {}).version
        for entry in (unit, elsewhere, told)
    }
    assert len(versions) == 3


def test_a_release_that_somebody_removed_is_made_again(store: Store) -> None:
    first, _ = release(store, units(range(1, 4)))
    store.delete(f"{first.folder}/manifest.json")
    again, _ = release(store, units(range(1, 4)), "2026-01-02")
    assert (again.unchanged, again.complete, again.version) == (False, False, first.version)


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
