"""What was taken down is pruned at once, whatever its age, with all that was said of it; and prune says why the rest stays."""

import time
from pathlib import Path

import pytest

from core.references import UnitFailure
from core.review.judgements import Judgement
from infra.store.objects import Store
from infra.store.quarantine import quarantine_unit
from infra.store.reviews import add_judgements
from infra.store.takedown import add_takedown
from tasks.store.prune import PruneRules, plan_prune, prune_store
from tests.tasks.in_process import name_version, run
from tests.tasks.toy import LETTERS, write_text

TIME = "2026-01-01T00:00:00+00:00"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store with three releases: two hold S01E02, which has been taken down since, the last one does not."""
    source, store = tmp_path / "source", Store(str(tmp_path / "store"))
    for unit in ("S01E01", "S01E02", "S01E03"):
        write_text(source, unit, f"A secret of {unit}.")
    versions = [name_version(run(LETTERS, source, store)), name_version(run(LETTERS, source, store, upper=True))]
    for version in versions:
        store.write(f"benchmarks/letters/{version}/lead-summaries.parquet", b"A SECRET OF S01E02.")
    for unit, row in (("S01E02", "S01E02_0000"), ("S01E03", "S01E03_0000")):
        judgement = Judgement(
            item=row, dataset="letters", version=versions[0], question="pair", answer=True, reader="anna", at=TIME, unit=unit
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


def test_what_was_taken_down_goes_at_once_and_all_else_stays_as_young_as_it_is(store: Store) -> None:
    before = list_left(store)
    assert all(before[folder] for folder in ("answers", "reviews", "quarantine", "benchmarks", "runs", "landing"))
    kept = [key for folder in ("answers", "reviews") for key in store.list_keys(folder) if key not in before[folder]]
    plan = plan_prune(store, PruneRules(time.time(), keep_releases=9, older_than=7))
    done = [removal.what for removal in prune_store(store, plan)]
    assert sum("which holds what was taken down" in what for what in done) == 2
    assert list_left(store) == {folder: [] for folder in before}
    assert [key for folder in ("answers", "reviews") for key in store.list_keys(folder)] == kept
    assert len(store.list_folders("datasets/letters")) == 1
    assert any(what.endswith("stay: younger than 7 days (--older-than)") for what in plan.remarks)
    assert plan_prune(store, PruneRules(time.time(), keep_releases=9, older_than=7)).removals == ()


def test_prune_says_why_releases_stay(tmp_path: Path) -> None:
    source, store = tmp_path / "source", Store(str(tmp_path / "store"))
    versions = []
    for number in range(3):
        write_text(source, f"S01E0{number}")
        versions.append(name_version(run(LETTERS, source, store)))
    first, second, third = versions
    remarks = plan_prune(store, PruneRules(time.time(), keep_releases=2, older_than=7)).remarks
    assert [remark for remark in remarks if remark.startswith("datasets/")] == [
        f"datasets/letters/{third} stays: it is the latest",
        f"datasets/letters/{second} stays: it is among the last 2",
        f"datasets/letters/{first} stays: younger than 7 days (--older-than)",
    ]
