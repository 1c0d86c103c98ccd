"""The store: whole objects or none, keys that cannot leave it, messages that say what to do. Local disk and memory."""

import hashlib
import json
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ConfigError, StoreError
from infra.store.objects import LOCAL_TEMPORARY, Store, StoredObject, encode_json, open_seal, seal_json


@pytest.fixture(params=["local", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return Store(str(tmp_path / "store") if request.param == "local" else f"memory://{uuid4().hex}")


def test_what_is_written_whole_or_in_pieces_is_read_back_with_its_size_and_checksum(store: Store) -> None:
    stored = store.write("a/b.bin", b"some bytes")
    assert stored == StoredObject("a/b.bin", 10, hashlib.sha256(b"some bytes").hexdigest())
    assert store.read("a/b.bin") == b"some bytes"
    assert store.read_if_there("a/b.bin") == (b"some bytes", stored.sha256)
    assert store.exists("a/b.bin")
    with store.writing("a/c") as writer:
        writer.write(b"some ")
        writer.write(b"bytes")
        assert writer.tell() == 10
    assert writer.stored == replace(stored, key="a/c")
    with store.reading("a/c") as stream:
        assert stream.read() == b"some bytes"
    if store.url.startswith("/"):
        assert Path(store.locate("a/c")).read_bytes() == b"some bytes"
    else:
        assert store.locate("a") == f"{store.url}/a"


@pytest.mark.parametrize("name", ["tales [1]", "tales*", "why?", "a#b", "a%20b", "Ü 千"])
def test_a_folder_of_any_name_is_a_store(tmp_path: Path, name: str) -> None:
    store = Store(str(tmp_path / name))
    store.write_json("runs/1.json", {"run": 1})
    store.write("runs/a[b]*.bin", b"x")
    assert store.read_all(["runs/a[b]*.bin", "runs/2.json"]) == {"runs/a[b]*.bin": b"x"}
    assert store.read_all_json(["runs/1.json"])["runs/1.json"]["run"] == 1
    store.delete_all(store.list_keys("runs"))
    assert store.list_keys("") == []


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("", "no store is named"),
        ("memory://tales [1]", "are patterns to a remote backend"),
        ("nosuch://x", r"store nosuch://x: .*expected a folder or an fsspec URL"),
        ("a::b", "'::' names a file within another one"),
    ],
)
def test_what_is_no_store_is_the_callers_error(url: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Store(url)


def write_half(store: Store, key: str, error: type[BaseException]) -> None:
    with store.writing(key) as writer:
        writer.write(b"half of it")
        raise error


def test_a_failing_body_leaves_nothing_and_an_earlier_object_as_it_was_on_a_disk(store: Store, tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        write_half(store, "folder/half", ZeroDivisionError)
    assert store.list_keys("") == []
    disk = Store(str(tmp_path / "disk"))
    disk.write("pointer", b"earlier")
    with pytest.raises(KeyboardInterrupt):
        write_half(disk, "pointer", KeyboardInterrupt)
    assert disk.read("pointer") == b"earlier"
    assert [path.name for path in (tmp_path / "disk").iterdir()] == ["pointer"]


def test_a_file_that_is_being_written_is_not_listed(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    with store.writing("folder/object") as writer:
        writer.write(b"...")
        assert any(path.name.startswith(LOCAL_TEMPORARY) for path in (tmp_path / "folder").iterdir())
        assert store.list_keys("folder") == []
        assert not store.exists("folder/object")
    assert store.list_keys("folder") == ["folder/object"]


@pytest.mark.parametrize("key", ["../outside", "a/../../outside", "/etc/passwd", "a/.."])
def test_no_key_leaves_the_store(store: Store, key: str) -> None:
    for attempt in (store.read, store.exists, store.delete, store.list_keys, lambda key: store.write(key, b"x")):
        with pytest.raises(StoreError, match="leaves the store"):
            attempt(key)


def test_a_missing_or_damaged_object_is_named(store: Store, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"no object a/b\.json: it was removed, or never written"):
        store.read("a/b.json")
    assert store.read_if_there("a/b.json") is None
    store.write("latest.json", b'{"path": ')
    with pytest.raises(StoreError, match=r"latest\.json is not the JSON that was written"):
        store.read_json("latest.json")
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(StoreError, match=r"could not write a/b: .*check space, permissions and network"):
        Store(str(tmp_path / "taken")).write("a/b", b"")


def test_a_listing_has_sizes_and_times_and_no_half_written_file(store: Store, tmp_path: Path) -> None:
    before = time.time()
    store.write("a/b", b"12345")
    store.write("a/c/d", b"1")
    store.write("ab/e", b"1")
    assert store.list_keys("a") == ["a/b", "a/c/d"]
    (tmp_path / "store" / "a").mkdir(parents=True, exist_ok=True)
    (tmp_path / "store" / "a" / f"{LOCAL_TEMPORARY}1").write_bytes(b"half")
    listed = store.list_objects("a")
    assert [(entry.key, entry.size) for entry in listed] == [("a/b", 5), ("a/c/d", 1)]
    assert all(abs(entry.modified - before) < 60 for entry in listed)
    assert store.list_objects("nothing") == []
    assert (store.list_folders("a"), store.list_folders(""), store.list_folders("nothing")) == (["c"], ["a", "ab"], [])
    if store.url.startswith("/"):
        assert [entry.key for entry in store.list_objects("a", temporary=True)] == [f"a/{LOCAL_TEMPORARY}1"]


def test_many_objects_are_removed_at_once_and_empty_folders_with_them(store: Store) -> None:
    for key in ("a/b/1", "a/b/2", "a/c/1"):
        store.write(key, b"x")
    store.delete_all(["a/b/1", "a/b/2"])
    store.delete_all(["a/b/1"])
    store.delete_all([])
    store.delete("gone")
    assert store.list_keys("") == ["a/c/1"]
    if store.url.startswith("/"):
        assert not Path(store.url, "a", "b").exists()


OBJECTS = st.dictionaries(st.text(), st.recursive(st.none() | st.integers() | st.text(), st.lists, max_leaves=6), max_size=3)


@given(OBJECTS)
def test_values_go_round_and_what_has_no_seal_stays_as_it_is(value: dict[str, object]) -> None:
    assert json.loads(open_seal(seal_json(encode_json(value)))) == value
    for content in (encode_json(value), b"[1]\n", b'"text"', b"", b"\xff"):
        assert open_seal(content) == content


@given(OBJECTS.filter(bool), st.data())
def test_a_changed_bit_of_the_value_is_seen(value: dict[str, object], data: st.DataObject) -> None:
    content = seal_json(encode_json(value))
    body = content.rindex(b',\n "seal"')
    place, bit = data.draw(st.integers(0, body - 1)), data.draw(st.integers(0, 7))
    changed = content[:place] + bytes([content[place] ^ (1 << bit)]) + content[place + 1 :]
    with pytest.raises(ValueError, match="seal is not of this content"):
        open_seal(changed)


def test_a_folder_that_may_not_be_listed_is_an_error_and_not_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else nothing would be on a takedown list that another account has written."""
    store = Store(str(tmp_path))
    store.write("takedown/scripts/a.json", b"{}")
    scan = os.scandir

    def refuse(path: Any) -> Any:  # as the system does; root may list every folder
        if str(path).endswith("takedown/scripts"):
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    for listing in (
        lambda: store.list_keys("takedown/scripts"),
        lambda: store.list_keys(""),
        lambda: store.list_folders("takedown/scripts"),
    ):
        with pytest.raises(StoreError, match=r"could not list .*Permission denied.*; check space, permissions and network"):
            listing()
    assert (store.list_keys("nothing"), store.list_folders("nothing"), store.list_folders("takedown")) == ([], [], ["scripts"])
