"""What the UI shows of a run, on a real Prefect server."""

from pathlib import Path
from typing import Any

import pytest
from prefect import flow
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterKey
from prefect.client.schemas.objects import Artifact

from core.references import UnitFailure, UnitReference
from flows.frame import artifacts
from flows.frame.artifacts import MAX_ROWS, ProgressArtifact, UiObserver, describe_run, list_rows
from flows.frame.observer import Illustration, Observer
from flows.frame.release import illustrate_run
from infra.store.objects import Store
from tasks.frame.ledger import RunSummary
from tests.tasks.in_process import make_reference, read_references, run
from tests.tasks.toy import LETTERS, write_text

REASON = "S01E02: <b>no</b> speaker | label; add one"
FAILURE = UnitFailure("S01E02", ("transcripts/S01E02.txt",), "dialogue", REASON, "SourceError", True)
RELEASE = "/data/store/datasets/transcripts/1a2b"


def summarise(pipeline: str = "transcripts", reused: int = 1) -> RunSummary:
    units = {"computed": ("S01E01",), "reused": tuple(f"S09E{number:05d}" for number in range(reused))}
    left = {"waiting": (("S01E03", "recap"),), "quarantined": (FAILURE,)}
    released = {"release": RELEASE, "new_release": True, "rows": {"pairs": 120}}
    run = {"run_id": "20261120T120000-000001", "pipeline": pipeline, "discovered": 3 + reused, "seconds": 1.5}
    return RunSummary(**run, **units, **left, **released)


REFERENCES = {
    "S01E01": make_reference("S01E01", counts={"turns": 60}, computed=("dialogue",), seconds={"dialogue": 0.25, "figures": 0.5})
}


def read_artifacts(key: str) -> list[Artifact]:
    with get_client(sync_client=True) as client:
        return client.read_artifacts(artifact_filter=ArtifactFilter(key=ArtifactFilterKey(any_=[key])))


def test_the_summary_says_what_is_in_quarantine_and_why_and_what_waits() -> None:
    text = describe_run(summarise(), Illustration())
    assert "| computed | 1 |" in text
    assert "**S01E02** (dialogue): S01E02: \\<b\\>no\\</b\\> speaker \\| label; add one" in text
    assert "**S01E03** for its recap" in text
    assert RELEASE in text
    assert "| pairs | 120 rows |" in text


def test_a_row_a_unit_with_its_figures_failed_and_waiting_first() -> None:
    assert list_rows(summarise(), REFERENCES) == [
        {"unit": "S01E02", "state": "quarantined", "seconds": "", "turns": "", "reason": REASON},
        {"unit": "S01E03", "state": "waiting", "seconds": "", "turns": "", "reason": "no recap yet"},
        {"unit": "S01E01", "state": "computed", "seconds": "0.75", "turns": "60", "reason": ""},
        {"unit": "S09E00000", "state": "reused", "seconds": "", "turns": "", "reason": ""},
    ]


@pytest.mark.integration
@pytest.mark.usefixtures("prefect_server")
def test_a_huge_run_has_a_short_table_that_says_so() -> None:
    @flow
    def conclude() -> None:
        UiObserver("huge", Observer()).conclude(summarise("huge", reused=20_000), REFERENCES, Illustration)

    conclude()
    (table,) = read_artifacts("huge-units")
    assert table.type == "table"
    assert table.description == f"Units of the run: {MAX_ROWS} of 20003, failed and new ones first"
    assert str(table.data).count('"unit"') == MAX_ROWS
    (text,) = read_artifacts("huge-run")
    assert text.type == "markdown"
    assert len(str(text.data)) < 5_000
    (link,) = read_artifacts("huge-release")
    assert f"file://{RELEASE}" in str(link.data)


@pytest.mark.integration
@pytest.mark.usefixtures("prefect_server")
def test_progress_moves_while_units_land_and_costs_a_call_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    shown: list[float] = []
    update = artifacts.update_progress_artifact

    def count(identity: Any, progress: float, **others: Any) -> Any:
        shown.append(progress)
        return update(identity, progress, **others)

    monkeypatch.setattr(artifacts, "update_progress_artifact", count)

    @flow
    def run() -> None:
        nonlocal now
        progress = ProgressArtifact("moving", 20_000, clock=lambda: now)
        for _ in range(20_000):
            now += 0.0002  # 4 seconds in all
            progress.advance()

    run()
    assert 3 <= len(shown) <= 5
    assert shown == sorted(shown)
    (bar,) = read_artifacts("moving-progress")
    assert (bar.type, bar.data, bar.description) == ("progress", 100.0, "20000 of 20000 units")


@pytest.mark.integration
@pytest.mark.usefixtures("prefect_server")
def test_a_server_that_refuses_an_artifact_fails_no_run(caplog: pytest.LogCaptureFixture) -> None:
    @flow
    def conclude() -> str:
        progress = ProgressArtifact("No Such Key!", 1)  # Prefect takes lower case, digits and dashes
        progress.advance()
        UiObserver("No Such Key!", Observer()).conclude(summarise("No Such Key!"), REFERENCES, Illustration)
        return "done"

    assert conclude() == "done"
    assert "did not take an artifact" in caplog.text


def test_what_changed_against_the_release_before_is_told_with_its_cause(tmp_path: Path) -> None:
    store, source = Store(str(tmp_path / "store")), tmp_path / "source"
    write_text(source, "a", "One line.", "Another line.")
    first = run(LETTERS, source, store)
    write_text(source, "a", "One line.", "A changed line.")
    second = run(LETTERS, source, store)
    landed: dict[str, UnitReference] = read_references(store, "letters")
    shown = illustrate_run(store, LETTERS, second, landed)
    assert list(shown.changes) == ["2 rows of texts before, 2 now", "rows changed because of input: 1"]
    assert "line" not in describe_run(second, shown), "Prefect keeps the text of a row, where no takedown reaches it"
    assert not illustrate_run(store, LETTERS, first, landed).changes
