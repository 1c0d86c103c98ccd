"""Datasets of records become releases: summaries of the whole are rows without an alignment, others are aligned."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import ConfigError
from flows.cli.look import describe_view
from infra.store.objects import Store
from tasks.pipelines import TRANSCRIPTS
from tasks.store.look_at import look_at
from tasks.transcripts.evaluation import evaluate_transcripts
from tasks.transcripts.ingestion import INGESTION
from tests.record_forms import FORMS, QMSUM, SAMSUM, UNITS
from tests.tasks import in_process


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Return an empty store."""
    return Store(str(tmp_path / "store"))


def release(record: dict[str, Any], store: Store, folder: Path, **settings: Any) -> list[dict[str, Any]]:
    """Run on a file with one record, and return the pairs."""
    (folder / "data.jsonl").write_text(json.dumps(record) + "\n")
    in_process.run(TRANSCRIPTS, folder / "data.jsonl", store, **settings)
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


def test_a_dialogue_without_a_summary_waits(store: Store, tmp_path: Path) -> None:
    (tmp_path / "data.jsonl").write_text(json.dumps(FORMS["MultiWOZ"]) + "\n")
    summary = in_process.run(TRANSCRIPTS, tmp_path / "data.jsonl", store)
    assert summary.waiting == ((UNITS["MultiWOZ"], "recap"),)


def test_a_meeting_has_aligned_parts_and_its_summary(store: Store, tmp_path: Path) -> None:
    rows = release(QMSUM, store, tmp_path, filter={"min_confidence": 0.0})
    whole = [row for row in rows if row["confidence"] is None]
    assert [row["summary"].split(".")[0] for row in whole] == ["The team chose a red kettle and dropped the whistle"]
    assert {row["turn_start"] for row in whole} == {0}
    parts = {row["summary"].split()[0]: row for row in rows if row["confidence"] is not None}
    assert parts["The"]["turn_start"] < parts["Marketing"]["turn_start"]
    assert parts["The"]["turn_end"] <= 4 <= parts["Marketing"]["turn_end"]


def test_a_long_dialogue_is_aligned_all_the_same(store: Store, tmp_path: Path) -> None:
    (row,) = release(SAMSUM, store, tmp_path, alignment={"whole_turns": 3}, filter={"min_confidence": 0.0})
    assert row["confidence"] is not None


def test_a_meetings_summary_of_the_whole_is_not_aligned_however_long_it_is(store: Store, tmp_path: Path) -> None:
    rows = release(QMSUM, store, tmp_path, alignment={"whole_turns": 3}, filter={"min_confidence": 0.0})
    (whole,) = [row for row in rows if row["confidence"] is None]
    assert (whole["turn_start"], whole["turn_end"]) == (0, 6)


def test_spans_of_people_are_gold_for_an_evaluation(store: Store, tmp_path: Path) -> None:
    release(QMSUM, store, tmp_path, filter={"min_confidence": 0.0})
    source = str(tmp_path / "data.jsonl")
    found = evaluate_transcripts(store, source, INGESTION.config().filter)
    assert found.figures["store"]["coverage"] == 1.0
    (tmp_path / "none.jsonl").write_text(json.dumps(SAMSUM) + "\n")
    with pytest.raises(ConfigError, match=r"no EPISODE\.json"):
        evaluate_transcripts(store, str(tmp_path / "none.jsonl"), INGESTION.config().filter)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_told_at_first_sight(form: str, tmp_path: Path) -> None:
    (tmp_path / "data.jsonl").write_text(json.dumps(FORMS[form]) + "\n")
    view = look_at([str(tmp_path)])
    (found,) = [each for each in view.findings if each.pipeline == "transcripts"]
    assert [*found.units, *(waiting.id for waiting in found.waiting)] == [UNITS[form]]
    if found.units:
        assert view.advised == found
        assert not list(view.list_unread())


def test_what_no_pipeline_reads_is_named(tmp_path: Path) -> None:
    (tmp_path / "data.jsonl").write_text('{"a": 1}\n')
    (tmp_path / "film.mkv").write_bytes(b"\0")
    view = look_at([str(tmp_path)])
    assert view.advised is None
    unread = dict(view.list_unread())
    assert "name the fields" in unread["transcripts/data.json"]
    assert unread["film.mkv"]


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


def test_a_card_names_no_config_that_cannot_be_loaded(store: Store, tmp_path: Path) -> None:
    release(SAMSUM, store, tmp_path)
    card = store.read(f"{in_process.release_folder(store, 'transcripts')}/README.md").decode()
    assert "| `dialogues` | yes |" in card
    assert "pairs-break" not in card.split("## Columns")[0]


def test_episodes_of_two_shows_with_one_code_are_two_units(store: Store, tmp_path: Path) -> None:
    records = [FORMS["SummScreen"], FORMS["SummScreen"] | {"filename": "Salt_Market.01x04", "Recap": ["A market."]}]
    (tmp_path / "data.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    summary = in_process.run(TRANSCRIPTS, tmp_path / "data.jsonl", store)
    assert summary.computed == ("Harbour_Lane.01x04", "Salt_Market.01x04")
    assert not summary.quarantined


def test_a_transcript_outside_its_folder_is_named_and_a_text_is_not(tmp_path: Path) -> None:
    (tmp_path / "chat.txt").write_text("[4/2/23, 7:01 PM] Mara: Hi.\n[4/2/23, 7:02 PM] Bo: Hi.\n" * 2)
    (tmp_path / "place.txt").write_text("The hall is cold. A door leads north.\n" * 5)
    view = look_at([str(tmp_path)])
    assert view.loose == ["chat.txt"]
    assert any("chat.txt. To align it, put it into a folder `transcripts`" in line for line in describe_view(["here"], view))
