"""The whole flow: reruns that compute only what changed, test sets that stay, and sources that hold a half each."""

import shutil
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from infra.store.objects import Store
from infra.store.releases import read_manifest
from tests.flows.calling import Ended, Fabula
from tests.flows.stories import write_episode, write_recap, write_transcript


def splits(store: Path) -> dict[str, str]:
    return dict(read_manifest(Store(str(store)), "transcripts").splits)


def test_reruns_compute_only_what_changed_and_nothing_leaves_the_test_set(
    fabula: Fabula, repository: Path, tmp_path: Path
) -> None:
    source, store = tmp_path / "examples", tmp_path / "store"
    shutil.copytree(repository / "examples" / "transcripts", source)
    for number in range(1, 9):  # enough for three splits
        write_episode(source, f"S02E{number:02d}")

    def run() -> dict[str, Any]:
        ended = fabula("run", "transcripts", "--source", source, "--store", store, "--in-process", "--json")
        assert ended.status == 0, ended.err
        return ended.json

    first = run()
    counts = ["units", "rows", "rejects", "waiting", "quarantined", "stale", "notices", "empty"]
    assert list(first) == ["run_id", "pipeline", "dataset", "profile", *counts, "release", "latest", "seconds"]
    assert first["pipeline"] == "transcripts"
    assert first["units"] == {"discovered": 13, "computed": 12, "reused": 0, "waiting": 1, "quarantined": 0, "removed": 0}
    assert first["seconds"] > 0

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


def list_episodes(ended: Ended) -> set[str]:
    """Return the episodes whose dialogues the run's release has."""
    files = Path(ended.json["release"], "data", "dialogues").glob("*.parquet")
    return {episode for file in files for episode in pq.read_table(file, columns=["episode"])["episode"].to_pylist()}


def test_halves_from_two_sources_meet_and_a_removed_unit_is_told(tmp_path: Path, fabula: Fabula) -> None:
    spoken, recaps, store = tmp_path / "spoken", tmp_path / "recaps", tmp_path / "store"
    for number in range(1, 5):
        write_transcript(spoken, f"S01E0{number}.txt")
    for number in range(1, 4):
        write_recap(tmp_path, f"S01E0{number}.md")

    def run() -> Ended:
        sources = ("--source", spoken, "--source", recaps)
        return fabula("run", "transcripts", *sources, "--store", store, "--in-process", "--json")

    def counts(ended: Ended) -> dict[str, Any]:
        assert ended.status == 0, ended.err
        return ended.json["units"]

    first = run()
    assert counts(first) == {"discovered": 4, "computed": 3, "reused": 0, "waiting": 1, "quarantined": 0, "removed": 0}
    assert "S01E04: no recap yet" in first.err
    record = Store(str(store)).read_json(f"runs/{first.json['run_id']}.json")
    assert f"--source {spoken} --source {recaps}" in record["resume"]

    write_recap(tmp_path, "S01E04.md")
    (recaps / "S01E01.md").unlink()
    (spoken / "transcripts" / "S01E01.txt").unlink()
    second = run()
    assert counts(second) == {"discovered": 3, "computed": 1, "reused": 2, "waiting": 0, "quarantined": 0, "removed": 1}
    assert "S01E01: no source has it any more" in second.err
    record = Store(str(store)).read_json(f"runs/{second.json['run_id']}.json")
    assert record["removed"] == ["S01E01"]
    assert list_episodes(first) == {"S01E01", "S01E02", "S01E03"}  # what was released stays
    assert list_episodes(second) == {"S01E02", "S01E03", "S01E04"}
