"""The takedown list: what is added is read, what is damaged is never taken for empty."""

from uuid import uuid4

import pytest

from core.errors import ConfigError, StoreError
from infra.store.objects import Store
from infra.store.takedown import TakedownLine, add_takedown, list_takedown, read_takedown, remove_takedown

TIME = "2026-01-01T00:00:00+00:00"


@pytest.fixture
def store() -> Store:
    return Store(f"memory://{uuid4().hex}")


def test_ids_are_added_kept_by_pipeline_and_removed(store: Store) -> None:
    assert list_takedown(store, "scripts") == []
    assert add_takedown(store, "scripts", ["b_0001", "a", "a"], "asked for", TIME) == ["b_0001", "a"]
    assert add_takedown(store, "scripts", ["a", "c"], "by “law”", "2026-02-01T00:00:00+00:00") == ["c"]
    assert list_takedown(store, "scripts") == [
        TakedownLine("a", TIME, "by “law”"),
        TakedownLine("b_0001", TIME, "asked for"),
        TakedownLine("c", "2026-02-01T00:00:00+00:00", "by “law”"),
    ]
    assert read_takedown(store, "scripts").reasons["b_0001"] == "asked for"
    assert read_takedown(store, "transcripts").reasons == {}
    remove_takedown(store, "scripts", ["a", "c"])
    assert [line.id for line in list_takedown(store, "scripts")] == ["b_0001"]


def test_the_list_is_a_table_that_a_person_may_edit(store: Store) -> None:
    add_takedown(store, "scripts", ["a"], "asked for", TIME)
    assert store.read("takedown/scripts.tsv").decode() == f"id\ttime\treason\na\t{TIME}\tasked for\n"
    store.write("takedown/scripts.tsv", b"id\ttime\treason\r\nx\t2026\twhy\r\n")
    assert list_takedown(store, "scripts") == [TakedownLine("x", "2026", "why")]


@pytest.mark.parametrize("content", [b"", b"a\nb\n", b"id\ttime\treason\na\n", b"id\ttime\treason\n../a\t1\tx\n", b"\xff\xfe"])
def test_a_damaged_list_is_an_error_and_not_an_empty_list(store: Store, content: bytes) -> None:
    store.write("takedown/scripts.tsv", content)
    with pytest.raises(StoreError, match=r"takedown/scripts\.tsv is no table of id, time, reason"):
        read_takedown(store, "scripts")


def test_names_and_reasons_that_cannot_be_are_refused(store: Store) -> None:
    for name in ("", "a/b", "../a", "a b"):
        with pytest.raises(ConfigError, match="is no id of a unit or pair"):
            add_takedown(store, "scripts", [name], "why", TIME)
    for reason in ("", " ", "two\nlines", "a\ttab"):
        with pytest.raises(ConfigError, match="expected one line that says why"):
            add_takedown(store, "scripts", ["a"], reason, TIME)
    with pytest.raises(ConfigError, match="a is not on the takedown list of scripts"):
        remove_takedown(store, "scripts", ["a"])
    assert store.list_keys("") == []
