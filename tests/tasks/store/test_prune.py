"""Pruning: what is kept still verifies and is enough for a run that computes nothing; breaking it off harms nothing."""

import hashlib
import os
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import ConfigError, StoreError
from core.references import UnitReference
from infra.store.objects import LOCAL_TEMPORARY, Store
from infra.store.running import list_running, mark_run, unmark_run
from infra.store.takedown import add_takedown
from infra.tables.parquet import decode_table
from tasks.frame.ledger import RunSummary
from tasks.store.prune import DAY, PruneRules, plan_prune, prune_store
from tests.tasks import in_process
from tests.tasks.in_process import name_version, read_references, read_splits
from tests.tasks.toy import LETTERS, NOTES, POSTS, write_text


def age(store: Store, days: float) -> None:
    """Let everything in the store be so many days older."""
    for folder, _, names in os.walk(store.url):
        for name in names:
            path = Path(folder, name)
            stamp = path.stat().st_mtime - days * DAY
            os.utime(path, (stamp, stamp))


def prune(store: Store, keep: int = 1, days: float = 7, dataset: str | None = None) -> list[str]:
    plan = plan_prune(store, PruneRules(time.time(), keep, days, dataset))
    return [removal.what for removal in prune_store(store, plan)]


def versions(store: Store, dataset: str = "letters") -> list[str]:
    return store.list_folders(f"datasets/{dataset}")


def verify(store: Store, folder: str) -> None:
    """Check a release against its SHA256SUMS, as `sha256sum --check` does."""
    lines = store.read(f"{folder}/SHA256SUMS").decode().splitlines()
    assert len(lines) > 4
    for line in lines:
        checksum, path = line.split("  ", 1)
        assert hashlib.sha256(store.read(f"{folder}/{path}")).hexdigest() == checksum


class History:
    """A store after four runs: one, a changed text, another setting, a text more; nothing of it is young."""

    def __init__(self, folder: Path) -> None:
        self.source, self.store = folder / "source", Store(str(folder / "store"))
        for number in range(1, 4):
            write_text(self.source, f"S01E{number:02d}")
        self.ran = [self.run()]
        write_text(self.source, "S01E02", "Another text altogether.")
        self.ran.append(self.run())
        self.ran.append(self.run(upper=True))
        write_text(self.source, "S01E04")
        self.ran.append(self.run())
        self.made = [name_version(summary) for summary in self.ran]
        age(self.store, 30)

    def run(self, dataset: str = "letters", **settings: object) -> RunSummary:
        return in_process.run(LETTERS, self.source, self.store, dataset, **settings)

    def check_nothing_new(self) -> None:
        again = self.run()
        assert (again.computed, again.new_release) == ((), False)


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path)


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
    assert history.store.read_json("datasets/letters/latest.json")["version"] == made[3]


def test_what_was_published_again_is_among_the_last(history: History) -> None:
    (history.source / "S01E04.txt").unlink()
    assert name_version(history.run()) == history.made[1]
    age(history.store, 30)
    prune(history.store, keep=2)
    assert sorted(versions(history.store)) == sorted([history.made[1], history.made[3]])


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


def test_without_its_pointer_a_dataset_keeps_its_last_release(history: History) -> None:
    history.store.delete("datasets/letters/latest.json")
    prune(history.store, keep=1)
    assert versions(history.store) == [history.made[3]]


def test_what_is_not_ours_stays(history: History) -> None:
    strange = ["artifacts/.DS_Store", "artifacts/letters/.DS_Store", "landing/letters/.DS_Store"]
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
    gone = {key.split("/")[3] for key in units - left}
    assert gone == {"S01E01", "S01E02", "S01E03"}  # the old text of one, and the capital letters of all
    assert {key.split("/")[3] for key in left} == {f"S01E0{number}" for number in range(1, 5)}
    assert {key.split("/")[2] for key in history.store.list_keys("landing")} == {f"S01E0{number}" for number in range(1, 5)}
    history.check_nothing_new()


def test_splits_outlive_the_releases_that_made_them(history: History) -> None:
    splits = read_splits(history.store, "letters")
    prune(history.store)
    write_text(history.source, "S01E00")
    history.run()
    after = read_splits(history.store, "letters")
    assert {unit: after[unit] for unit in splits} == splits


def test_one_dataset_alone_may_be_pruned(history: History) -> None:
    history.run("other", upper=True)
    history.run("other")
    age(history.store, 30)
    keys = [key for key in history.store.list_keys("") if not key.startswith("datasets/other/")]
    assert [what.split("/")[1] for what in prune(history.store, dataset="other")] == ["other"]
    assert [key for key in history.store.list_keys("") if not key.startswith("datasets/other/")] == keys
    with pytest.raises(ConfigError, match="no dataset 'nothing'; it has letters, other"):
        prune(history.store, dataset="nothing")


def test_datasets_of_other_names_keep_what_they_are_made_of(tmp_path: Path) -> None:
    """Artifacts are named by their pipeline, catalogs by their dataset."""
    source, store = tmp_path / "source", Store(str(tmp_path / "store"))
    write_text(source, "a")
    in_process.run(LETTERS, source, store, "small")
    in_process.run(LETTERS, source, store, "large", upper=True)
    store.write("artifacts/letters/vectors/a/0001.parquet", b"what no catalog names by its stage")
    store.write("artifacts/letters/vectors/z/0001.parquet", b"of a unit that nobody knows")
    age(store, 30)
    assert prune(store) == ["artifacts of letters", "records of runs"]
    assert store.list_keys("artifacts/letters/vectors") == ["artifacts/letters/vectors/a/0001.parquet"]
    for dataset, upper in (("small", False), ("large", True)):
        again = in_process.run(LETTERS, source, store, dataset, upper=upper)
        assert (again.computed, again.new_release) == ((), False)
        assert all(store.exists(artifact.key) for artifact in read_references(store, dataset)["a"].artifacts.values())


def test_a_run_in_progress_keeps_the_catalogs_of_its_pipelines_datasets(tmp_path: Path) -> None:
    source, store = tmp_path / "source", Store(str(tmp_path / "store"))
    for line in ("One.", "Two."):
        write_text(source, "a", line)
        in_process.run(LETTERS, source, store, "small")
    age(store, 30)
    mark_run(store, "letters", "20260101T000000-000000")
    assert prune(store) == ["records of runs"]
    unmark_run(store, "20260101T000000-000000")
    assert "catalogs of runs of small" in prune(store)


def test_shards_and_records_are_enough_for_a_run_that_reads_nothing(tmp_path: Path) -> None:
    source, store = tmp_path / "source", Store(str(tmp_path / "store"))
    for text in ("One.", "Two."):
        write_text(source, "a", text)
        write_text(source, "b")
        (source / "posts.jsonl").write_text("".join(f'{{"id": "p{n}", "text": "{text}"}}\n' for n in range(9)))
        for pipeline in (NOTES, POSTS):
            in_process.run(pipeline, source, store)
    age(store, 30)
    divisions = store.list_keys("artifacts/posts/records")
    assert {"artifacts of notes", "artifacts of posts", "landed files of notes", "landed files of posts"} < set(prune(store))
    assert len(store.list_keys("artifacts/posts/records")) == len(divisions) - 1 == 1
    for pipeline in (NOTES, POSTS):
        again = in_process.run(pipeline, source, store)
        assert (again.computed, again.new_release) == ((), False)


def test_records_are_divided_again_where_their_parts_were_pruned(tmp_path: Path) -> None:
    source, store = tmp_path / "source", Store(str(tmp_path / "store"))
    source.mkdir()
    lines = [f'{{"id": "p{number}", "text": "One."}}\n' for number in range(9)]
    (source / "posts.jsonl").write_text("".join(lines))
    in_process.run(POSTS, source, store, limit=1)
    age(store, 30)
    kept = read_references(store, "posts")
    prune(store)
    assert {key.split("/")[2] for key in store.list_keys("landing/posts")} == set(kept)
    assert len(in_process.run(POSTS, source, store).computed) == 9 - len(_members(store, kept))


def _members(store: Store, references: dict[str, UnitReference]) -> list[str]:
    tables = [decode_table(store.read(reference.artifacts["text"].key)) for reference in references.values()]
    return [name for table in tables for name in table.column("unit").to_pylist()]


def test_an_unfinished_release_and_half_written_files_go(history: History) -> None:
    history.store.write("datasets/letters/0123456789abcdef/data/pairs/train.parquet", b"half a release")
    half = Path(history.store.url, "artifacts", "letters", f"{LOCAL_TEMPORARY}1")
    half.write_bytes(b"half")
    assert "0123456789abcdef" in str(versions(history.store))
    prune(history.store, keep=9)
    assert half.exists()
    assert "0123456789abcdef" in versions(history.store)
    age(history.store, 30)
    told = prune(history.store, keep=9)
    assert told == ["unfinished release datasets/letters/0123456789abcdef", "half-written files"]
    assert not half.exists()
    assert len(versions(history.store)) == 4


def test_what_a_taken_down_unit_was_made_from_goes_after_the_next_run(history: History) -> None:
    add_takedown(history.store, "letters", ["S01E03"], "asked for", "2026-01-01")
    history.run()
    age(history.store, 30)
    prune(history.store)
    assert [key for key in history.store.list_keys("") if "S01E03" in key] == []


def test_a_landed_file_of_a_unit_in_quarantine_stays(history: History) -> None:
    content = b"a bad transcript"
    checksum = hashlib.sha256(content).hexdigest()
    history.store.write(f"landing/letters/S01E09/{checksum}/S01E09.txt", content)
    history.store.write(f"landing/letters/S01E09/{'0' * 64}/S01E09.txt", b"older")
    history.store.write_json("quarantine/letters/1.json", {"unit": "S01E09", "checksum": checksum})
    age(history.store, 30)
    prune(history.store)
    assert [key for key in history.store.list_keys("landing") if "S01E09" in key] == [
        f"landing/letters/S01E09/{checksum}/S01E09.txt"
    ]


def test_while_a_run_is_in_progress_what_it_may_use_stays(history: History) -> None:
    mark_run(history.store, "letters", "20260101T000000-000000")
    plan = plan_prune(history.store, PruneRules(time.time(), 1))
    assert [removal.what for removal in plan.removals] == ["records of runs"]
    assert "run 20260101T000000-000000 of letters is in progress" in plan.remarks[0]
    unmark_run(history.store, "20260101T000000-000000")
    assert len(plan_prune(history.store, PruneRules(time.time(), 1)).removals) > 1


def test_a_run_that_begins_meanwhile_stops_it(history: History) -> None:
    plan = plan_prune(history.store, PruneRules(time.time(), 1))
    steps = prune_store(history.store, plan)
    first = next(steps)
    mark_run(history.store, "letters", "20260101T000000-000000")
    with pytest.raises(StoreError, match="a run has begun or ended meanwhile"):
        list(steps)
    unmark_run(history.store, "20260101T000000-000000")
    assert first.what.startswith("release ")
    history.check_nothing_new()


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


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["grow", "change", "setting", "back"]), min_size=1, max_size=4), st.integers(1, 4), st.data())
def test_whatever_happened_the_kept_releases_verify_and_a_run_computes_nothing(
    tmp_path_factory: pytest.TempPathFactory, events: Sequence[str], keep: int, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("history")
    source, store = folder / "source", Store(str(folder / "store"))
    write_text(source, "S01E01")
    upper = False
    in_process.run(LETTERS, source, store)
    for number, event in enumerate(events, 2):
        match event:
            case "grow":
                write_text(source, f"S01E{number:02d}")
            case "change":
                write_text(source, "S01E01", f"Text {number}.")
            case _:
                upper = event == "setting"
        in_process.run(LETTERS, source, store, upper=upper)
    age(store, 30)
    plan = plan_prune(store, PruneRules(time.time(), keep))
    stop = data.draw(st.integers(0, len(plan.removals)), label="parts done before it is killed")
    steps = prune_store(store, plan)
    for _ in range(stop):
        next(steps)

    def check() -> None:
        assert store.read_json("datasets/letters/latest.json")["version"] in versions(store)
        for version in versions(store):
            if store.exists(f"datasets/letters/{version}/manifest.json"):
                verify(store, f"datasets/letters/{version}")
        again = in_process.run(LETTERS, source, store, upper=upper)
        assert (again.computed, again.new_release) == ((), False)
        store.delete(f"runs/{again.run_id}.json")

    check()
    prune(store, keep)
    assert len(versions(store)) <= keep
    check()
