"""What a run, `fabula show` and `fabula evaluate` tell: what landed, what did not and why, and what was left out."""

import io
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from flows.cli.terminal import progress_shown
from flows.frame.observer import current_observer
from tasks.pipelines import THREADS, TRANSCRIPTS
from tests.flows.calling import Ended, Fabula
from tests.flows.stories import write_episode, write_recap, write_transcript

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture(scope="module", params=[TRANSCRIPTS, THREADS], ids=lambda pipeline: pipeline.name)
def example(request: pytest.FixtureRequest, fabula: Fabula, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path, Ended]:
    """A pipeline's name, the store with its example, and its run with --json."""
    name, store = request.param.name, tmp_path_factory.mktemp("store")
    source = EXAMPLES / name
    config = source / "settings.toml"
    ran = fabula("run", name, "--source", source, "--config", config, "--store", store, "--in-process", "--json")
    return name, store, ran


def test_the_json_of_a_run_has_rows_rejects_and_units(example: tuple[str, Path, Ended], fabula: Fabula) -> None:
    name, store, ran = example
    told = ran.json
    assert told["dataset"] == name
    listed = fabula("datasets", name, "--store", store, "--json").json[0]["rows"]
    assert {table: count for table, count in told["rows"].items() if count} == {t: c for t, c in listed.items() if c}
    assert sum(entry["count"] for entry in told["rejects"]) == listed.get("rejects", 0)
    for kind in ("waiting", "quarantined"):
        assert len(told[kind]) == told["units"][kind]
    assert all(failure["reason"] for failure in told["quarantined"])


def test_every_unit_is_listed_shown_or_explained(example: tuple[str, Path, Ended], fabula: Fabula) -> None:
    name, store, ran = example
    listed = fabula("show", "--list", "--store", store)
    assert listed.status == 0, listed.err
    rows = [line.split(maxsplit=2) for line in listed.out.splitlines()[1:-1]]
    states = {row[0]: row[1] for row in rows if len(row) > 1 and row[1] in {"landed", "waiting", "quarantined", "stale"}}
    assert sum(state == "landed" for state in states.values()) > 0
    assert sum(state == "waiting" for state in states.values()) == ran.json["units"]["waiting"]
    landed = next(unit for unit, state in states.items() if state == "landed")
    shown = fabula("show", name, landed, "--store", store)
    assert (shown.status, shown.out.strip() != "") == (0, True), shown.err
    absent = fabula("show", f"{landed}x", "--store", store)
    assert absent.status == 2
    assert "no run has found it" in absent.err
    assert landed in absent.err


def test_a_sample_is_the_same_each_time(example: tuple[str, Path, Ended], fabula: Fabula) -> None:
    _, store, _ = example
    first, again = (fabula("show", "--sample", 3, "--store", store) for _ in range(2))
    assert (first.status, first.err) == (0, "")
    assert first.out == again.out
    assert first.out.strip()
    assert fabula("show", "--rejects", "--store", store).status == 0


def test_no_pairs_are_explained_with_the_setting_that_decides(tmp_path: Path, fabula: Fabula) -> None:
    for unit in ("S01E01", "S01E02", "S01E03"):
        write_transcript(tmp_path / "short", f"{unit}.txt")
        write_recap(tmp_path / "short", f"{unit}.md", sentences=8)  # fewer than 10 chunks of any size
    call = ("run", "transcripts", "--source", tmp_path / "short", "--store", tmp_path / "store", "--in-process")
    ran = fabula(*call, "--set", "filter.min_chunks=10")
    assert "the dataset has 0 pairs: all" in ran.out
    assert re.search(r"left out +\d+ too-few-chunks: filter.min_chunks = 10; with \d half of them pass, with \d all", ran.out)
    assert fabula(*call, "--json").json["rows"]["pairs"] > 0


@pytest.fixture
def mixed(tmp_path: Path, fabula: Fabula) -> Iterator[Path]:
    """A store with a good episode, one that waits for its recap, a bad one, and one that went bad after it had landed."""
    source, store = tmp_path / "source", tmp_path / "store"
    write_episode(source, "S01E01")
    write_episode(source, "S01E02")
    assert fabula("run", "transcripts", "--source", source, "--store", store, "--in-process").status == 0
    write_transcript(source, "S01E03.txt")
    write_recap(source, "S01E04.md")
    (source / "transcripts" / "S01E04.txt").write_bytes(b"\x00\x01\x1b[2J")
    (source / "transcripts" / "S01E02.txt").write_bytes(b"\x00\x01")
    yield tmp_path
    shutil.rmtree(tmp_path)


def test_waiting_quarantined_and_stale_units_are_told_with_why(mixed: Path, fabula: Fabula) -> None:
    source, store = mixed / "source", mixed / "store"
    ran = fabula("run", "transcripts", "--source", source, "--store", store, "--in-process", "--json")
    assert ran.json["waiting"] == [{"unit": "S01E03", "missing": "recap"}]
    assert {failure["unit"] for failure in ran.json["quarantined"]} == {"S01E02", "S01E04"}
    assert ran.json["stale"] == ["S01E02"]
    assert "its last good state stays in the dataset" in ran.err
    listed = fabula("show", "--list", "--store", store).out
    states = {line.split()[0]: line.split()[1] for line in listed.splitlines()[1:5]}
    assert states == {"S01E01": "landed", "S01E02": "stale", "S01E03": "waiting", "S01E04": "quarantined"}
    waiting, failed = (fabula("show", unit, "--store", store) for unit in ("S01E03", "S01E04"))
    assert "it waits: it has no recap yet" in waiting.err
    assert "it is in quarantine: " in failed.err
    assert "\x1b" not in ran.err + ran.out + listed + failed.err


def test_a_step_that_goes_on_is_told_again_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    monkeypatch.setattr("flows.cli.terminal.ERRORS", Console(file=written))
    monkeypatch.setattr("flows.cli.terminal.SILENT_SECONDS", 0.05)
    with progress_shown(lines=True):
        current_observer().start("units", 2)
        current_observer().advance("S01E01")
        deadline = time.monotonic() + 60
        while "goes on" not in written.getvalue() and time.monotonic() < deadline:
            time.sleep(0.01)
    first, again = [line.split("s  ")[1] for line in written.getvalue().splitlines()[:2]]
    assert (first, again) == ("units: 2", "units goes on: 1 of 2")
