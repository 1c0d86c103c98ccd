"""`fabula paper` as a user calls it, on stores that the command has made."""

from pathlib import Path

import pytest

from infra.store.objects import Store
from infra.store.releases import choose_release
from lab.papers.tables import PAPERS, read_parts
from lab.summarisation.results import encode_summaries, summaries_key
from tests.flows.calling import Fabula


@pytest.fixture(scope="module")
def store(fabula: Fabula, repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("store")
    for pipeline in ("subtitles", "transcripts"):
        source = repository / "examples" / pipeline
        options = ("--source", source, "--config", source / "settings.toml", "--store", store, "--in-process")
        ended = fabula("run", pipeline, *options)
        assert ended.status == 0, ended.err
    return store


def test_a_release_stands_beside_what_was_published(fabula: Fabula, store: Path) -> None:
    found = fabula("paper", "sumtitles", "--store", store, "--in-process", "--json").json
    assert [table["title"].split(":")[0] for table in found["tables"]] == ["SumTitles, table 1", "SumTitles, table 2"]
    assert found["tables"][0]["rows"][0][:2] == ["subtitles: subtitles", "2"]
    limited = fabula("paper", "sumtitles", "--store", store, "--in-process", "--limit", 1).out
    assert "At most 1 pairs of each config." in limited
    assert "6.1 table 3, BertSumExt" in limited
    assert fabula("measure", "subtitles", "--papers", "--store", store).status == 2  # it was one of the two ways


def test_tables_and_figures_are_written_and_what_is_missing_is_told(fabula: Fabula, store: Path, tmp_path: Path) -> None:
    ended = fabula("paper", "crd3", "--store", store, "--in-process", "--to", tmp_path / "out")
    assert ended.status == 0, ended.err
    assert "needs  --corpus DIR with gold/EPISODE.json" in ended.out
    assert "needs  figure 6: `fabula benchmark transcripts" in ended.out
    written = (tmp_path / "out" / "crd3.md").read_text()
    assert "**CRD3, table 3: pairs by chunk size**" in written
    figures = {path.name.rpartition("-")[0] for path in (tmp_path / "out").glob("*.svg")}
    assert figures == {"figure-3-S01E01", "figure-4-S01E01"} or figures == {"figure-3", "figure-4"}
    assert all(path.read_text().startswith("<svg ") for path in (tmp_path / "out").glob("*.svg"))


def test_a_summary_that_the_combined_system_has_written_is_shown(fabula: Fabula, store: Path) -> None:
    opened = Store(str(store))
    row = {
        "id": "S01E01_2_0_0000",
        "unit": "S01E01",
        "reference": "They sail.",
        "summary": "a ship sails",
        "sentences": [],
        "turns": [],
    }
    key = summaries_key("transcripts", choose_release(opened, "transcripts").version, "crd3-combined-0123")
    opened.write(key, encode_summaries([row]))
    try:
        tables = {
            table["title"]: table["rows"]
            for table in fabula("paper", "crd3", "--store", store, "--in-process", "--json").json["tables"]
        }
    finally:
        opened.delete(key)
    assert tables["CRD3, figure 6: a generated summary"] == [["reference", "They sail."], ["generated", "a ship sails"]]


@pytest.mark.parametrize("paper", PAPERS)
def test_without_a_dataset_every_part_is_told_with_what_it_needs(fabula: Fabula, tmp_path: Path, paper: str) -> None:
    (tmp_path / "store").mkdir()
    found = fabula("paper", paper, "--store", tmp_path / "store", "--in-process", "--json").json
    assert any("fabula run" in line for line in found["missing"])
    shown = {part for table in found["tables"] for part in table["parts"]}
    told = {part["name"] for part in found["parts"]}
    assert told | shown == {part.name for part in read_parts(paper)}
    assert {part.name for part in read_parts(paper) if "needs" in part.verdict} <= told


def test_a_dataset_of_another_pipeline_is_refused(fabula: Fabula, store: Path) -> None:
    ended = fabula("paper", "rooms", "--dataset", "subtitles", "--store", store, "--in-process")
    assert ended.status == 2
    assert "has no release of subtitles by rooms" in ended.err
