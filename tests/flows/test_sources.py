"""Sources that grow and shrink: halves from two places, a half that comes later, a unit that goes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from infra.store.objects import Store
from tests.flows.calling import Ended
from tests.flows.stories import write_recap, write_transcript

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


def test_halves_from_two_sources_meet_and_a_removed_unit_is_told(folder: Path, fabula: Callable[..., Ended]) -> None:
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
