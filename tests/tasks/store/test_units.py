"""What a store says of units: the last run's record, and why a name is not there."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from core.dataset.shards import is_shard
from core.errors import ConfigError
from infra.store.objects import Store
from tasks.frame.ledger import name_moment
from tasks.pipelines import ROOMS
from tasks.store.inspect import describe_unit
from tasks.store.units import list_units, read_last_run, read_last_runs
from tests.tasks import in_process
from tests.tasks.conftest import Example


def test_the_last_record_of_each_dataset_is_found_among_many(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(str(tmp_path))
    for number in range(70):
        dataset = "rare" if number == 3 else f"often-{number % 2}"
        store.write_json(f"runs/20261122T0000{number:02d}-000001.json", {"dataset": dataset, "number": number})
    found = read_last_runs(store, ["rare", "often-0", "often-1", "absent"])
    assert {name: record["number"] for name, record in found.items()} == {"rare": 3, "often-0": 68, "often-1": 69}
    assert read_last_run(store, "absent") is None
    read: list[int] = []
    read_all = Store.read_all
    monkeypatch.setattr(Store, "read_all", lambda self, keys: read.append(len(keys)) or read_all(self, keys))
    assert (read_last_run(store, "often-1") or {})["number"] == 69
    assert len(read) == 1


def test_a_record_of_a_clock_that_was_ahead_does_not_hide_later_ones(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    for run_id in ("20990101T000000-000000", "20240101T000000-000000", "20240102T000000-000000"):
        store.write_json(f"runs/{run_id}.json", {"run_id": run_id, "dataset": "tales"})
    record = read_last_run(store, "tales")
    assert record is not None
    assert record["run_id"] == "20240102T000000-000000"
    store.delete_all([key for key in store.list_keys("runs") if "2024" in key])
    assert read_last_run(store, "tales") is not None


def test_a_clock_that_is_a_little_ahead_makes_no_record_old(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    for ahead in (timedelta(days=-30), timedelta(seconds=20)):
        run_id = name_moment(datetime.now(UTC) + ahead)
        store.write_json(f"runs/{run_id}.json", {"run_id": run_id, "dataset": "tales"})
    record = read_last_run(store, "tales")
    assert record is not None
    assert record["run_id"] == run_id


def test_a_name_that_is_not_there_is_told_what_is_near_it(episodes: Example) -> None:
    with pytest.raises(ConfigError, match="near it are S01E01"):
        describe_unit(episodes.store.url, "s01_e01", None, False)


def test_members_of_shards_are_listed_and_no_shard(films: Example) -> None:
    states = {state.unit for state in list_units(films.store, "subtitles")}
    assert "the-tidy-ghost" in states
    assert not any(unit.startswith("shard-") for unit in states)


def test_a_limit_leaves_documents_beside_shards_not_built(repository: Path, tmp_path: Path) -> None:
    source, store = repository / "examples" / "rooms", Store(str(tmp_path))
    alone = [unit for unit in in_process.plan(ROOMS, source, store).requests if not is_shard(unit)]

    def list_states(limit: int) -> dict[str, str]:
        in_process.run(ROOMS, source, store, config_file=source / "settings.toml", limit=limit)
        return {state.unit: state.state for state in list_units(store, "rooms")}

    states = list_states(1)
    assert [unit for unit in states if states[unit] == "landed"] == alone[:1]
    states = list_states(len(alone) + 1)
    assert {states[unit] for unit in alone} <= {"landed", "quarantined"}
    assert {"landed", "not built"} <= {states[unit] for unit in states.keys() - {*alone}}, "one of two shards is left out"
