"""Quarantine: one record a failed unit, until the unit lands."""

from pathlib import Path

from core.references import UnitFailure
from infra.store.objects import Store
from infra.store.quarantine import clear_quarantine, quarantine_unit, quarantine_units


def failure(unit: str, reason: str = "it is empty") -> UnitFailure:
    return UnitFailure(unit, (f"transcripts/{unit}.txt",), "build", reason, "SourceError", True)


def test_the_same_unit_has_one_record_with_the_latest_reason(store: Store) -> None:
    quarantine_unit(store, "transcripts", failure("S01E01", "first"), "run-1", "t1")
    quarantine_unit(store, "transcripts", failure("S01E01", "second"), "run-2", "t2")
    (key,) = store.list_keys("quarantine/transcripts")
    record = store.read_json(key)
    assert (record["unit"], record["paths"], record["stage"]) == ("S01E01", ["transcripts/S01E01.txt"], "build")
    assert (record["reason"], record["error"], record["run_id"], record["time"]) == ("second", "SourceError", "run-2", "t2")
    quarantine_unit(store, "transcripts", failure("S01E02"), "run-2", "t2")
    clear_quarantine(store, "transcripts", {"S01E02"}, ())
    assert store.list_keys("quarantine/transcripts") == [key], "only what landed is cleared"


def test_a_hostile_name_stays_in_its_folder(store: Store) -> None:
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


def test_what_is_known_and_recorded_is_neither_written_nor_read_again(tmp_path: Path) -> None:
    class Counting(Store):
        """A store that counts what it is asked for."""

        asked = 0

        def read(self, key: str) -> bytes:
            self.asked += 1
            return super().read(key)

        read_if_there = read  # type: ignore[assignment]

    store = Counting(str(tmp_path))
    known = [failure(f"S01E{number:02d}") for number in range(1, 30)]
    quarantine_units(store, "transcripts", known, [], "run-1", "t1")
    new = failure("S02E01")
    quarantine_units(store, "transcripts", [*known, new], known, "run-2", "t2")
    clear_quarantine(store, "transcripts", set(), set(), [*known, new])
    assert store.asked == 0
    records = [Store(str(tmp_path)).read_json(key) for key in store.list_keys("quarantine")]
    assert {record["unit"]: record["run_id"] for record in records} == {entry.unit: "run-1" for entry in known} | {
        "S02E01": "run-2"
    }
    store.delete(store.list_keys("quarantine")[0])
    quarantine_units(store, "transcripts", known, known, "run-3", "t3")
    assert len(store.list_keys("quarantine")) == 30
