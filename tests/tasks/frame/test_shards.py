"""Shards: a member that fails fails alone, its earlier rows stay, and a file that could not be read is tried again."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.dataset.takedown import Takedown
from core.dataset.units import SourceFile, name_shard
from core.errors import ConfigError, StoreError, UnreadableFileError
from core.references import UnitReference
from infra.sources.folder import FolderSource
from infra.store.objects import Store
from infra.tables.codecs import decode_table
from tasks.frame.build import build_unit
from tasks.frame.model import Unit
from tasks.frame.shards import group_members
from tests.tasks import in_process
from tests.tasks.in_process import run
from tests.tasks.toy import LIMIT, NOTES, ToyConfig, write_text, write_texts

ONE = ToyConfig(shards=1)


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


def test_a_member_that_fails_is_named_and_the_others_land(source: Path, store: Store) -> None:
    write_text(source, "a")
    write_text(source, "b", "This is bad.")
    write_text(source, "c", "x" * (LIMIT.bytes + 1))
    landed = build(source, store)
    assert list(read(store, landed)) == ["a"]
    assert [(failure.unit, failure.paths, failure.error, failure.permanent, failure.reason) for failure in landed.failures] == [
        ("b", ("b.txt",), "SourceError", True, "b.txt: the text of b is bad"),
        ("c", ("c.txt",), "SourceError", True, "c.txt: 0 MiB; expected a text of at most 0 MiB. Cut it"),
    ]
    assert landed.counts["members"] == 1
    assert landed.computed == ("text", "failures")


def test_a_member_that_fails_keeps_its_earlier_rows_and_one_that_the_source_has_lost_none(source: Path, store: Store) -> None:
    texts = {"a": "One.", "b": "Two.", "lost": "Lost."}
    for unit, text in texts.items():
        write_text(source, unit, text)
    first = build(source, store)
    assert read(store, first) == {unit: [text] for unit, text in texts.items()}
    (source / "lost.txt").unlink()
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


def test_a_run_tries_a_file_again_that_could_not_be_read(source: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file without permission looks the same in the listing once it has it; nothing but the run's memory tells."""
    write_texts(source, ("a", "b"))
    read_file = FolderSource.read

    def refuse_b(self: FolderSource, file: SourceFile, limit: int) -> bytes:
        if file.path == "b.txt":
            raise StoreError("could not read b.txt") from PermissionError()
        return read_file(self, file, limit)

    with monkeypatch.context() as patched:
        patched.setattr(FolderSource, "read", refuse_b)
        first = run(NOTES, source, store, shards=1)
        assert [failure.unit for failure in first.quarantined] == ["b"]
        assert (first.computed, first.reused) == (("a",), ())
    second = run(NOTES, source, store, shards=1)
    assert (second.quarantined, second.computed) == ((), ("a", "b"))
    assert run(NOTES, source, store, shards=1).computed == ()
    assert store.list_keys("quarantine") == []


def test_a_store_that_fails_is_no_members_fault(source: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    write_text(source, "a")

    def fail(*_: object) -> None:
        raise StoreError("no space")

    monkeypatch.setattr(Store, "write", fail)
    with pytest.raises(StoreError, match="no space") as caught:
        build(source, store)
    assert not isinstance(caught.value, UnreadableFileError)


@pytest.mark.parametrize("left", [3, 0])
def test_another_number_of_shards_would_move_units_between_splits_and_is_refused(source: Path, store: Store, left: int) -> None:
    write_texts(source, (f"n{number:02}" for number in range(30)))
    run(NOTES, source, store, shards=16)
    for number in range(left, 30):  # units that are gone keep their split, too
        (source / f"n{number:02}.txt").unlink()
    if not left:
        write_text(source, "later")
    with pytest.raises(ConfigError, match="shards = 7: the releases of this dataset have their units in 16 shards"):
        run(NOTES, source, store, shards=7)
    run(NOTES, source, store, shards=16)
    run(NOTES, source, store, "others", shards=7)
