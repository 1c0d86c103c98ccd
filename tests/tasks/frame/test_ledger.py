"""The ledger: what the next run knows and announces, what a person reads of a failure, and the command that runs it again."""

import shlex
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from typer.testing import CliRunner

from core.dataset.takedown import Takedown, Withheld
from core.errors import ConfigError, StoreError
from core.references import CatalogEntry, UnitFailure
from flows.cli.main import app
from infra.store.catalog import read_catalog
from infra.store.objects import Store
from tasks.frame import ledger
from tasks.frame.build import UnitRequest, describe_failure
from tasks.frame.model import Discovery, Unit
from tasks.frame.plan import RunPlan
from tests.flows.stories import write_episode
from tests.tasks import in_process
from tests.tasks.in_process import make_reference, run
from tests.tasks.toy import LETTERS, write_text, write_texts

SUMMARY = ledger.RunSummary(
    run_id="20261120T120000-000000",
    pipeline="transcripts",
    discovered=5,
    computed=("S01E01",),
    reused=("S01E02", "S01E03"),
    waiting=(("S01E04", "recap"),),
    quarantined=(UnitFailure("S01E05", ("transcripts/S01E05.txt",), "build", "it is empty", "SourceError", True),),
    release="store/datasets/x/1",
    new_release=True,
    seconds=1.23456,
    removed=("S01E09",),
)


def plan(*units: str, taken_down: dict[str, str] | None = None) -> RunPlan:
    """Return a plan of units that have all landed before."""
    return RunPlan(
        found=Discovery(listing=()),
        requests={unit: cast(UnitRequest, SimpleNamespace(unit=Unit(id=unit, files=()))) for unit in units},
        signatures={unit: f"signature of {unit}" for unit in units},
        settings="settings",
        to_build=(),
        reused={},
        earlier={unit: make_reference(unit) for unit in units},
        failures=(),
        withheld=Withheld(Takedown(taken_down or {})),
    )


def entry(unit: str, signature: str = "old", failure: UnitFailure | None = None) -> CatalogEntry:
    return CatalogEntry(unit=unit, settings="settings", signature=signature, reference=make_reference(unit), failure=failure)


def test_only_bad_input_is_for_good() -> None:
    assert describe_failure("S01E01", [], StoreError("no space")).permanent is False
    strange = describe_failure("S01E01", [], ZeroDivisionError("division by zero"))
    assert strange.permanent is False
    assert strange.reason.startswith("S01E01: ZeroDivisionError: division by zero; ")
    assert "run again, and report it if it stays" in strange.reason


def test_the_catalog_keeps_what_the_run_did_not_look_at_and_the_last_good_state_of_what_failed() -> None:
    earlier = {unit: entry(unit) for unit in ("A", "B", "C", "D", "E")}
    bad = UnitFailure("B", (), "build", "it is empty", "SourceError", True)
    passing = UnitFailure("C", (), "build", "no space", "StoreError", False)
    refused = UnitFailure("transcripts/x y.txt", (), "discovery", "no id", "SourceError", True)
    planned = plan("A", "B", "C", taken_down={"E": "asked for", "D_2_0_0001": "a private name"})  # the source has lost D and E
    assert ledger.list_entries(earlier, planned, {"A": make_reference("A")}, [bad, passing, refused]) == [
        entry("A", "signature of A"),
        entry("B", "signature of B", bad),
        earlier["C"],
        earlier["D"],
    ]


def test_the_record_of_a_run_has_counts_durations_exceptions_and_the_resuming_command(store: Store) -> None:
    references = [make_reference(unit, seconds={"dialogue": 0.5, "land": 0.25}) for unit in ("S01E01", "S01E02")]
    ledger.write_run(store, SUMMARY, references, "fabula run transcripts --source x")
    record = store.read_json(f"runs/{SUMMARY.run_id}.json")
    assert record["units"] == SUMMARY.as_json()["units"]
    assert record["waiting"] == [{"unit": "S01E04", "missing": "recap"}]
    assert record["computed"] == ["S01E01"]
    assert record["removed"] == ["S01E09"]
    assert record["quarantined"][0]["reason"] == "it is empty"
    assert record["seconds_by_stage"] == {"dialogue": 1.0, "land": 0.5}
    assert record["resume"] == "fabula run transcripts --source x"


def test_a_unit_is_removed_once_it_was_there_and_is_told_once(store: Store) -> None:
    assert ledger.find_removed(store, "tales", plan("A", "B")) == ()
    ledger.remember_units(store, "tales", plan("A", "B"))
    assert ledger.find_removed(store, "other", plan("B")) == ()
    left_out = Discovery(listing=(), left_out={"A": "already present"})
    assert ledger.find_removed(store, "tales", replace(plan("B"), found=left_out)) == ()
    assert ledger.find_removed(store, "tales", plan("B", taken_down={"A": "asked for"})) == ()
    for _ in range(2):  # until a run has come to its end
        assert ledger.find_removed(store, "tales", plan("B", "C")) == ("A",)
    ledger.remember_units(store, "tales", plan("B", "C"))
    assert ledger.find_removed(store, "tales", plan("B", "C")) == ()


def describe(**parts: Any) -> list[str]:
    call = ledger.RunCall(**({"source": ("a",), "store": "b", "dataset": "c"} | parts))
    return shlex.split(call.describe("transcripts"))


def test_the_command_names_everything_that_was_asked_and_nothing_else() -> None:
    assert describe() == [
        "fabula", "run", "transcripts", "--source", "a", "--store", "b", "--profile", "default", "--dataset", "c",
    ]  # fmt: skip
    words = describe(
        source=("my folder", "s3://b"),
        profile="crd3",
        config_file="my settings.toml",
        settings={"filter": {"min_turns": 3}},
        resources={"wordnet": "/a b", "word_list": "c"},
        workers=2,
        scheduler="tcp://a:1",
        limit=3,
        allow_empty=True,
        allow_removal=True,
        in_process=True,
    )
    assert words[:7] == ["fabula", "run", "transcripts", "--source", "my folder", "--source", "s3://b"]
    options = dict(zip(words[5:-3:2], words[6:-3:2], strict=True))
    assert options == {
        "--source": "s3://b", "--store": "b", "--profile": "crd3", "--config": "my settings.toml", "--dataset": "c",
        "--set": "filter.min_turns=3", "--workers": "2", "--scheduler": "tcp://a:1", "--limit": "3", "--wordnet": "/a b",
        "--word-list": "c",
    }  # fmt: skip
    assert words[-3:] == ["--allow-empty", "--allow-removal", "--in-process"]


def test_the_command_of_a_run_runs_it_again(tmp_path: Path) -> None:
    """The command is split as a shell does it, and goes through the real `fabula`: the second run makes the same call."""
    write_episode(tmp_path / "my source", "S01E01")
    store = Store(str(tmp_path / "store"))
    call = ledger.RunCall(
        source=(str(tmp_path / "my source"),),
        store=store.url,
        dataset="tales",
        settings={
            "filter": {"min_turns": 3, "excluded": ["Q: 'x' \"y\"", "Grüße 🦊"]},
            "cleaning": {"aliases": {"DR. BEN = B.": ["BEN"], "Ö": []}},
            "alignment": {"chunk_sizes": [2]},
        },
        resources={"wordnet": str(tmp_path)},
        limit=1,
        in_process=True,
    )
    command = call.describe("transcripts")
    for _ in range(2):
        ended = CliRunner().invoke(app, shlex.split(command)[1:], catch_exceptions=False)
        assert ended.exit_code == 0, ended.output
    first, second = (store.read_json(key) for key in sorted(store.list_keys("runs")))
    assert first["resume"] == second["resume"] == command
    assert second["units"] == first["units"] | {"computed": 0, "reused": 1}
    assert len(store.list_folders("datasets/tales")) == 1


def announce(source: Path, store: Store, dataset: str = "letters") -> list[ledger.Arrival]:
    catalog = read_catalog(store, dataset)
    planned = in_process.plan(LETTERS, source, store, catalog=catalog)
    arrivals = ledger.find_arrivals(store, dataset, planned, catalog)
    ledger.remember_announced(store, dataset, planned)
    return arrivals


def test_a_unit_is_announced_once_in_each_state_of_each_dataset(source: Path, store: Store) -> None:
    write_text(source, "a")
    assert announce(source, store) == [ledger.Arrival("a", False, ("a.txt",))]
    assert announce(source, store) == []
    assert announce(source, store, "others") == [ledger.Arrival("a", False, ("a.txt",))]
    write_text(source, "b")
    assert announce(source, store) == [ledger.Arrival("b", False, ("b.txt",))]
    run(LETTERS, source, store)
    assert announce(source, store) == []
    write_text(source, "a", "Another text altogether.")
    assert announce(source, store) == [ledger.Arrival("a", True, ("a.txt",))]


def test_a_mistyped_source_stops_the_run_and_changes_nothing(source: Path, store: Store, tmp_path: Path) -> None:
    write_texts(source, ("one", "two", "three", "four", "five", "six"))
    (source / "odd.txt").write_bytes(b"\xff\xfe\xff")
    first = run(LETTERS, source, store, allow_removal=False)
    before = {key: store.read(key) for key in store.list_keys("")}
    (source / "odd.txt").unlink()  # a unit that never landed may go, however many
    with pytest.raises(ConfigError, match=r"lack 6 of the 6 units that letters had in the last run .*: five, .* --allow-removal"):
        run(LETTERS, write_texts(tmp_path / "other", ["seven"]), store, allow_removal=False)
    assert {key: store.read(key) for key in store.list_keys("")} == before
    (source / "six.txt").unlink()
    assert run(LETTERS, source, store, allow_removal=False).removed == ("odd", "six")  # one unit, and a fifth, may go
    for name in ("five", "four"):
        (source / f"{name}.txt").unlink()
    with pytest.raises(ConfigError, match="lack 2 of the 5 units"):
        run(LETTERS, source, store, allow_removal=False)
    told = run(LETTERS, source, store, allow_removal=True)
    assert told.removed == ("five", "four")
    assert told.release != first.release


@pytest.mark.parametrize("back", [timedelta(hours=1), timedelta(days=40)])
def test_runs_are_in_order_though_the_clock_was_set_back(back: timedelta, store: Store) -> None:
    first = datetime(2026, 11, 27, 5, 43, 33, 282342, UTC)
    store.write_json(f"runs/{ledger.name_moment(first)}.json", {})
    store.write_json("runs/notes.json", {})
    second = ledger.follow_runs(store, first - back)
    assert ledger.name_moment(second) == "20261127T054333-282343"
    later = first + timedelta(seconds=1)
    assert ledger.follow_runs(store, later) == later


def test_a_run_whose_clock_was_years_ahead_is_not_followed(store: Store) -> None:
    store.write_json("runs/20990101T000000-000000.json", {})
    now = datetime(2026, 11, 27, tzinfo=UTC)
    assert ledger.follow_runs(store, now) == now
