"""The ledger: what the next run knows, and what a person reads of a failure."""

import shlex
from dataclasses import replace
from pathlib import Path

from core.errors import SourceError, StoreError
from core.references import UnitFailure, UnitReference
from core.takedown import Takedown, Withheld
from infra.store.catalog import CatalogEntry
from infra.store.objects import Store
from tasks.frame.ledger import RunSummary, describe_call, describe_failure, list_entries, write_run
from tasks.frame.planning import RunPlan

SUMMARY = RunSummary(
    "20261120T120000-000000",
    "transcripts",
    5,
    ("S01E01",),
    ("S01E02", "S01E03"),
    (("S01E04", "recap"),),
    (UnitFailure("S01E05", ("transcripts/S01E05.txt",), "build", "it is empty", "SourceError", True),),
    "store/datasets/x/1",
    True,
    (),
    1.23456,
    ("S01E09",),
)


def plan(*units: str) -> RunPlan:
    earlier = {unit: reference(unit) for unit in units}
    return RunPlan({}, {}, earlier, "settings", (), {unit: f"signature of {unit}" for unit in units}, {}, (), (), 0, {}, {})


def reference(unit: str) -> UnitReference:
    return UnitReference(unit, {}, (), (), {}, ("dialogue",), {"dialogue": 0.5, "land": 0.25})


def test_a_failure_says_what_the_error_said() -> None:
    failure = describe_failure("S01E01", ["a.txt", "b.md"], SourceError("a.txt: it is empty; upload it again"))
    assert failure == UnitFailure(
        "S01E01", ("a.txt", "b.md"), "build", "a.txt: it is empty; upload it again", "SourceError", True
    )


def test_only_bad_input_is_for_good() -> None:
    assert describe_failure("S01E01", [], StoreError("no space")).permanent is False
    strange = describe_failure("S01E01", [], ZeroDivisionError("division by zero"))
    assert strange.permanent is False
    assert strange.reason.startswith("S01E01: ZeroDivisionError: division by zero; ")
    assert "run again, and report it if it stays" in strange.reason


def test_the_catalog_keeps_what_the_run_did_not_look_at_and_the_last_good_state_of_what_failed() -> None:
    earlier = {unit: CatalogEntry(unit, "settings", "old", reference(unit), None) for unit in ("A", "B", "C", "D")}
    bad = UnitFailure("B", (), "build", "it is empty", "SourceError", True)
    passing = UnitFailure("C", (), "build", "no space", "StoreError", False)
    refused = UnitFailure("transcripts/x y.txt", (), "discovery", "no id", "SourceError", True)
    entries = {
        entry.unit: entry for entry in list_entries(earlier, plan("A", "B", "C"), {"A": reference("A")}, [bad, passing, refused])
    }
    assert entries == {
        "A": CatalogEntry("A", "settings", "signature of A", reference("A"), None),
        "B": CatalogEntry("B", "settings", "signature of B", reference("B"), bad),
        "C": earlier["C"],
        "D": earlier["D"],
    }


def test_the_catalog_forgets_what_is_taken_down_though_the_source_has_lost_it() -> None:
    earlier = {unit: CatalogEntry(unit, "settings", "old", reference(unit), None) for unit in ("A", "B")}
    run = replace(plan(), withheld=Withheld(Takedown({"A": "asked for", "B_2_0_0001": "a private name"})))
    assert list_entries(earlier, run, {}, []) == [earlier["B"]]


def test_the_json_object_counts_every_unit_once() -> None:
    value = SUMMARY.as_json()
    assert list(value) == ["run_id", "pipeline", "units", "release", "seconds"]
    assert value["units"] == {"discovered": 5, "computed": 1, "reused": 2, "waiting": 1, "quarantined": 1, "removed": 1}
    assert sum(list(value["units"].values())[1:-1]) == value["units"]["discovered"]
    assert value["seconds"] == 1.235
    assert SUMMARY.landed == 3


def test_the_record_of_a_run_has_counts_durations_exceptions_and_the_resuming_command(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    write_run(store, SUMMARY, [reference("S01E01"), reference("S01E02")], "fabula run transcripts --source x")
    record = store.read_json(f"runs/{SUMMARY.run_id}.json")
    assert record["units"] == SUMMARY.as_json()["units"]
    assert record["waiting"] == [{"unit": "S01E04", "missing": "recap"}]
    assert record["removed"] == ["S01E09"]
    assert record["quarantined"][0]["reason"] == "it is empty"
    assert record["seconds_by_stage"] == {"dialogue": 1.0, "land": 0.5}
    assert record["resume"] == "fabula run transcripts --source x"


def test_the_resuming_command_can_be_pasted() -> None:
    call = describe_call("transcripts", {"source": ["my folder", "s3://b"], "config_file": None, "limit": 3})
    assert shlex.split(call) == ["fabula", "run", "transcripts", "--source", "my folder", "--source", "s3://b", "--limit", "3"]
