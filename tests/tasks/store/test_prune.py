"""Pruning: what is kept still verifies and is enough for a run that computes nothing; breaking it off harms nothing."""

import hashlib
import os
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from core.errors import ConfigError, StoreError
from infra.store.objects import LOCAL_TEMPORARY, Store
from infra.store.running import list_running, mark_run, unmark_run
from infra.store.takedown import add_takedown
from tasks.store.prune import DAY, PruneRules, plan_prune, prune_store
from tests.flows.stories import write_episode
from tests.tasks.store.pruned import History, Settings, age, filtered, name_version, prune, run_transcripts, verify, versions


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> History:
    return History(tmp_path_factory.mktemp("made"))


@pytest.fixture
def history(made: History) -> History:
    made.restore()
    return made


def test_a_plan_removes_nothing(history: History) -> None:
    before = history.store.list_objects("")
    plan = plan_prune(history.store, PruneRules(time.time(), keep_releases=1))
    assert {removal.what.split()[0] for removal in plan.removals} == {"release", "catalogs", "artifacts", "landed", "records"}
    assert all(removal.size == sum(entry.size for entry in removal.objects) > 0 for removal in plan.removals)
    assert history.store.list_objects("") == before


def test_releases_beyond_those_kept_go_and_the_latest_stays(history: History) -> None:
    made = history.made
    assert sorted(versions(history.store)) == sorted(made)
    prune(history.store, keep=2)
    assert sorted(versions(history.store)) == sorted(made[2:])
    prune(history.store, keep=1)
    assert versions(history.store) == [made[3]]
    assert history.store.read_json("datasets/transcripts/latest.json")["version"] == made[3]


def test_benchmarks_go_with_their_release(history: History) -> None:
    made = history.made
    for version in (made[0], made[3], "0123456789abcdef"):
        history.store.write(f"benchmarks/transcripts/{version}/lead.json", b"{}")
    age(history.store, 30)
    history.store.write("benchmarks/transcripts/fedcba9876543210/young.json", b"{}")
    assert not [what for what in prune(history.store, keep=4) if made[0] in what]
    assert [what for what in prune(history.store, keep=1) if what.startswith("benchmarks")] == [
        f"benchmarks benchmarks/transcripts/{made[0]}"
    ]
    assert history.store.list_keys("benchmarks") == sorted(
        [f"benchmarks/transcripts/{made[3]}/lead.json", "benchmarks/transcripts/fedcba9876543210/young.json"]
    )


def test_what_was_published_again_is_among_the_last(history: History) -> None:
    (history.source / "transcripts" / "S01E04.txt").unlink()
    back = history.run()
    assert name_version(back) == history.made[1]
    age(history.store, 30)
    prune(history.store, keep=2)
    assert sorted(versions(history.store)) == sorted([history.made[1], history.made[3]])


def test_releases_that_the_history_does_not_know_go_by_the_time_of_their_files(history: History) -> None:
    store, key = history.store, "datasets/transcripts/history.json"
    store.write_json(key, {**store.read_json(key), "releases": {}})
    made = history.made
    for place, version in enumerate(sorted(made[:3], reverse=True)):  # against the order of their names
        stamp = time.time() - (60 - place) * DAY
        os.utime(Path(store.url, "datasets", "transcripts", version, "manifest.json"), (stamp, stamp))
    prune(store, keep=2)
    assert sorted(versions(store)) == sorted([min(made[:3]), made[3]])
    assert prune(store, keep=2) == []


def test_without_its_pointer_a_dataset_keeps_its_last_release(history: History) -> None:
    history.store.delete("datasets/transcripts/latest.json")
    prune(history.store, keep=1)
    assert versions(history.store) == [history.made[3]]


def test_what_is_not_ours_stays(history: History) -> None:
    strange = ["artifacts/.DS_Store", "artifacts/transcripts/.DS_Store", "landing/transcripts/.DS_Store"]
    for key in strange:
        history.store.write(key, b"")
    age(history.store, 30)
    prune(history.store)
    assert [key for key in history.store.list_keys("") if ".DS_Store" in key] == strange


def test_nothing_young_goes(history: History) -> None:
    before = history.store.list_objects("")
    assert prune(history.store, days=31) == []
    assert history.store.list_objects("") == before


def test_a_changed_units_old_state_goes_and_a_run_computes_nothing(history: History) -> None:
    units = {artifact.key for artifact in history.store.list_objects("artifacts")}
    prune(history.store)
    left = {artifact.key for artifact in history.store.list_objects("artifacts")}
    gone = {tuple(key.split("/")[2:4]) for key in units - left}
    assert {unit for stage, unit in gone if stage != "decisions"} == {"S01E02"}
    assert {unit for stage, unit in gone if stage == "decisions"} == {"S01E01", "S01E02", "S01E03"}  # of the other filter
    assert {key.split("/")[2] for key in history.store.list_keys("landing")} == {f"S01E0{number}" for number in range(1, 5)}
    again = history.run()
    assert (again.computed, len(again.reused), again.new_release) == ((), 4, False)


def test_splits_outlive_the_releases_that_made_them(history: History) -> None:
    splits = history.splits()
    prune(history.store)
    write_episode(history.source, "S01E00")
    history.run()
    after = history.splits()
    assert {unit: after[unit] for unit in splits} == splits
    assert "S01E00" in after


def test_one_dataset_alone_may_be_pruned(history: History) -> None:
    history.run(history.other, "other")
    history.run(None, "other")
    age(history.store, 30)
    keys = [key for key in history.store.list_keys("") if not key.startswith("datasets/other/")]
    assert [what.split("/")[1] for what in prune(history.store, dataset="other")] == ["other"]
    assert [key for key in history.store.list_keys("") if not key.startswith("datasets/other/")] == keys
    with pytest.raises(ConfigError, match="no dataset 'nothing'; it has other, transcripts"):
        prune(history.store, dataset="nothing")


def test_an_unfinished_release_and_half_written_files_go(history: History) -> None:
    history.store.write("datasets/transcripts/0123456789abcdef/data/pairs/train.parquet", b"half a release")
    half = Path(history.store.url, "artifacts", "transcripts", f"{LOCAL_TEMPORARY}1")
    half.write_bytes(b"half")
    assert "0123456789abcdef" in str(versions(history.store))
    prune(history.store, keep=9)
    assert half.exists()
    assert "0123456789abcdef" in versions(history.store)
    age(history.store, 30)
    told = prune(history.store, keep=9)
    assert told == ["unfinished release datasets/transcripts/0123456789abcdef", "half-written files"]
    assert not half.exists()
    assert len(versions(history.store)) == 4


def test_what_a_taken_down_unit_was_made_from_goes_after_the_next_run(history: History) -> None:
    add_takedown(history.store, "transcripts", ["S01E03"], "asked for", "2026-01-01")
    history.run()
    age(history.store, 30)
    prune(history.store)
    assert [key for key in history.store.list_keys("") if "S01E03" in key] == ["takedown/transcripts/S01E03.json"]


def test_a_landed_file_of_a_unit_in_quarantine_stays(history: History) -> None:
    content = b"a bad transcript"
    checksum = hashlib.sha256(content).hexdigest()
    history.store.write(f"landing/transcripts/S01E09/{checksum}/S01E09.txt", content)
    history.store.write(f"landing/transcripts/S01E09/{'0' * 64}/S01E09.txt", b"older")
    history.store.write_json("quarantine/transcripts/1.json", {"unit": "S01E09", "checksum": checksum})
    age(history.store, 30)
    prune(history.store)
    assert [key for key in history.store.list_keys("landing") if "S01E09" in key] == [
        f"landing/transcripts/S01E09/{checksum}/S01E09.txt"
    ]


def test_while_a_run_is_in_progress_what_it_may_use_stays(history: History) -> None:
    mark_run(history.store, "transcripts", "20260101T000000-000000")
    plan = plan_prune(history.store, PruneRules(time.time(), 1))
    assert [removal.what for removal in plan.removals] == ["records of runs"]
    assert "run 20260101T000000-000000 of transcripts is in progress" in plan.remarks[0]
    unmark_run(history.store, "20260101T000000-000000")
    assert len(plan_prune(history.store, PruneRules(time.time(), 1)).removals) > 1


def test_a_run_that_begins_meanwhile_stops_it(history: History) -> None:
    plan = plan_prune(history.store, PruneRules(time.time(), 1))
    steps = prune_store(history.store, plan)
    first = next(steps)
    mark_run(history.store, "transcripts", "20260101T000000-000000")
    with pytest.raises(StoreError, match="a run started or ended in the meantime"):
        list(steps)
    unmark_run(history.store, "20260101T000000-000000")
    assert first.what.startswith("release ")
    assert history.run().computed == ()


def test_the_mark_of_a_process_that_is_gone_says_nothing(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    mark_run(store, "scripts", "1")
    assert [run.run_id for run in list_running(store)] == ["1"]
    value = store.read_json("running/1.json")
    store.write_json("running/2.json", value | {"run_id": "2", "process": 2**22 + 1})
    store.write_json("running/3.json", value | {"run_id": "3", "process": 2**22 + 1, "host": "elsewhere"})
    store.write_json("running/4.json", value | {"run_id": "4", "began": value["began"] - 1000})
    assert [run.run_id for run in list_running(store)] == ["1", "3", "4"]
    age(store, 8)
    # A run of this machine may take longer than a week; another process that has its number by now is none.
    assert [run.run_id for run in list_running(store)] == ["1"]


@hypothesis_settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["grow", "change", "filter", "back"]), min_size=1, max_size=4), st.integers(1, 4), st.data())
def test_whatever_happened_the_kept_releases_verify_and_a_run_computes_nothing(
    tmp_path_factory: pytest.TempPathFactory, events: Sequence[str], keep: int, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("history")
    source, store = folder / "source", Store(str(folder / "store"))
    write_episode(source, "S01E01")
    run_transcripts(source, store)
    settings: Settings = {}
    for day, event in enumerate(events, 2):
        match event:
            case "grow":
                write_episode(source, f"S01E{day:02d}")
            case "change":
                write_episode(source, "S01E01", word=f"candle{day}")
            case "filter":
                settings = filtered(day)
            case "back":
                settings = {}
        run_transcripts(source, store, settings)
    age(store, 30)
    plan = plan_prune(store, PruneRules(time.time(), keep))
    stop = data.draw(st.integers(0, len(plan.removals)), label="parts done before it is killed")
    steps = prune_store(store, plan)
    for _ in range(stop):
        next(steps)

    def check() -> None:
        assert store.read_json("datasets/transcripts/latest.json")["version"] in versions(store)
        for version in versions(store):
            if store.exists(f"datasets/transcripts/{version}/manifest.json"):
                verify(store, f"datasets/transcripts/{version}")
        again = run_transcripts(source, store, settings)
        assert (again.computed, again.new_release) == ((), False)

    check()
    prune(store, keep)
    assert len(versions(store)) <= keep
    check()
