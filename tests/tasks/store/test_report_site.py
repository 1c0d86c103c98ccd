"""The site of a report: files of the release, and answers about the store."""

from pathlib import Path

import pytest

from core.errors import ConfigError
from infra.store.objects import Store
from tasks.frame.ledger import RunSummary
from tasks.store.report_site import make_report_site
from tests.tasks.in_process import find_version, name_version, run
from tests.tasks.toy import LETTERS, write_text, write_texts


@pytest.fixture
def runs(source: Path, store: Store) -> list[RunSummary]:
    """Two runs: the second finds one more text, and refuses one."""
    write_texts(source, ("alpha", "beta"))
    first = run(LETTERS, source, store)
    write_text(source, "gamma")
    write_text(source, "delta", "a bad one")
    return [first, run(LETTERS, source, store)]


@pytest.mark.usefixtures("runs")
def test_the_page_knows_that_it_is_served_and_nothing_beside_the_release_is_read(store: Store) -> None:
    site = make_report_site(store, "letters")
    page = site.read(site.home)
    assert page is not None
    assert b"data-served" in page
    assert site.read("report/report.js") == store.read(
        "/".join(["datasets/letters", find_version(store, "letters"), "report/report.js"])
    )
    assert site.read("README.md") is not None
    for path in ("../latest.json", "report/../../latest.json", "benchmark.html", "report/absent.js"):
        assert site.read(path) is None, path


@pytest.mark.usefixtures("runs")
def test_quarantine_is_told_with_its_reasons(store: Store) -> None:
    (record,) = make_report_site(store, "letters").answers["api/quarantine"]({})["records"]
    assert record["unit"] == "delta"
    assert "bad" in record["reason"]
    assert record["time"]


def test_changes_are_those_since_the_release_before(store: Store, runs: list[RunSummary]) -> None:
    found = make_report_site(store, "letters").answers["api/changes"]({})
    assert (found["old"], found["new"]) == tuple(map(name_version, runs))
    assert found["counts"] == [{"change": "added", "why": "new unit", "rows": 2}]
    assert found["more"] == 0
    first = make_report_site(store, "letters", name_version(runs[0])).answers["api/changes"]({})
    assert first["old"] is None
    assert "first release" in first["why"]


@pytest.mark.usefixtures("runs")
def test_a_page_that_another_command_wrote_is_linked(store: Store) -> None:
    site = make_report_site(store, "letters")
    assert site.answers["api/pages"]({}) == {"pages": []}
    store.write(f"benchmarks/letters/{find_version(store, 'letters')}/benchmark.html", b"<!doctype html>")
    assert site.answers["api/pages"]({}) == {"pages": [{"path": "../benchmark.html", "title": "Leader board"}]}
    assert site.read("benchmark.html") == b"<!doctype html>"


def test_a_release_without_a_report_is_told(store: Store, runs: list[RunSummary], monkeypatch: pytest.MonkeyPatch) -> None:
    assert runs
    monkeypatch.setattr("tasks.store.report_site.HOME", "report/other.html")
    with pytest.raises(ConfigError, match="Run the pipeline again"):
        make_report_site(store, "letters")
    with pytest.raises(ConfigError, match="has no dataset 'absent'; it has letters"):
        make_report_site(store, "absent")
