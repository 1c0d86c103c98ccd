"""Pruning: what is kept still verifies and is enough for a run that computes nothing; nothing goes that something may name."""

import hashlib
import os
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from core.errors import ConfigError, StoreError
from core.references import UnitFailure
from core.review.judgements import Judgement
from infra.store.catalog import write_catalog
from infra.store.objects import LOCAL_TEMPORARY, Store
from infra.store.quarantine import quarantine_unit
from infra.store.reviews import add_judgements
from infra.store.running import list_running, mark_run, unmark_run
from infra.store.takedown import add_takedown
from tasks.frame.ledger import RunSummary
from tasks.store.health import verify_release
from tasks.store.prune import DAY, PrunePlan, PruneRules, plan_prune, prune_store
from tests.tasks import in_process
from tests.tasks.in_process import name_version, read_splits, run
from tests.tasks.toy import LETTERS, write_text, write_texts

OTHER = {"provenance": {"license": "CC0-1.0"}}
"""Settings under which another version is released, though no unit is computed anew."""


def age(store: Store, days: float = 30) -> None:
    """Let everything in the store be so many days older."""
    for folder, _, names in os.walk(store.url):
        for name in names:
            path = Path(folder, name)
            stamp = path.stat().st_mtime - days * DAY
            os.utime(path, (stamp, stamp))


def plan(store: Store, keep: int = 1, days: float = 7, dataset: str | None = None) -> PrunePlan:
    return plan_prune(store, PruneRules(time.time(), keep, days, dataset))


def prune(store: Store, keep: int = 1, **rules: Any) -> list[str]:
    return [removal.what for removal in prune_store(store, plan(store, keep, **rules))]


def versions(store: Store) -> list[str]:
    return store.list_folders("datasets/letters")


class History:
    """A store after four runs: one, a changed text, other settings, a text more; nothing of it is young."""

    def __init__(self, folder: Path) -> None:
        self.source, self.store = folder / "source", Store(str(folder / "store"))
        write_texts(self.source, (f"S01E{number:02d}" for number in range(1, 4)))
        made = [self.run()]
        write_text(self.source, "S01E02", "Another text.")
        made.append(self.run())
        made.append(self.run(OTHER))
        write_text(self.source, "S01E04")
        made.append(self.run())
        self.made = [name_version(summary) for summary in made]
        age(self.store)

    def run(self, settings: Mapping[str, Any] | None = None, dataset: str = "letters") -> RunSummary:
        return in_process.run(LETTERS, self.source, self.store, dataset, **(settings or {}))


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> History:
    return History(tmp_path_factory.mktemp("first"))


@pytest.fixture
def history(first: History, tmp_path: Path) -> History:
    """A copy that a test may change."""
    found = copy(first)
    found.source, found.store = tmp_path / "source", Store(str(tmp_path / "store"))
    for old, new in ((first.source, found.source), (first.store.url, found.store.url)):
        shutil.copytree(old, new)
    return found


def test_a_plan_removes_nothing_and_releases_that_are_young_or_kept_or_the_latest_stay(history: History) -> None:
    store, made = history.store, history.made
    before = store.list_objects("")
    planned = plan(store)
    assert {removal.what.split()[0] for removal in planned.removals} == {"release", "catalogs", "artifacts", "landed", "records"}
    assert all(removal.size == sum(entry.size for entry in removal.objects) > 0 for removal in planned.removals)
    assert prune(store, days=31) == []
    assert store.list_objects("") == before
    assert [remark for remark in plan(store, keep=2, days=31).remarks if remark.startswith("datasets/")] == [
        f"datasets/letters/{made[3]} stays: it is the latest",
        f"datasets/letters/{made[2]} stays: it is among the last 2",
        *(f"datasets/letters/{version} stays: younger than 31 days (--older-than)" for version in (made[1], made[0])),
    ]
    for keep in (4, 2, 1):
        prune(store, keep)
        assert sorted(versions(store)) == sorted(made[-keep:])
    assert store.read_json("datasets/letters/latest.json")["version"] == made[3]


def test_benchmarks_go_with_their_release(history: History) -> None:
    made = history.made
    for version in (made[0], made[3], "0123456789abcdef"):
        history.store.write(f"benchmarks/letters/{version}/lead.json", b"{}")
    age(history.store)
    history.store.write("benchmarks/letters/fedcba9876543210/young.json", b"{}")
    assert not [what for what in prune(history.store, keep=4) if made[0] in what]
    assert [what for what in prune(history.store) if "benchmarks" in what] == [f"benchmarks benchmarks/letters/{made[0]}"]
    assert {key.split("/")[2] for key in history.store.list_keys("benchmarks")} == {made[3], "fedcba9876543210"}


def test_releases_that_the_history_does_not_know_go_by_the_time_of_their_files(history: History) -> None:
    store, key = history.store, "datasets/letters/history.json"
    store.write_json(key, {**store.read_json(key), "releases": {}})
    made = history.made
    for place, version in enumerate(sorted(made[:3], reverse=True)):  # against the order of their names
        stamp = time.time() - (60 - place) * DAY
        os.utime(Path(store.url, "datasets", "letters", version, "manifest.json"), (stamp, stamp))
    prune(store, keep=2)
    assert sorted(versions(store)) == sorted([min(made[:3]), made[3]])
    assert prune(store, keep=2) == []


def test_a_changed_units_old_state_goes_and_a_run_computes_nothing_and_splits_stay(history: History) -> None:
    splits = read_splits(history.store, "letters")
    before = set(history.store.list_keys("artifacts"))
    prune(history.store)
    assert {key.split("/")[3] for key in before - set(history.store.list_keys("artifacts"))} == {"S01E02"}
    assert {key.split("/")[2] for key in history.store.list_keys("landing")} == {f"S01E0{number}" for number in range(1, 5)}
    again = history.run()
    assert (again.computed, len(again.reused), again.new_release) == ((), 4, False)
    write_text(history.source, "S01E00")
    history.run()
    assert splits.items() <= read_splits(history.store, "letters").items()


def test_one_dataset_alone_may_be_pruned(history: History) -> None:
    history.run(OTHER, "other")
    history.run(None, "other")
    age(history.store)
    keys = [key for key in history.store.list_keys("") if not key.startswith("datasets/other/")]
    assert [what.split("/")[1] for what in prune(history.store, dataset="other")] == ["other"]
    assert [key for key in history.store.list_keys("") if not key.startswith("datasets/other/")] == keys
    with pytest.raises(ConfigError, match="no dataset 'nothing'; it has letters, other"):
        prune(history.store, dataset="nothing")


def test_an_unfinished_release_and_half_written_files_go(history: History, tmp_path: Path) -> None:
    unfinished = "datasets/letters/0123456789abcdef"
    history.store.write(f"{unfinished}/data/pairs/train.parquet", b"half a release")
    half = Path(history.store.url, "artifacts", "letters", f"{LOCAL_TEMPORARY}1")
    half.write_bytes(b"half")
    prune(history.store, keep=9)
    assert half.exists()
    assert "0123456789abcdef" in versions(history.store)
    age(history.store)
    assert prune(history.store, keep=9) == [f"unfinished release {unfinished}", "half-written files"]
    assert not half.exists()
    assert len(versions(history.store)) == 4

    fresh = Store(str(tmp_path / "fresh"))  # the first release of all was broken off
    write_catalog(fresh, "letters", "letters", "20260101T000000-000000", [])
    fresh.write(f"{unfinished}/data/pairs/train.parquet", b"half a release")
    age(fresh)
    assert f"unfinished release {unfinished}" in prune(fresh)
    assert not fresh.list_keys(unfinished)


def test_what_a_taken_down_unit_was_made_from_goes_and_the_landed_file_of_one_in_quarantine_stays(history: History) -> None:
    content = b"a bad transcript"
    checksum = hashlib.sha256(content).hexdigest()
    for name, landed in ((checksum, content), ("0" * 64, b"older")):
        history.store.write(f"landing/letters/S01E09/{name}/S01E09.txt", landed)
    add_takedown(history.store, "letters", ["S01E03"], "asked for", "2026-01-01")
    history.run()
    history.store.write_json("quarantine/letters/1.json", {"unit": "S01E09", "checksum": checksum})
    age(history.store)
    prune(history.store)
    assert [key for key in history.store.list_keys("") if "S01E03" in key] == ["takedown/letters/S01E03.json"]
    assert [key.split("/")[3] for key in history.store.list_keys("landing") if "S01E09" in key] == [checksum]


def test_while_a_run_is_in_progress_what_it_may_use_stays(history: History) -> None:
    mark_run(history.store, "letters", "20260101T000000-000000")
    planned = plan(history.store)
    assert [removal.what for removal in planned.removals] == ["records of runs"]
    assert "run 20260101T000000-000000 of letters is in progress" in planned.remarks[0]
    unmark_run(history.store, "20260101T000000-000000")
    steps = prune_store(history.store, plan(history.store))
    assert next(steps).what.startswith("release ")
    mark_run(history.store, "letters", "20260101T000000-000000")
    with pytest.raises(StoreError, match="a run started or ended in the meantime"):
        list(steps)
    unmark_run(history.store, "20260101T000000-000000")
    assert history.run().computed == ()


def test_the_mark_of_a_process_that_is_gone_says_nothing(store: Store) -> None:
    mark_run(store, "scripts", "1")
    assert [run.run_id for run in list_running(store)] == ["1"]
    value = store.read_json("running/1.json")
    store.write_json("running/2.json", value | {"run_id": "2", "process": 2**22 + 1})
    store.write_json("running/3.json", value | {"run_id": "3", "process": 2**22 + 1, "host": "elsewhere"})
    store.write_json("running/4.json", value | {"run_id": "4", "began": value["began"] - 1000})
    store.write_json("running/5.json", value | {"run_id": "5", "process": 10**25})
    assert [run.run_id for run in list_running(store)] == ["1", "3", "4"]
    age(store, 8)
    # A run of this machine may take longer than a week; another process that has its number by now is none.
    assert [run.run_id for run in list_running(store)] == ["1"]


@hypothesis_settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["grow", "change", "other", "back"]), min_size=1, max_size=4), st.integers(1, 4), st.data())
def test_whatever_happened_the_kept_releases_verify_and_a_run_computes_nothing(
    tmp_path_factory: pytest.TempPathFactory, events: Sequence[str], keep: int, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("history")
    source, store = folder / "source", Store(str(folder / "store"))
    write_text(source, "S01E01")
    in_process.run(LETTERS, source, store)
    settings: dict[str, Any] = {}
    for day, event in enumerate(events, 2):
        match event:
            case "grow":
                write_text(source, f"S01E{day:02d}")
            case "change":
                write_text(source, "S01E01", f"Text {day}.")
            case "other":
                settings = {"provenance": {"license": f"CC {day}"}}
            case "back":
                settings = {}
        in_process.run(LETTERS, source, store, **settings)
    age(store)
    planned = plan(store, keep)
    stop = data.draw(st.integers(0, len(planned.removals)), label="parts done before it is killed")
    steps = prune_store(store, planned)
    for _ in range(stop):
        next(steps)

    def check() -> None:
        assert store.read_json("datasets/letters/latest.json")["version"] in versions(store)
        for version in versions(store):
            if store.exists(f"datasets/letters/{version}/manifest.json"):
                assert not verify_release(store, "letters", version).faults
        again = in_process.run(LETTERS, source, store, **settings)
        assert (again.computed, again.new_release) == ((), False)

    check()
    prune(store, keep)
    assert len(versions(store)) <= keep
    check()


# A damaged store, and a folder with what fabula has not made.

DAMAGES = [lambda content: content[: len(content) // 2], lambda _: b"", lambda _: b"{}", lambda _: b"[]", None]


def damage(store: Store, key: str, change: Callable[[bytes], bytes] | None) -> None:
    content = store.read(key)
    store.delete(key)
    if change is not None:
        store.write(key, change(content))
    age(store)


@pytest.mark.parametrize("change", DAMAGES)
@pytest.mark.parametrize("broken", ["pointer", "catalog"])
def test_of_a_damaged_catalog_nothing_that_it_may_name_goes(
    history: History, broken: str, change: Callable[[bytes], bytes] | None
) -> None:
    store, pointer = history.store, "catalog/letters/latest.json"
    damage(store, pointer if broken == "pointer" else store.read_json(pointer)["path"], change)
    before = [key for folder in ("artifacts", "landing", "catalog") for key in store.list_keys(folder)]
    assert any("artifacts and landed files of letters stay" in remark for remark in plan(store).remarks)
    prune(store)
    assert [key for folder in ("artifacts", "landing", "catalog") for key in store.list_keys(folder)] == before
    again = history.run()
    assert (again.computed, again.new_release) == ((), False)
    age(store)
    assert "artifacts of letters" in prune(store)
    assert history.run().computed == ()


@pytest.mark.parametrize("change", DAMAGES)
def test_of_a_damaged_history_no_manifest_goes(history: History, change: Callable[[bytes], bytes] | None) -> None:
    store = history.store
    before = store.read_json("datasets/letters/history.json")
    damage(store, "datasets/letters/history.json", change)
    assert any("releases of letters stay until a run has made it anew" in remark for remark in plan(store).remarks)
    prune(store)
    assert sorted(versions(store)) == sorted(history.made)
    history.run()
    age(store)
    prune(store)
    assert store.read_json("datasets/letters/history.json")["splits"] == before["splits"]
    assert len(versions(store)) == 1


def test_with_a_damaged_manifest_record_or_mark_of_a_run_what_it_may_name_stays(history: History) -> None:
    store = history.store
    store.write("quarantine/letters/1.json", b"{")
    landed = store.list_keys("landing")
    assert any("a quarantine record is damaged" in remark for remark in plan(store).remarks)
    damage(store, f"datasets/letters/{history.made[2]}/manifest.json", lambda _: b"{}")
    prune(store, keep=2)
    assert store.list_keys("landing") == landed
    assert sorted(versions(store)) == sorted(history.made[1:]), "the damaged one takes no place"
    store.write("running/1.json", b"{}")
    assert "running/1.json is damaged" in plan(store).remarks[0]


STRANGE = ("datasets/mnist/v1/train.parquet", "datasets/mnist/latest.json", "landing/a/b/c/d.txt", "runs/today.json")


def test_a_folder_that_is_no_store_of_fabula_is_refused(store: Store) -> None:
    for key in (*STRANGE, "datasets/mnist/v0/manifest.json", "datasets/mnist/history.json", "artifacts/a/b/c/d.json"):
        store.write(key, b"{}")
    age(store)
    before = store.list_keys("")
    with pytest.raises(ConfigError, match="is no store of fabula"):
        prune(store)
    assert store.list_keys("") == before


def test_foreign_datasets_and_files_beside_fabulas_own_stay(history: History) -> None:
    beside = f"datasets/letters/{history.made[0]}/notes.txt"
    inside = ("artifacts/.DS_Store", "artifacts/letters/.DS_Store", "datasets/letters/drafts/a.txt", beside)
    for key in (*STRANGE, *inside):
        history.store.write(key, b"")
    age(history.store)
    assert f"release datasets/letters/{history.made[0]}" in prune(history.store)
    assert {*STRANGE, *inside} <= {*history.store.list_keys("")}
    assert any("datasets/mnist was not made by fabula" in remark for remark in plan(history.store).remarks)


TIME = "2026-01-01T00:00:00+00:00"


@pytest.fixture
def voided(source: Path, store: Store) -> Store:
    """A store with three releases: two hold S01E02, which has been taken down since, the last one does not."""
    for unit in ("S01E01", "S01E02", "S01E03"):
        write_text(source, unit, f"A secret of {unit}.")
    versions = [name_version(run(LETTERS, source, store)), name_version(run(LETTERS, source, store, upper=True))]
    for version in versions:
        store.write(f"benchmarks/letters/{version}/lead-summaries.parquet", b"A SECRET OF S01E02.")
    for unit, row in (("S01E02", "S01E02_0000"), ("S01E03", "S01E03_0000")):
        judgement = Judgement(
            item=row, dataset="letters", version=versions[0], question="pair", answer=True, annotator="anna", at=TIME, unit=unit
        )
        add_judgements(store, [judgement])
        store.write_json(f"answers/model/{unit}.json", {"item": row, "answer": f"A secret of {unit}."})
        failure = UnitFailure(f"{unit}@b.txt", ("b.txt", unit), "build", f"A secret of {unit}.", "SourceError", True)
        quarantine_unit(store, "letters", failure, "20260101T000000-000000", TIME)
    add_takedown(store, "letters", ["s01e02"], "asked for", TIME)
    run(LETTERS, source, store, upper=True)
    return store


def list_left(store: Store) -> dict[str, list[str]]:
    """Return the keys of the folders that may tell of a unit, as far as their objects tell of S01E02."""
    return {
        folder: [key for key in store.list_keys(folder) if b"S01E02" in store.read(key).upper()]
        for folder in ("answers", "reviews", "quarantine", "benchmarks", "runs", "artifacts", "landing")
    }


def test_what_was_taken_down_goes_at_once_and_all_else_stays_as_young_as_it_is(voided: Store) -> None:
    before = list_left(voided)
    assert all(before[folder] for folder in ("answers", "reviews", "quarantine", "benchmarks", "runs", "landing"))
    kept = [key for folder in ("answers", "reviews") for key in voided.list_keys(folder) if key not in before[folder]]
    planned = plan(voided, keep=9)
    done = prune(voided, keep=9)
    assert sum("which holds what was taken down" in what for what in done) == 2
    assert list_left(voided) == {folder: [] for folder in before}
    assert [key for folder in ("answers", "reviews") for key in voided.list_keys(folder)] == kept
    assert len(voided.list_folders("datasets/letters")) == 1
    assert any(what.endswith("stay: younger than 7 days (--older-than)") for what in planned.remarks)
    assert plan(voided, keep=9).removals == ()
