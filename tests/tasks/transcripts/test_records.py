"""Datasets of records become releases; recaps that do not follow their dialogue."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import ConfigError
from flows.cli.look import describe_view
from infra.store.objects import Store
from tasks.pipelines import TRANSCRIPTS
from tasks.store.look_at import look_at
from tasks.transcripts.evaluation import evaluate_transcripts, fit_stored
from tasks.transcripts.ingestion import INGESTION
from tests.meetings import make_meetings
from tests.record_files import write_lines
from tests.record_forms import FORMS, QMSUM, SAMSUM, UNITS
from tests.tasks import in_process


def release(record: dict[str, Any], store: Store, folder: Path, **settings: Any) -> list[dict[str, Any]]:
    """Run on a file with one record, and return the pairs."""
    in_process.run(TRANSCRIPTS, write_lines(folder / "data.jsonl", record), store, **settings)
    return in_process.read_rows(store, "transcripts", "pairs")


@pytest.mark.parametrize("form", [form for form in FORMS if form not in ("QMSum", "MultiWOZ")])
def test_a_summary_of_the_whole_is_a_row_with_all_turns_and_no_confidence(form: str, store: Store, tmp_path: Path) -> None:
    rows = release(FORMS[form], store, tmp_path)
    assert rows
    for row in rows:
        assert row["episode"] == UNITS[form]
        assert row["confidence"] is None
        assert (row["turn_start"], row["turn_end"]) == (0, len(row["turns"]) - 1)
    assert [turn["text"] for turn in rows[0]["turns"]]
    assert len({row["id"] for row in rows}) == len(rows)
    assert any(row["train_on"] for row in rows)


def test_a_dialogue_without_a_summary_waits_and_episodes_of_two_shows_with_one_code_are_two_units(
    store: Store, tmp_path: Path
) -> None:
    other = FORMS["SummScreen"] | {"filename": "Salt_Market.01x04", "Recap": ["A market."]}
    data = write_lines(tmp_path / "data.jsonl", FORMS["MultiWOZ"], FORMS["SummScreen"], other)
    summary = in_process.run(TRANSCRIPTS, data, store)
    assert summary.waiting == ((UNITS["MultiWOZ"], "recap"),)
    assert summary.computed == ("Harbour_Lane.01x04", "Salt_Market.01x04")
    assert not summary.quarantined


def test_a_meeting_has_aligned_parts_and_its_summary_and_spans_of_people_are_gold(store: Store, tmp_path: Path) -> None:
    rows = release(QMSUM, store, tmp_path, filter={"min_confidence": 0.0})
    whole = [row for row in rows if row["confidence"] is None]
    assert [row["summary"].split(".")[0] for row in whole] == ["The team chose a red kettle and dropped the whistle"]
    assert {row["turn_start"] for row in whole} == {0}
    parts = {row["summary"].split()[0]: row for row in rows if row["confidence"] is not None}
    assert parts["The"]["turn_start"] < parts["Marketing"]["turn_start"]
    assert parts["The"]["turn_end"] <= 4 <= parts["Marketing"]["turn_end"]
    found = evaluate_transcripts(store, str(tmp_path / "data.jsonl"), INGESTION.config().filter)
    assert found.figures["store"]["coverage"] == 1.0
    with pytest.raises(ConfigError, match=r"no EPISODE\.json"):
        evaluate_transcripts(store, str(write_lines(tmp_path / "none.jsonl", SAMSUM)), INGESTION.config().filter)


def test_a_long_dialogue_is_aligned_and_a_meetings_summary_of_the_whole_is_not_however_long_it_is(
    store: Store, tmp_path: Path
) -> None:
    settings = {"alignment": {"whole_turns": 3}, "filter": {"min_confidence": 0.0}}
    (row,) = release(SAMSUM, store, tmp_path, **settings)
    assert row["confidence"] is not None
    card = store.read(f"{in_process.release_folder(store, 'transcripts')}/README.md").decode()
    assert "| `dialogues` | yes |" in card
    assert "pairs-break" not in card.split("## Columns")[0], "it names no config that cannot be loaded"
    rows = release(QMSUM, store, tmp_path, **settings)
    (whole,) = [row for row in rows if row["confidence"] is None]
    assert (whole["turn_start"], whole["turn_end"]) == (0, 6)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_told_at_first_sight(form: str, tmp_path: Path) -> None:
    write_lines(tmp_path / "data.jsonl", FORMS[form])
    view = look_at([str(tmp_path)])
    (found,) = [each for each in view.findings if each.pipeline == "transcripts"]
    assert [*found.units, *(waiting.id for waiting in found.waiting)] == [UNITS[form]]
    if found.units:
        assert view.advised == found
        assert not list(view.list_unread())


def test_json_of_an_unknown_form_is_told_before_its_recap_comes(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "transcripts"
    folder.mkdir()
    (folder / "S01E01.json").write_text('{"speech": []}')
    (folder / "S01E02.json").write_text('{"lines": [{"name": "ANNA", "text": "Hello."}]}')
    summary = in_process.run(TRANSCRIPTS, tmp_path, store)
    assert summary.waiting == (("S01E02", "recap"),)
    (failure,) = summary.quarantined
    assert "JSON without turns" in failure.reason


def test_stage_directions_are_told_where_they_stay(store: Store, tmp_path: Path) -> None:
    def notice(**settings: Any) -> list[str]:
        release(FORMS["SummScreen"], store, tmp_path, **settings)
        references = in_process.read_references(store, "transcripts")
        return [found.describe() for found in references[UNITS["SummScreen"]].notices if "direction" in found.what]

    assert [line.split(";")[0] for line in notice()] == ["2 stage direction(s) in brackets"]
    assert notice(cleaning={"stage_directions": "remove"}) == []


def test_a_transcript_outside_its_folder_and_what_no_pipeline_reads_are_named_and_a_text_is_not(tmp_path: Path) -> None:
    (tmp_path / "chat.txt").write_text("[4/2/23, 7:01 PM] Mara: Hi.\n[4/2/23, 7:02 PM] Bo: Hi.\n" * 2)
    (tmp_path / "place.txt").write_text("The hall is cold. A door leads north.\n" * 5)
    view = look_at([str(tmp_path)])
    assert view.loose == ["chat.txt"]
    assert any("chat.txt. To align it, put it into a folder `transcripts`" in line for line in describe_view(["here"], view))
    write_lines(tmp_path / "other" / "data.jsonl", {"a": 1})
    (tmp_path / "other" / "film.mkv").write_bytes(b"\0")
    view = look_at([str(tmp_path / "other")])
    assert view.advised is None
    unread = dict(view.list_unread())
    assert "name the fields" in unread["transcripts/data.json"]
    assert unread["film.mkv"]


MEETINGS = {f"meeting-{number:03}" for number in range(6)}


def read_statistics(store: Store) -> dict[str, Any]:
    """Return the statistics of the latest release."""
    figures: dict[str, Any] = json.loads(store.read(f"{in_process.release_folder(store, 'transcripts')}/stats.json"))
    return figures


def test_answers_about_meetings_are_found_in_any_order_and_their_gold_fits_a_curve(store: Store, tmp_path: Path) -> None:
    source = write_lines(tmp_path / "meetings.jsonl", *make_meetings(12, seed=5))
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
    write_lines(tmp_path / "data.jsonl", *records)
    for foreign, refused in (("reject", {"meeting-001", "meeting-002"}), ("keep", set())):
        settings = {"matching": {"foreign": foreign}, "filter": {"min_confidence": 0.0}}
        in_process.run(TRANSCRIPTS, tmp_path / "data.jsonl", store, **settings)
        rows, rejects, summaries = (
            in_process.read_rows(store, "transcripts", name) for name in ("pairs", "rejects", "summaries")
        )
        assert {row["episode"] for row in rejects if row["reason"] == "foreign-recap"} == refused
        assert {row["episode"] for row in rows} == {row["episode"] for row in summaries} == MEETINGS - refused
    figures = read_statistics(store)
    assert figures["foreign_recaps"] == {"meeting-001": "meeting-002", "meeting-002": "meeting-001"}
    assert figures["unsure_recaps"] == 0
