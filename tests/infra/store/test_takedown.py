"""The takedown list: what is added is read, simultaneous changes lose nothing, what is damaged is never taken for empty."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import pytest

from core.errors import ConfigError, StoreError
from infra.store.objects import Store
from infra.store.takedown import TakedownEntry, add_takedown, find_damage, list_takedown, read_takedown, remove_takedown

TIME = "2026-01-01T00:00:00+00:00"


@pytest.fixture
def store() -> Store:
    return Store(f"memory://{uuid4().hex}")


def test_ids_are_added_kept_by_pipeline_and_removed(store: Store) -> None:
    assert list_takedown(store, "scripts") == []
    assert add_takedown(store, "scripts", ["b_0001", "a", "a"], "asked for", TIME, {"a": ["5e"]}) == ["b_0001", "a"]
    assert add_takedown(store, "scripts", ["A", "c"], "by “law”", "2026-02-01T00:00:00+00:00") == ["c"]
    assert list_takedown(store, "scripts") == [
        TakedownEntry("a", TIME, "by “law”", ("5e",)),
        TakedownEntry("b_0001", TIME, "asked for"),
        TakedownEntry("c", "2026-02-01T00:00:00+00:00", "by “law”"),
    ]
    assert read_takedown(store, "scripts").reasons["b_0001"] == "asked for"
    assert read_takedown(store, "scripts").contents == {"5e": "a"}
    assert read_takedown(store, "transcripts").reasons == {}
    add_takedown(
        store, "scripts", ["copy"], "asked for", TIME, copy_of="a"
    )  # a run found it; it goes with the unit that it copies
    remove_takedown(store, "scripts", ["a", "C"])
    assert [entry.id for entry in list_takedown(store, "scripts")] == ["b_0001"]


@pytest.mark.parametrize("folder", ["disk", "memory"])
def test_simultaneous_changes_lose_nothing(folder: str, tmp_path: Path) -> None:
    url = str(tmp_path / "store") if folder == "disk" else f"memory://{uuid4().hex}"
    names = [f"unit-{number:02d}" for number in range(40)]
    with ThreadPoolExecutor(40) as pool:
        added = list(pool.map(lambda name: add_takedown(Store(url), "scripts", [name], "asked for", TIME), names))
    assert added == [[name] for name in names]
    assert [entry.id for entry in list_takedown(Store(url), "scripts")] == names


def test_the_table_of_an_earlier_version_is_an_error_and_not_an_empty_list(store: Store) -> None:
    store.write("takedown/scripts.tsv", b"id\ttime\treason\na\t2025\tby law\n")
    with pytest.raises(StoreError, match=r"takedown/scripts\.tsv is the list of an earlier version"):
        read_takedown(store, "scripts")
    assert [key for key, damage in find_damage(store) if damage] == ["takedown/scripts.tsv"]
    add_takedown(store, "scripts", ["a"], "by law", TIME)
    store.delete("takedown/scripts.tsv")
    assert list(read_takedown(store, "scripts").reasons) == ["a"]


OTHERS = b'{"id": "b", "time": "", "reason": "", "contents": ["5e"]}'


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"\xff\xfe", OTHERS])
def test_a_damaged_entry_is_an_error_until_it_is_written_again(store: Store, content: bytes) -> None:
    add_takedown(store, "scripts", ["a", "b"], "asked for", TIME)
    store.write("takedown/scripts/a.json", content)
    with pytest.raises(StoreError, match=r"takedown/scripts/a\.json is damaged .* It keeps a out of every release"):
        read_takedown(store, "scripts")
    assert [key for key, damage in find_damage(store) if damage] == ["takedown/scripts/a.json"]
    add_takedown(store, "scripts", ["a"], "asked for", TIME)
    assert list(read_takedown(store, "scripts").reasons) == ["a", "b"]
    assert read_takedown(store, "scripts").contents == {}


def test_names_and_reasons_that_cannot_be_are_refused(store: Store) -> None:
    wrong = [(name, "why", "is no id of a unit or pair") for name in ("", "a/b", "../a", "a b")]
    wrong += [("a", reason, "expected one line that says why") for reason in ("", " ", "two\nlines", "a\ttab")]
    for name, reason, told in wrong:
        with pytest.raises(ConfigError, match=told):
            add_takedown(store, "scripts", [name], reason, TIME)
    with pytest.raises(ConfigError, match="a is not on the takedown list of scripts"):
        remove_takedown(store, "scripts", ["a"])
    assert store.list_keys("") == []
