"""Decisions and failures in the store: each is there once, whoever else writes or removes."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.errors import ConfigError
from core.references import UnitFailure
from core.review.judgements import Judgement, TurnSpan
from infra.store.objects import Store
from infra.store.quarantine import clear_quarantine, quarantine_unit, quarantine_units
from infra.store.reviews import add_judgements, check_annotator, read_reviews


def judge(item: str, annotator: str = "anna", hour: int = 1) -> Judgement:
    return Judgement(
        item=item, dataset="d", version="v", question="span", answer=TurnSpan(1, 2), annotator=annotator,
        at=f"2026-11-22T{hour:02}:00:00.123456+00:00", unit="E1", digest="b",
    )  # fmt: skip


@pytest.mark.parametrize("local", [True, False])
def test_every_decision_is_there_whatever_is_written_at_the_same_time(local: bool, tmp_path: Path) -> None:
    store = Store(str(tmp_path) if local else "memory://reviews-at-once")
    wanted = [judge(f"i{number}", name) for number in range(20) for name in ("anna", "ben")]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda each: add_judgements(store, [each]), [*wanted, *wanted]))
    assert sorted(read_reviews(store, "d").judgements, key=repr) == sorted(wanted, key=repr)


def test_a_half_line_is_told_and_the_others_count(store: Store) -> None:
    (key,) = add_judgements(store, [judge("one")])
    line = store.read(key)
    store.write("reviews/d/ben.jsonl", line.replace(b"anna", b"ben") + line[:40])
    store.write("reviews/d/other.jsonl", line.replace(b'"d"', b'"e"'))
    found = read_reviews(store, "d")
    assert [entry.annotator for entry in found.judgements] == ["anna", "ben"]
    assert len(found.refused) == 2
    assert "ben.jsonl, line 2" in found.refused[0]
    assert "another dataset" in found.refused[1]


@pytest.mark.parametrize("name", ["", "../x", "a/b", "a..b", ".hidden", "x" * 65])
def test_an_annotator_whose_name_is_no_files_name_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="annotator"):
        check_annotator(name)


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


def test_a_record_that_another_run_removes_meanwhile_is_no_error(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    list_keys = Store.list_keys

    def list_and_lose(self: Store, prefix: str) -> list[str]:
        keys = list_keys(self, prefix)
        self.delete_all(keys)
        return keys

    quarantine_unit(store, "transcripts", failure("S01E01"), "run-1", "t1")
    monkeypatch.setattr(Store, "list_keys", list_and_lose)
    clear_quarantine(store, "transcripts", {"S01E01"}, set())
    assert store.list_keys("quarantine/transcripts") == []


def test_what_is_known_and_recorded_is_neither_written_nor_read_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    known = [failure(f"S01E{number:02d}") for number in range(1, 30)]
    new = failure("S02E01")
    with monkeypatch.context() as unread:
        for name in ("read", "read_if_there"):
            unread.setattr(Store, name, lambda *_: pytest.fail("a record is read"))
        quarantine_units(store, "transcripts", known, [], "run-1", "t1")
        quarantine_units(store, "transcripts", [*known, new], known, "run-2", "t2")
        clear_quarantine(store, "transcripts", set(), set(), [*known, new])
    records = [store.read_json(key) for key in store.list_keys("quarantine")]
    runs = {entry.unit: "run-1" for entry in known} | {"S02E01": "run-2"}
    assert {record["unit"]: record["run_id"] for record in records} == runs
    store.delete(store.list_keys("quarantine")[0])
    quarantine_units(store, "transcripts", known, known, "run-3", "t3")
    assert len(store.list_keys("quarantine")) == 30
