"""Arrivals: a unit is announced once in each state, and again when it changes."""

from pathlib import Path
from uuid import uuid4

import pytest

from infra.store.catalog import read_catalog
from infra.store.objects import Store
from tasks.frame.ledger import Arrival, find_arrivals, remember_announced
from tests.tasks.in_process import plan, run
from tests.tasks.toy import LETTERS, write_text


@pytest.fixture
def store() -> Store:
    return Store(f"memory://{uuid4().hex}")


def announce(source: Path, store: Store, dataset: str = "letters") -> list[Arrival]:
    catalog = read_catalog(store, dataset)
    planned = plan(LETTERS, source, store, catalog=catalog)
    arrivals = find_arrivals(store, dataset, planned, catalog)
    remember_announced(store, dataset, planned)
    return arrivals


def test_a_new_unit_is_announced_once_with_its_files(tmp_path: Path, store: Store) -> None:
    write_text(tmp_path, "a")
    assert announce(tmp_path, store) == [Arrival("a", False, ("a.txt",))]
    assert announce(tmp_path, store) == []
    write_text(tmp_path, "b")
    assert announce(tmp_path, store) == [Arrival("b", False, ("b.txt",))]


def test_a_unit_that_has_landed_is_announced_when_it_changes(tmp_path: Path, store: Store) -> None:
    write_text(tmp_path, "a")
    announce(tmp_path, store)
    run(LETTERS, tmp_path, store)
    assert announce(tmp_path, store) == []
    write_text(tmp_path, "a", "Another text altogether.")
    assert announce(tmp_path, store) == [Arrival("a", True, ("a.txt",))]


def test_datasets_are_announced_apart(tmp_path: Path, store: Store) -> None:
    write_text(tmp_path, "a")
    announce(tmp_path, store)
    assert announce(tmp_path, store, "others") == [Arrival("a", False, ("a.txt",))]
