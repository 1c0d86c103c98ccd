"""What the sources of a dataset had and have no more."""

from dataclasses import replace
from uuid import uuid4

import pytest

from core.takedown import Takedown, Withheld
from infra.store.objects import Store
from tasks.frame.planning import RunPlan
from tasks.frame.removals import find_removed, remember_units

EMPTY = RunPlan({}, {}, {}, "settings", (), {}, {}, (), (), 0, {}, {})


def plan(*units: str) -> RunPlan:
    return replace(EMPTY, discovered=units)


@pytest.fixture
def store() -> Store:
    return Store(f"memory://{uuid4().hex}")


def test_a_unit_is_removed_once_it_was_there_and_is_told_once(store: Store) -> None:
    assert find_removed(store, "transcripts", "tales", plan("A", "B")) == ()
    remember_units(store, "transcripts", "tales", plan("A", "B"))
    assert find_removed(store, "transcripts", "tales", plan("B", "C")) == ("A",)
    assert find_removed(store, "transcripts", "tales", plan("B", "C")) == ("A",)  # until a run has come to its end
    remember_units(store, "transcripts", "tales", plan("B", "C"))
    assert find_removed(store, "transcripts", "tales", plan("B", "C")) == ()


def test_datasets_of_one_store_have_sources_of_their_own(store: Store) -> None:
    remember_units(store, "transcripts", "tales", plan("A"))
    assert find_removed(store, "transcripts", "other", plan("B")) == ()
    assert find_removed(store, "scripts", "tales", plan("B")) == ()


def test_a_unit_that_is_taken_down_is_not_gone(store: Store) -> None:
    remember_units(store, "transcripts", "tales", plan("A", "B"))
    assert find_removed(store, "transcripts", "tales", replace(plan("B"), withheld=Withheld(Takedown({"A": "asked for"})))) == ()
