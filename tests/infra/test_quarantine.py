"""Quarantine: one record a failed unit, until the unit lands."""

from pathlib import Path

from core.references import UnitFailure
from infra.quarantine import clear_quarantine, quarantine_unit
from infra.store import Store


def failure(unit: str, reason: str = "it is empty") -> UnitFailure:
    return UnitFailure(unit, (f"transcripts/{unit}.txt",), "build", reason, "SourceError", True)


def test_a_record_says_what_failed_where_and_why(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    quarantine_unit(store, "transcripts", failure("S01E01"), "run-1", "2026-11-20T12:00:00+00:00")
    (key,) = store.list_keys("quarantine/transcripts")
    record = store.read_json(key)
    assert record["unit"] == "S01E01"
    assert record["paths"] == ["transcripts/S01E01.txt"]
    assert (record["stage"], record["reason"], record["error"]) == ("build", "it is empty", "SourceError")
    assert (record["run_id"], record["time"]) == ("run-1", "2026-11-20T12:00:00+00:00")


def test_the_same_unit_has_one_record_with_the_latest_reason(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    quarantine_unit(store, "transcripts", failure("S01E01", "first"), "run-1", "t1")
    quarantine_unit(store, "transcripts", failure("S01E01", "second"), "run-2", "t2")
    (key,) = store.list_keys("quarantine/transcripts")
    assert store.read_json(key)["reason"] == "second"


def test_only_what_landed_is_cleared(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    for unit in ("S01E01", "S01E02"):
        quarantine_unit(store, "transcripts", failure(unit), "run-1", "t1")
    clear_quarantine(store, "transcripts", {"S01E02": "landed"}, ())
    assert [store.read_json(key)["unit"] for key in store.list_keys("quarantine/transcripts")] == ["S01E01"]


def test_a_hostile_name_stays_in_its_folder(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    hostile = UnitFailure("../../x", ("transcripts/../../etc/passwd\n.txt",), "discovery", "no id", "SourceError", True)
    quarantine_unit(store, "transcripts", hostile, "run-1", "t1")
    (key,) = store.list_keys("")
    assert key.startswith("quarantine/transcripts/")


def test_a_record_that_another_run_removes_meanwhile_is_no_error(tmp_path: Path) -> None:
    class Shared(Store):
        """A store in which another run removes what has just been listed."""

        def list_keys(self, prefix: str) -> list[str]:
            keys = super().list_keys(prefix)
            self.delete_all(keys)
            return keys

    store = Shared(str(tmp_path))
    quarantine_unit(store, "transcripts", failure("S01E01"), "run-1", "t1")
    clear_quarantine(store, "transcripts", {"S01E01"}, set())
    assert store.list_keys("quarantine/transcripts") == []
