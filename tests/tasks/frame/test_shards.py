"""Shards: a member that fails fails alone, its earlier rows stay, and a file that could not be read is tried again."""

import os
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from core.dataset.shards import name_shard
from core.dataset.takedown import Takedown
from core.errors import ConfigError, StoreError, UnreadableFileError
from core.references import UnitReference
from infra.sources.folder import FolderSource
from infra.store.objects import Store
from infra.tables.codecs import decode_table
from tasks.frame.building import build_unit
from tasks.frame.ingestion import Unit
from tasks.frame.shards import Member, group_members, show_members
from tests.tasks import in_process
from tests.tasks.in_process import read_references, read_rows, run
from tests.tasks.toy import LIMIT, NOTES, ToyConfig, write_text

ONE = ToyConfig(shards=1)
SHARD = "shard-0000-of-0001"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return tmp_path / "source"


@pytest.fixture
def store() -> Store:
    return Store(f"memory://{uuid4().hex}")


def build(source: Path, store: Store, earlier: UnitReference | None = None) -> UnitReference:
    (request,) = in_process.plan(NOTES, source, store, ONE).requests.values()
    return build_unit(replace(request, earlier=earlier.artifacts if earlier else {}))


def read(store: Store, reference: UnitReference) -> dict[str, list[str]]:
    """Return the lines of each member of a shard."""
    texts: dict[str, list[str]] = {}
    for row in decode_table(store.read(reference.artifacts["text"].key)).to_pylist():
        texts.setdefault(row["unit"], []).append(row["text"])
    return texts


def failures(reference: UnitReference) -> dict[str, str]:
    return {failure.unit: failure.reason for failure in reference.failures}


def test_members_travel_in_the_shard_that_their_id_names() -> None:
    units = [Unit(id=name, files=()) for name in ("c", "a", "b", "d")]
    shards, _ = group_members(units, 3, Takedown())
    assert [shard.id for shard in shards] == sorted({name_shard(unit.id, 3) for unit in units})
    for shard in shards:
        assert all(name_shard(name, 3) == shard.id for name in shard.member_ids)
        assert list(shard.member_ids) == sorted(shard.member_ids)
    assert group_members(units[:2], 3, Takedown())[0] == [
        replace(shard, members=kept) for shard in shards if (kept := tuple(m for m in shard.members if m.id in ("a", "c")))
    ]
    with pytest.raises(ConfigError, match="the number of shards is 0; expected a number from 1 to 9,999"):
        group_members(units, 0, Takedown())


def test_a_member_that_fails_is_named_and_the_others_land(source: Path, store: Store) -> None:
    write_text(source, "a")
    write_text(source, "b", "This is bad.")
    write_text(source, "c", "x" * (LIMIT.bytes + 1))
    landed = build(source, store)
    assert list(read(store, landed)) == ["a"]
    assert failures(landed) == {
        "b": "b.txt: the text of b is bad",
        "c": "c.txt: 0 MiB; expected a text of at most 0 MiB. Cut it",
    }
    assert [(failure.paths, failure.error, failure.permanent) for failure in landed.failures] == [
        (("b.txt",), "SourceError", True),
        (("c.txt",), "SourceError", True),
    ]
    assert landed.counts["members"] == 1
    assert landed.computed == ("text", "failures")


def test_the_same_shard_computes_nothing_and_names_the_same_failures(source: Path, store: Store) -> None:
    write_text(source, "a")
    write_text(source, "b", "This is bad.")
    first, second = build(source, store), build(source, store)
    assert second.computed == ()
    assert (second.artifacts, second.failures, second.counts) == (first.artifacts, first.failures, first.counts)


def test_members_are_foreseen_in_groups_of_bounded_size_before_they_are_read() -> None:
    members = [Member(f"m{place}", None, (("file", b"x" * 400_000),)) for place in range(7)]
    told: list[list[str]] = []
    read = []
    for member in show_members(iter(members), lambda group: told.append([entry.id for entry in group])):
        assert isinstance(member, Member)
        read.append(member.id)
        assert member.id in told[-1]
    assert read == [member.id for member in members]
    assert told == [["m0", "m1", "m2"], ["m3", "m4", "m5"], ["m6"]]


def test_a_member_that_fails_keeps_its_earlier_rows(source: Path, store: Store) -> None:
    write_text(source, "a", "One.")
    write_text(source, "b", "Two.")
    first = build(source, store)
    write_text(source, "a", "This is bad.")
    write_text(source, "b", "Three.")
    second = build(source, store, first)
    assert read(store, second) == {"a": ["One."], "b": ["Three."]}
    assert list(failures(second)) == ["a"]
    third = build(source, store, second)
    assert (third.artifacts, third.computed) == (second.artifacts, ())

    write_text(source, "b", "This is bad too.")
    fourth = build(source, store, third)
    assert read(store, fourth) == {"a": ["One."], "b": ["Three."]}
    write_text(source, "a", "Four.")
    assert read(store, build(source, store, fourth)) == {"a": ["Four."], "b": ["Three."]}


def test_a_member_that_the_source_has_lost_keeps_no_rows(source: Path, store: Store) -> None:
    write_text(source, "a")
    path = write_text(source, "b")
    first = build(source, store)
    path.unlink()
    write_text(source, "c", "This is bad.")
    assert list(read(store, build(source, store, first))) == ["a"]


@pytest.mark.parametrize("state", ["gone", "damaged"])
def test_without_a_readable_earlier_state_a_member_that_fails_has_no_rows(source: Path, store: Store, state: str) -> None:
    path = write_text(source, "a")
    write_text(source, "b")
    first = build(source, store)
    key = first.artifacts["text"].key
    store.delete(key)
    if state == "damaged":
        store.write(key, b"PAR1")
    path.write_text("This is bad.")
    second = build(source, store, first)
    assert (list(read(store, second)), list(failures(second))) == (["b"], ["a"])


def test_a_file_that_cannot_be_read_is_a_failure_that_may_pass(source: Path, store: Store) -> None:
    write_text(source, "a", "One.")
    write_text(source, "b", "Two.")
    first = build(source, store)
    (source / "b.txt").unlink()
    (source / "b.txt").symlink_to("nowhere")
    second = build(source, store, first)
    (failure,) = second.failures
    assert (failure.unit, failure.error, failure.permanent) == ("b", "UnreadableFileError", False)
    assert read(store, second) == {"a": ["One."], "b": ["Two."]}


def test_a_run_tries_a_file_again_that_could_not_be_read(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file without permission looks the same in the listing once it has it; nothing but the run's memory tells."""
    store = Store(str(tmp_path / "store"))
    for unit in ("a", "b"):
        write_text(source, unit)
    with monkeypatch.context() as patched:
        patched.setattr(FolderSource, "read", refuse_b(FolderSource.read))
        first = run(NOTES, source, store, shards=1)
        assert [failure.unit for failure in first.quarantined] == ["b"]
        assert (first.computed, first.reused) == (("a",), ())
    second = run(NOTES, source, store, shards=1)
    assert (second.quarantined, second.computed) == ((), ("a", "b"))
    assert run(NOTES, source, store, shards=1).computed == ()
    assert store.list_keys("quarantine") == []


def refuse_b(read: object) -> object:
    def refuse(self: FolderSource, file: object, limit: int) -> bytes:
        if file.path == "b.txt":  # type: ignore[attr-defined]
            raise StoreError("could not read b.txt") from PermissionError()
        return read(self, file, limit)  # type: ignore[operator, no-any-return]

    return refuse


def test_bad_input_is_not_tried_again_until_it_changes(source: Path, tmp_path: Path) -> None:
    store = Store(str(tmp_path / "store"))
    write_text(source, "a")
    path = write_text(source, "b", "This is bad.")
    for computed, reused in ((("a",), ()), ((), ("a",))):
        found = run(NOTES, source, store, shards=1)
        assert (found.computed, found.reused) == (computed, reused)
        assert [failure.unit for failure in found.quarantined] == ["b"]
    path.write_text("This is good.")
    os.utime(path, (1, 1))
    assert run(NOTES, source, store, shards=1).computed == ("a", "b")


def test_a_store_that_fails_is_no_members_fault(source: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    write_text(source, "a")

    def fail(*_: object) -> None:
        raise StoreError("no space")

    monkeypatch.setattr(Store, "write", fail)
    with pytest.raises(StoreError, match="no space") as caught:
        build(source, store)
    assert not isinstance(caught.value, UnreadableFileError)


def test_the_rows_of_a_member_that_goes_bad_stay_released(source: Path, tmp_path: Path) -> None:
    store = Store(str(tmp_path / "store"))
    for unit in ("a", "b", "c"):
        write_text(source, unit)
    run(NOTES, source, store, shards=2)
    before = read_rows(store, "notes", "texts")
    write_text(source, "b", "This is bad.")
    second = run(NOTES, source, store, shards=2)
    assert ([failure.unit for failure in second.quarantined], second.new_release) == (["b"], False)
    assert read_rows(store, "notes", "texts") == before
    assert set(read_references(store, "notes")) == {name_shard(unit, 2) for unit in ("a", "b", "c")}


@pytest.mark.parametrize("left", [3, 0])
def test_another_number_of_shards_would_move_units_between_splits_and_is_refused(tmp_path: Path, left: int) -> None:
    source, store = tmp_path / "source", Store(str(tmp_path / "store"))
    for number in range(30):
        write_text(source, f"n{number:02}")
    run(NOTES, source, store, shards=16)
    for number in range(left, 30):  # units that are gone keep their split, too
        (source / f"n{number:02}.txt").unlink()
    if not left:
        write_text(source, "later")
    with pytest.raises(ConfigError, match="shards = 7: the releases of this dataset have their units in 16 shards"):
        run(NOTES, source, store, shards=7)
    run(NOTES, source, store, shards=16)
    run(NOTES, source, store, "others", shards=7)
