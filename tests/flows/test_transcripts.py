"""The whole flow: a release that `datasets` loads, reruns that compute only what changed, and test sets that stay."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from infra.store.objects import Store
from infra.store.releases import read_manifest
from tests.flows.calling import Ended, Fabula
from tests.flows.stories import write_episode, write_recap, write_transcript


@pytest.fixture(scope="module")
def source(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The examples, and made-up episodes enough for three splits."""
    source = tmp_path_factory.mktemp("source") / "examples"
    shutil.copytree(repository / "examples" / "transcripts", source)
    for number in range(1, 9):
        write_episode(source, f"S02E{number:02d}")
    return source


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("store")


@pytest.fixture(scope="module")
def run(fabula: Fabula, source: Path, store: Path) -> Callable[[], dict[str, Any]]:
    """Run the pipeline once more and return what `--json` prints."""

    def call() -> dict[str, Any]:
        ended = fabula("run", "transcripts", "--source", source, "--store", store, "--in-process", "--json")
        assert ended.status == 0, ended.err
        return ended.json

    return call


@pytest.fixture(scope="module")
def first(run: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    return run()


def splits(store: Path) -> dict[str, str]:
    return dict(read_manifest(Store(str(store)), "transcripts").splits)


def test_the_object_on_standard_output_has_the_documented_keys(first: dict[str, Any]) -> None:
    counts = ["units", "rows", "rejects", "waiting", "quarantined", "stale", "notices", "empty"]
    assert list(first) == ["run_id", "pipeline", "dataset", "profile", *counts, "release", "latest", "seconds"]
    assert first["pipeline"] == "transcripts"
    assert first["units"] == {"discovered": 13, "computed": 12, "reused": 0, "waiting": 1, "quarantined": 0, "removed": 0}
    assert first["seconds"] > 0


def test_reruns_compute_only_what_changed_and_nothing_leaves_the_test_set(
    first: dict[str, Any], run: Callable[[], dict[str, Any]], source: Path, store: Path
) -> None:
    same = run()
    assert same["units"] == first["units"] | {"computed": 0, "reused": 12}
    assert same["release"] == first["release"]
    assert len([entry for entry in (store / "datasets" / "transcripts").iterdir() if entry.is_dir()]) == 1

    placed = splits(store)
    write_episode(source, "S02E03", word="candle")
    write_episode(source, "S01E00")  # sorts before every other
    grown = run()
    assert grown["units"] == first["units"] | {"discovered": 14, "computed": 2, "reused": 11}
    assert grown["release"] != first["release"]
    after = splits(store)
    assert {unit: after[unit] for unit in placed} == placed
    assert set(after) == {*placed, "S01E00"}
    pointer = Store(str(store)).read_json("datasets/transcripts/latest.json")
    assert pointer["path"] == f"datasets/transcripts/{pointer['version']}"
    assert first["release"].endswith(pointer["parent"])
    assert Path(first["release"], "manifest.json").is_file()


UNITS = ("S01E01", "S01E02", "S01E03", "S01E04")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Transcripts in one place; recaps in another, which is the folder `recaps` itself."""
    for unit in UNITS:
        write_transcript(tmp_path / "spoken", f"{unit}.txt")
    for unit in UNITS[:3]:
        write_recap(tmp_path, f"{unit}.md")
    return tmp_path


def list_episodes(ended: Ended) -> set[str]:
    """Return the episodes whose dialogues the run's release has."""
    files = Path(ended.json["release"], "data", "dialogues").glob("*.parquet")
    return {episode for file in files for episode in pq.read_table(file, columns=["episode"])["episode"].to_pylist()}


def test_halves_from_two_sources_meet_and_a_removed_unit_is_told(folder: Path, fabula: Fabula) -> None:
    store = folder / "store"

    def run() -> Ended:
        sources = ("--source", folder / "spoken", "--source", folder / "recaps")
        return fabula("run", "transcripts", *sources, "--store", store, "--in-process", "--json")

    def counts(ended: Ended) -> dict[str, Any]:
        assert ended.status == 0, ended.err
        return ended.json["units"]

    first = run()
    assert counts(first) == {"discovered": 4, "computed": 3, "reused": 0, "waiting": 1, "quarantined": 0, "removed": 0}
    assert "S01E04: no recap yet" in first.err
    record = Store(str(store)).read_json(f"runs/{first.json['run_id']}.json")
    assert f"--source {folder}/spoken --source {folder}/recaps" in record["resume"]

    write_recap(folder, "S01E04.md")
    (folder / "recaps" / "S01E01.md").unlink()
    (folder / "spoken" / "transcripts" / "S01E01.txt").unlink()
    second = run()
    assert counts(second) == {"discovered": 3, "computed": 1, "reused": 2, "waiting": 0, "quarantined": 0, "removed": 1}
    assert "S01E01: no source has it any more" in second.err
    record = Store(str(store)).read_json(f"runs/{second.json['run_id']}.json")
    assert record["removed"] == ["S01E01"]
    assert list_episodes(first) == {"S01E01", "S01E02", "S01E03"}  # what was released stays
    assert list_episodes(second) == {"S01E02", "S01E03", "S01E04"}
