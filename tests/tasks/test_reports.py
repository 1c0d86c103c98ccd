"""Reports: what each pipeline's shows of its example, and the site that serves one."""

import gzip
import json
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from core.errors import ConfigError
from infra.store.objects import Store
from infra.store.releases import read_manifest
from infra.store.takedown import add_takedown
from tasks.frame.ledger import RunSummary
from tasks.pipelines import find_pipeline
from tasks.store.report_site import make_report_site
from tests.tasks.conftest import Example
from tests.tasks.in_process import find_version, name_version, run
from tests.tasks.toy import LETTERS, write_text, write_texts

FIXTURES = {"transcripts": "episodes", "scripts": "stories", "subtitles": "films", "threads": "threads", "rooms": "descriptions"}


class Shown:
    """The report of an example as its page loads it."""

    def __init__(self, example: Example) -> None:
        store, dataset = example.store, example.pipeline.name
        self.manifest = read_manifest(store, dataset)
        folder = f"datasets/{dataset}/{self.manifest.version}/report"
        keys = [key for key in store.list_keys(folder) if key.endswith(".gz")]
        found = {key.removeprefix(f"{folder}/"): json.loads(gzip.decompress(store.read(key))) for key in keys}
        self.indexes = [value for key, value in found.items() if key.startswith("index/")]
        self.chunks = {key: value for key, value in found.items() if key.startswith("rows/")}

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [row for chunk in self.chunks.values() for row in chunk["rows"]]

    @property
    def units(self) -> dict[str, Any]:
        return {name: unit for chunk in self.chunks.values() for name, unit in chunk["units"].items()}


@pytest.mark.parametrize("name", FIXTURES)
def test_a_report_has_the_rows_of_the_tables_and_every_span_lies_in_its_unit(name: str, request: pytest.FixtureRequest) -> None:
    shown = Shown(request.getfixturevalue(FIXTURES[name]))
    reasons = [index["reasons"][place] for index in shown.indexes for place in index["rows"]["reason"]]
    tables: dict[str, int] = {}
    for file in shown.manifest.tables:
        tables[file.table] = tables.get(file.table, 0) + file.rows
    main = {"transcripts": "pairs", "scripts": "scripts", "subtitles": "subtitles", "threads": "dialogues", "rooms": "rooms"}
    kept = sum(count for table, count in tables.items() if table == main[name] or table.startswith("pairs-"))
    assert reasons.count("") == kept
    evaluated = reasons.count("for evaluation only")
    assert len(reasons) - kept - evaluated == tables.get("rejects", 0)
    assert kept > 0
    units = shown.units
    for row in shown.rows:
        turns = units[row["unit"]]["turns"]
        assert all(0 <= start < stop <= len(turns) for start, stop in row["spans"])


def test_scripts_draw_a_cell_for_the_best_scene_of_every_sentence(stories: Example) -> None:
    for unit in Shown(stories).units.values():
        (matrix,) = unit["drawings"]
        cells = {(sentence, scene) for sentence, scene, _ in matrix["cells"]}
        assert len(matrix["path"]) == len(matrix["sentences"])
        assert set(enumerate(matrix["path"])) <= cells
        assert all(0 <= scene < len(matrix["scenes"]) for _, scene in cells)


def test_threads_tell_the_source_of_every_turn_and_rooms_the_points_of_every_sentence(
    threads: Example, descriptions: Example
) -> None:
    pieces = [row["drawings"][0] for row in Shown(threads).rows if row.get("drawings")]
    assert pieces
    for drawing in pieces:
        assert len({turn for turn, *_ in drawing["pieces"]}) == len(drawing["scores"]) + 1
    parts = [row["drawings"][0] for row in Shown(descriptions).rows if row.get("drawings")]
    assert parts
    for drawing in parts:
        assert sum(points for _, _, points, _ in drawing["parts"]) == pytest.approx(drawing["score"])


def test_a_score_matrix_is_computed_on_demand(episodes: Example) -> None:
    explore = make_report_site(episodes.store, "transcripts").answers["api/explore"]
    (drawing,) = explore({"unit": "S01E01"})["drawings"]
    assert len(b64decode(drawing["values"])) == drawing["rows"] * drawing["columns"]
    assert drawing["rows"] == drawing["down"]
    assert all(0 <= start < stop <= drawing["across"] for _, start, stop in drawing["spans"])
    with pytest.raises(ConfigError, match="no landed unit"):
        explore({"unit": "S09E09"})


def test_a_tree_of_comments_names_what_is_used_and_why_others_are_not_and_nothing_of_a_post_that_is_taken_down(
    threads: Example, tmp_path: Path
) -> None:
    store = threads.copy(tmp_path).store
    row = next(row for row in Shown(threads).rows if row.get("drawings"))
    explore = make_report_site(store, "threads").answers["api/explore"]
    (tree,) = explore({"unit": row["unit"]})["drawings"]
    nodes = {node["id"]: node for node in tree["nodes"]}
    sources = {source for _, kind, source, *_ in row["drawings"][0]["pieces"] if kind in ("post", "comment", "thread")}
    assert sources <= set(nodes)
    assert all(nodes[source]["used"] for source in sources)
    assert all(node["parent"] in nodes or node["parent"] == "" for node in nodes.values())
    add_takedown(store, find_pipeline("threads").name, [row["unit"]], "asked for", "2026-01-01T00:00:00+00:00")
    assert explore({"unit": row["unit"]}) == {"drawings": []}


@pytest.fixture
def runs(source: Path, store: Store) -> list[RunSummary]:
    """Two runs: the second finds one more text, and refuses one."""
    write_texts(source, ("alpha", "beta"))
    first = run(LETTERS, source, store)
    write_text(source, "gamma")
    write_text(source, "delta", "a bad one")
    return [first, run(LETTERS, source, store)]


@pytest.mark.usefixtures("runs")
def test_the_page_knows_that_it_is_served_and_nothing_beside_the_release_is_read(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, version = make_report_site(store, "letters"), find_version(store, "letters")
    assert b"data-served" in (site.read(site.home) or b"")
    assert site.read("report/report.js") == store.read(f"datasets/letters/{version}/report/report.js")
    assert site.read("README.md") is not None
    for path in ("../latest.json", "report/../../latest.json", "benchmark.html", "report/absent.js"):
        assert site.read(path) is None, path
    (record,) = site.answers["api/quarantine"]({})["records"]
    assert record["unit"] == "delta"
    assert "bad" in record["reason"]
    assert record["time"]
    assert site.answers["api/pages"]({}) == {"pages": []}
    store.write(f"benchmarks/letters/{version}/benchmark.html", b"<!doctype html>")  # a page that another command wrote
    assert site.answers["api/pages"]({}) == {"pages": [{"path": "../benchmark.html", "title": "Leader board"}]}
    assert site.read("benchmark.html") == b"<!doctype html>"
    with pytest.raises(ConfigError, match="has no dataset 'absent'; it has letters"):
        make_report_site(store, "absent")
    monkeypatch.setattr("tasks.store.report_site.HOME", "report/other.html")
    with pytest.raises(ConfigError, match="Run the pipeline again"):
        make_report_site(store, "letters")


def test_changes_are_those_since_the_release_before(store: Store, runs: list[RunSummary]) -> None:
    found = make_report_site(store, "letters").answers["api/changes"]({})
    assert (found["old"], found["new"]) == tuple(map(name_version, runs))
    assert found["counts"] == [{"change": "added", "why": "new unit", "rows": 2}]
    assert found["more"] == 0
    first = make_report_site(store, "letters", name_version(runs[0])).answers["api/changes"]({})
    assert first["old"] is None
    assert "first release" in first["why"]
