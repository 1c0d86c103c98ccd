"""A release without rows does not take the place of one that has some, unless it is told to."""

from pathlib import Path

import pytest

from flows.frame.flow import conclude_state
from flows.frame.ingestion import InProcessMapper
from flows.frame.observer import Nobody
from flows.frame.run import run_pipeline
from infra.store.objects import Store
from infra.store.releases import find_latest
from infra.store.takedown import add_takedown
from tasks.frame.ledger import RunCall, RunSummary
from tasks.frame.pipeline import Pipeline
from tests.tasks.in_process import name_version
from tests.tasks.toy import LETTERS, NOTES, write_text


def _run(pipeline: Pipeline, folder: Path, allow_empty: bool = False) -> RunSummary:
    call = RunCall(source=(str(folder / "source"),), store=str(folder / "store"), dataset=pipeline.name, allow_empty=allow_empty)
    return run_pipeline(pipeline, call, InProcessMapper(), Nobody())


def _find_version(folder: Path, pipeline: Pipeline) -> str:
    latest = find_latest(Store(str(folder / "store")), pipeline.name)
    assert latest is not None
    return latest.version


@pytest.mark.parametrize("pipeline", [LETTERS, NOTES], ids=lambda pipeline: pipeline.name)
def test_a_good_release_stays_where_nothing_is_left_of_the_rows(tmp_path: Path, pipeline: Pipeline) -> None:
    for unit in ("one", "two"):
        write_text(tmp_path / "source", unit)
    first = _run(pipeline, tmp_path)
    for unit in ("one", "two"):
        write_text(tmp_path / "source", unit, "")
    refused = _run(pipeline, tmp_path)
    assert (refused.release, refused.new_release) == (None, False)
    assert f"would have 0 texts, and the latest ({name_version(first)}) has 4" in refused.explain_empty()
    assert "--allow-empty" in refused.refused
    assert _find_version(tmp_path, pipeline) == name_version(first)
    assert refused.fell_short
    assert refused.as_json()["empty"] == refused.refused
    assert conclude_state(refused).name == "Release refused"
    record = Store(str(tmp_path / "store")).read_json(f"runs/{refused.run_id}.json")
    assert record["empty"] == refused.refused

    told = _run(pipeline, tmp_path, allow_empty=True)
    assert told.new_release
    assert not told.fell_short
    assert _find_version(tmp_path, pipeline) == name_version(told) != name_version(first)
    for unit in ("one", "two"):
        write_text(tmp_path / "source", unit)
    assert _run(pipeline, tmp_path).rows["texts"] == 4
    for unit in ("one", "two"):
        write_text(tmp_path / "source", unit, "")
    assert _run(pipeline, tmp_path).refused  # its files are all there, and the pointer does not move
    assert _find_version(tmp_path, pipeline) == name_version(first)


def test_the_first_release_may_be_empty_and_an_empty_one_may_follow(tmp_path: Path) -> None:
    write_text(tmp_path / "source", "one", "")
    assert _run(LETTERS, tmp_path).new_release
    write_text(tmp_path / "source", "two", "")
    assert _run(LETTERS, tmp_path).new_release


def test_what_is_taken_down_leaves_although_nothing_is_left(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "store"))
    write_text(tmp_path / "source", "one")
    write_text(tmp_path / "source", "two", "")
    first = _run(LETTERS, tmp_path)
    add_takedown(store, "letters", ["one_0000", "one_0001"], "asked", "2026-01-01T00:00:00+00:00")
    second = _run(LETTERS, tmp_path)
    assert second.new_release
    assert _find_version(tmp_path, LETTERS) == name_version(second) != name_version(first)


def test_units_that_are_taken_down_leave_although_nothing_is_left(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "store"))
    write_text(tmp_path / "source", "one")
    first = _run(LETTERS, tmp_path)
    add_takedown(store, "letters", ["one"], "asked", "2026-01-01T00:00:00+00:00")
    write_text(tmp_path / "source", "two", "")
    second = _run(LETTERS, tmp_path)
    assert second.new_release
    assert _find_version(tmp_path, LETTERS) == name_version(second) != name_version(first)


def test_the_command_that_resumes_a_run_tells_that_it_may_be_empty() -> None:
    assert RunCall(source=("x",), store="s", dataset="d", allow_empty=True).describe("letters").endswith("--allow-empty")
