"""Pruning a damaged store, and a folder with what fabula has not made: nothing goes that something may still name."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import ConfigError
from infra.store.catalog import write_catalog
from infra.store.objects import Store
from tasks.store.prune import PruneRules, plan_prune
from tests.tasks.store.pruned import History, age, prune, versions

DAMAGES = [lambda content: content[: len(content) // 2], lambda _: b"", lambda _: b"{}", lambda _: b"[]", None]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> History:
    return History(tmp_path_factory.mktemp("made"))


@pytest.fixture
def history(made: History) -> History:
    made.restore()
    return made


def damage(store: Store, key: str, change: Callable[[bytes], bytes] | None) -> None:
    content = store.read(key)
    store.delete(key)
    if change is not None:
        store.write(key, change(content))
    age(store, 30)


def list_units(store: Store) -> set[str]:
    return {key for key in store.list_keys("") if key.startswith(("artifacts/", "landing/", "catalog/"))}


@pytest.mark.parametrize("change", DAMAGES)
@pytest.mark.parametrize("broken", ["pointer", "catalog"])
def test_of_a_damaged_catalog_nothing_that_it_may_name_goes(
    history: History, broken: str, change: Callable[[bytes], bytes] | None
) -> None:
    store = history.store
    pointer = "catalog/transcripts/latest.json"
    key = pointer if broken == "pointer" else store.read_json(pointer)["path"]
    damage(store, key, change)
    before = list_units(store)
    plan = plan_prune(store, PruneRules(time.time(), 1))
    assert any("artifacts and landed files of transcripts stay" in remark for remark in plan.remarks)
    prune(store)
    assert list_units(store) == before
    again = history.run()
    assert (again.computed, again.new_release) == ((), False)
    age(store, 30)
    assert "artifacts of transcripts" in prune(store)
    assert history.run().computed == ()


@pytest.mark.parametrize("change", DAMAGES)
def test_of_a_damaged_history_no_manifest_goes(history: History, change: Callable[[bytes], bytes] | None) -> None:
    before = history.store.read_json("datasets/transcripts/history.json")
    damage(history.store, "datasets/transcripts/history.json", change)
    plan = plan_prune(history.store, PruneRules(time.time(), 1))
    assert any("releases of transcripts stay until a run has made it anew" in remark for remark in plan.remarks)
    prune(history.store)
    assert sorted(versions(history.store)) == sorted(history.made)
    history.run()
    age(history.store, 30)
    prune(history.store)
    assert history.store.read_json("datasets/transcripts/history.json")["splits"] == before["splits"]
    assert len(versions(history.store)) == 1


def test_a_release_with_a_damaged_manifest_stays_and_takes_no_place(history: History) -> None:
    damage(history.store, f"datasets/transcripts/{history.made[2]}/manifest.json", lambda _: b"{}")
    prune(history.store, keep=2)
    assert sorted(versions(history.store)) == sorted(history.made[1:])


def test_with_a_damaged_record_landed_files_stay(history: History) -> None:
    history.store.write("quarantine/transcripts/1.json", b"{")
    landed = history.store.list_keys("landing")
    plan = plan_prune(history.store, PruneRules(time.time(), 1))
    assert any("a quarantine record is damaged" in remark for remark in plan.remarks)
    prune(history.store)
    assert history.store.list_keys("landing") == landed


def test_a_damaged_mark_counts_as_a_run_of_any_pipeline(history: History) -> None:
    history.store.write("running/1.json", b"{}")
    plan = plan_prune(history.store, PruneRules(time.time(), 1))
    assert [removal.what for removal in plan.removals] == ["records of runs"]
    assert "running/1.json is damaged" in plan.remarks[0]
    age(history.store, 30)
    assert len(plan_prune(history.store, PruneRules(time.time(), 1)).removals) > 1


def test_what_another_dataset_of_the_pipeline_names_stays(history: History) -> None:
    history.run(history.other, "other")
    age(history.store, 30)
    prune(history.store)
    assert history.run(history.other, "other").computed == ()
    assert history.run().computed == ()


def test_divisions_of_record_files_go_when_they_are_old(history: History) -> None:
    key = f"artifacts/transcripts/records/{'a' * 32}/{'b' * 64}.json"
    history.store.write(key, b"{}")
    prune(history.store)
    assert history.store.exists(key)
    age(history.store, 30)
    prune(history.store)
    assert not history.store.exists(key)


FOREIGN = "datasets/mnist/v1/train.parquet"


def test_a_folder_that_is_no_store_of_fabula_is_refused(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    datasets = (FOREIGN, "datasets/mnist/v0/manifest.json", "datasets/mnist/latest.json", "datasets/mnist/history.json")
    for key in (*datasets, "artifacts/a/b/c/d.json", "landing/a/b/c/d.txt", "runs/today.json"):
        store.write(key, b"{}")
    age(store, 30)
    before = store.list_keys("")
    with pytest.raises(ConfigError, match="is no store of fabula"):
        prune(store)
    assert store.list_keys("") == before


def test_foreign_datasets_and_files_beside_fabulas_own_stay(history: History) -> None:
    beside = f"datasets/transcripts/{history.made[0]}/notes.txt"
    strange = [
        FOREIGN,
        "datasets/mnist/latest.json",
        "datasets/transcripts/drafts/a.txt",
        "landing/a/b/c/d.txt",
        "runs/today.json",
        beside,
    ]
    for key in strange:
        history.store.write(key, b"")
    age(history.store, 30)
    told = prune(history.store, keep=1)
    assert f"release datasets/transcripts/{history.made[0]}" in told
    assert [key for key in history.store.list_keys("") if key in strange] == sorted(strange)
    assert any(
        "datasets/mnist was not made by fabula" in remark
        for remark in plan_prune(history.store, PruneRules(time.time(), 1)).remarks
    )


def test_after_a_first_release_that_was_broken_off_it_ends_truthfully(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    write_catalog(store, "transcripts", "transcripts", "20260101T000000-000000", [])
    store.write("datasets/transcripts/0123456789abcdef/data/pairs/train.parquet", b"half a release")
    age(store, 30)
    assert "unfinished release datasets/transcripts/0123456789abcdef" in prune(store)
    assert "datasets/transcripts/0123456789abcdef/data/pairs/train.parquet" not in store.list_keys("")
