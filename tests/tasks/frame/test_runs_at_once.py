"""Runs with different settings at the same time, on one store and source: a unit has one split in all their releases."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from core.dataset.splits import Split
from core.errors import StoreError
from flows.frame.ingestion import InProcessMapper, Result, UnitOutcome
from infra.store import running
from infra.store.history import read_history
from infra.store.manifests import list_manifests, read_release
from infra.store.objects import Store
from infra.store.running import alone, list_running, read_claims
from tasks.store.health import examine_store
from tests.tasks.in_process import run
from tests.tasks.toy import LETTERS, write_texts

MOST_TRAIN = {"shares": [0.8, 0.1, 0.1]}
MOST_TEST = {"shares": [0.2, 0.2, 0.6]}


class _Interrupted(InProcessMapper):
    """Does something else before the first file of a release is written: its splits are decided by then."""

    def __init__(self, meanwhile: Callable[[], object]) -> None:
        self._meanwhile = [meanwhile]

    def map_units(
        self, function: Callable[[Any], Result], requests: Mapping[str, Any], seconds: float | None = None
    ) -> Iterator[UnitOutcome[Result]]:
        if function.__name__ == "write_shard" and self._meanwhile:
            self._meanwhile.pop()()
        return super().map_units(function, requests, seconds)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_texts(tmp_path / "source", (f"S01E{number:02}" for number in range(1, 16)))


def list_splits(store: Store) -> dict[str, set[Split]]:
    """Return the splits of each unit in all releases."""
    found: dict[str, set[Split]] = {}
    for version in list_manifests(store, "letters"):
        manifest = read_release(store, "letters", version)
        assert manifest is not None
        for unit, split in manifest.splits.items():
            found.setdefault(unit, set()).add(split)
    return found


def test_a_run_with_other_shares_that_is_faster_takes_over_the_splits(source: Path, store: Store) -> None:
    mapper = _Interrupted(lambda: run(LETTERS, source, store, split=MOST_TEST, upper=True))
    run(LETTERS, source, store, split=MOST_TRAIN, mapper=mapper)
    splits = list_splits(store)
    assert len(list_manifests(store, "letters")) == 2
    assert {unit: len(found) for unit, found in splits.items()} == dict.fromkeys(splits, 1)
    assert read_history(store, "letters").splits == {unit: min(found) for unit, found in splits.items()}
    assert not list_running(store)


def test_what_a_failed_run_was_about_to_place_binds_nobody(source: Path, store: Store) -> None:
    def fail() -> None:
        assert set(read_claims(store, "letters").values()) == {"train", "validation", "test"}
        raise StoreError("the disk is full")

    with pytest.raises(StoreError, match="the disk is full"):
        run(LETTERS, source, store, split=MOST_TEST, mapper=_Interrupted(fail))
    assert read_claims(store, "letters") == {}
    run(LETTERS, source, store, split=MOST_TRAIN)
    assert sum("train" in found for found in list_splits(store).values()) == 12


def test_four_runs_at_once_agree(source: Path, store: Store) -> None:
    shares = [MOST_TRAIN, MOST_TEST, {"shares": [0.4, 0.3, 0.3]}, {"shares": [0.1, 0.8, 0.1]}]
    with ThreadPoolExecutor(len(shares)) as pool:
        runs = [
            pool.submit(run, LETTERS, source, store, split=split, upper=bool(place % 2)) for place, split in enumerate(shares)
        ]
        for each in runs:
            each.result()
    splits = list_splits(store)
    assert len(splits) == 15
    assert all(len(found) == 1 for found in splits.values())
    assert read_history(store, "letters").splits == {unit: min(found) for unit, found in splits.items()}


def test_a_process_that_never_ends_its_decision_is_named_and_a_dead_one_keeps_nobody_out(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "LONGEST_WAIT", 0.1)
    first = "deciding/letters/0.json"
    with alone(store, "letters"):
        (ticket,) = store.list_keys("deciding")
        value = store.read_json(ticket)
        with pytest.raises(StoreError, match=f"remove {ticket} first"), alone(store, "letters"):
            pytest.fail("both are in")
    store.write_json(first, {"run_id": "0", "pipeline": "", "host": "elsewhere", "process": 1})
    with pytest.raises(StoreError, match="process 1 on elsewhere"), alone(store, "letters"):
        pytest.fail("both are in")
    store.write_json(first, value | {"run_id": "0", "process": 2**22 + 1})
    with alone(store, "letters"):
        assert first not in store.list_keys("deciding")


def test_the_doctor_says_where_releases_disagree(source: Path, store: Store) -> None:
    run(LETTERS, source, store, split=MOST_TRAIN)
    assert not [check for check in examine_store(store.url) if "splits" in check.finding]
    for key in ("history.json", "latest.json"):
        store.delete(f"datasets/letters/{key}")
    kept = store.list_keys("datasets")
    aside = {key: store.read(key) for key in kept}
    store.delete_all(kept)
    run(LETTERS, source, store, split=MOST_TEST)
    for key, content in aside.items():
        store.write(key, content)
    (found,) = [check for check in examine_store(store.url) if "splits" in check.finding]
    assert found.state == "warning"
    assert "units lie in different splits in different releases" in found.finding
