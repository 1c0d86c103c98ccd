"""Recaps that do not follow their dialogue: answers about meetings in no order, and sections that changed places."""

import json
from pathlib import Path
from typing import Any

import pytest

from infra.store.objects import Store
from tasks.pipelines import TRANSCRIPTS
from tasks.transcripts.evaluation import evaluate_transcripts, fit_stored
from tasks.transcripts.ingestion import INGESTION
from tests.meetings import make_meetings
from tests.tasks import in_process

UNITS = [f"meeting-{number:03}" for number in range(6)]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Return an empty store."""
    return Store(str(tmp_path / "store"))


def read_statistics(store: Store) -> dict[str, Any]:
    """Return the statistics of the latest release."""
    figures: dict[str, Any] = json.loads(store.read(f"{in_process.release_folder(store, 'transcripts')}/stats.json"))
    return figures


def test_answers_about_meetings_are_found_in_any_order_and_their_gold_fits_a_curve(store: Store, tmp_path: Path) -> None:
    source = tmp_path / "meetings.jsonl"
    source.write_text("".join(json.dumps(record) + "\n" for record in make_meetings(20, seed=5)))
    summary = in_process.run(TRANSCRIPTS, source, store)
    assert not summary.quarantined
    figures = evaluate_transcripts(store, str(source), INGESTION.config().filter).figures["store"]
    assert figures["coverage"] == 1
    assert figures["all"]["pooled"]["f1"]["value"] > 0.5  # by the order of the file it is half of that
    assert figures["all"]["macro"]["f1"]["value"] > 0.6
    assert read_statistics(store)["confidence_curve"] == "default"
    found = fit_stored(store, str(source))
    fitted = found.curves["alignment.windows.curve"]
    assert found.given["gold"] == fitted.rows
    assert fitted.after.calibration_error < 0.06 < fitted.before.calibration_error
    in_process.run(TRANSCRIPTS, source, store, alignment={"windows": {"curve": list(fitted.curve)}})
    kept = evaluate_transcripts(store, str(source), INGESTION.config().filter).figures["store"]
    assert kept["kept_share"] > 0.5
    assert kept["reliability"]["calibration_error"] < 0.06
    assert read_statistics(store)["confidence_curve"] == "own"


def write_episode(folder: Path, sections: list[int]) -> None:
    """Write an episode whose recap has a heading and a paragraph for each of some scenes, in that order."""
    scenes = [
        [f"Ship{scene}x{number} met whale{scene}x{number} off isle{scene}x{number}." for number in range(4)] for scene in range(8)
    ]
    said = [f"ANNA: {line}\nBERT: Well, yes.\nANNA: {line}\nCARL: Let us go on then." for scene in scenes for line in scene]
    told = [f"## Chapter {number}\n\n{' '.join(scenes[place])}" for number, place in enumerate(sections, 1)]
    for name, text in (("transcripts/S01E01.txt", "\n".join(said)), ("recaps/S01E01.md", "\n\n".join(["# Synopsis", *told]))):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text + "\n")


@pytest.mark.parametrize(("sections", "told"), [([0, 1, 2, 3, 4, 5, 6, 7], 0), ([4, 5, 2, 3, 6, 7, 0, 1], 1)])
def test_sections_that_changed_places_are_told(sections: list[int], told: int, store: Store, tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    write_episode(tmp_path / "source", sections)
    in_process.run(TRANSCRIPTS, tmp_path / "source", store, filter={"min_confidence": 0.0})
    (reference,) = in_process.read_references(store, "transcripts").values()
    assert [notice.what for notice in reference.notices] == ["recap that does not follow the order of its dialogue"] * told
    rows = in_process.read_rows(store, "transcripts", "pairs")
    starts = [row["turn_start"] // 16 for row in rows if (row["chunk_size"], row["offset"]) == (0, 0)]
    assert starts == sections


def test_a_recap_of_another_unit_gives_no_rows_and_is_told(store: Store, tmp_path: Path) -> None:
    records = make_meetings(6)
    for name in ("specific_query_list", "general_query_list"):
        records[1][name], records[2][name] = records[2][name], records[1][name]
    (tmp_path / "data.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    for foreign, refused in (("reject", {"meeting-001", "meeting-002"}), ("keep", set())):
        settings = {"matching": {"foreign": foreign}, "filter": {"min_confidence": 0.0}}
        in_process.run(TRANSCRIPTS, tmp_path / "data.jsonl", store, **settings)
        rows, rejects, summaries = (
            in_process.read_rows(store, "transcripts", name) for name in ("pairs", "rejects", "summaries")
        )
        assert {row["episode"] for row in rejects if row["reason"] == "foreign-recap"} == refused
        assert {row["episode"] for row in rows} == {row["episode"] for row in summaries} == set(UNITS) - refused
    figures = read_statistics(store)
    assert figures["foreign_recaps"] == {"meeting-001": "meeting-002", "meeting-002": "meeting-001"}
    assert figures["unsure_recaps"] == 0
