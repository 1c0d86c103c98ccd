"""`fabula inspect` says what a source holds; a run that finds nothing says the same."""

import json
from pathlib import Path

import pytest

from tests.flows.calling import Fabula
from tests.record_forms import SAMSUM


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    """Return a folder with a file of records, and one that nobody reads."""
    folder = tmp_path / "my chats"
    folder.mkdir()
    (folder / "data.jsonl").write_text(json.dumps(SAMSUM) + "\n")
    (folder / "cover.png").write_bytes(b"\x89PNG")
    return folder


def test_a_source_is_told_with_the_line_to_run_next(chats: Path, fabula: Fabula) -> None:
    ended = fabula("inspect", chats)
    assert ended.status == 0
    lines = ended.out.splitlines()
    assert lines[0] == f"{chats}: 2 files (1 .png, 1 .jsonl)"
    assert "  transcripts  1 unit: 13700001" in lines
    assert "  not read     cover.png: no unit is made from it" in lines
    assert lines[-1] == f"next: fabula run transcripts --source '{chats}' --store ./my-store"

    told = fabula("inspect", chats, "--json").json
    assert told["advised"] == "transcripts"
    assert [each["units"] for each in told["findings"] if each["pipeline"] == "transcripts"] == [["13700001"]]
    assert [each["path"] for each in told["unread"]] == ["cover.png"]


def test_where_nothing_is_read_the_status_tells(chats: Path, fabula: Fabula, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ended = fabula("inspect", tmp_path / "empty")
    assert ended.status == 1
    assert ended.out.splitlines()[-1].startswith("no pipeline finds a unit here")
    ran = fabula("run", "scripts", "--source", chats, "--store", tmp_path / "store", "--in-process")
    assert ran.status == 1
    assert "scripts finds nothing to do" in ran.err
    assert "next: fabula run transcripts" in ran.err


@pytest.mark.parametrize(
    "source", ["transcripts", "scripts", "subtitles", "threads", "rooms", "threads/posts.jsonl", "rooms/rooms.jsonl"]
)
def test_an_example_and_one_file_of_it_are_told_as_what_they_are(source: str, fabula: Fabula, repository: Path) -> None:
    assert fabula("inspect", repository / "examples" / source, "--json").json["advised"] == source.partition("/")[0]


def test_a_file_that_no_pipeline_reads_is_told_with_the_reason(fabula: Fabula, tmp_path: Path) -> None:
    (tmp_path / "items.json").write_text('{"items": [{"price": 3}]}')
    (tmp_path / "well.txt").write_text("You climb down into an old well.")
    (line,) = [line for line in fabula("inspect", tmp_path).out.splitlines() if "transcripts " in line]
    assert "1 cannot be read: items.json: found items; expected records with a dialogue" in line


@pytest.mark.parametrize("folder", ["", "transcripts"])
def test_the_export_of_a_chat_is_told_as_a_dialogue_where_no_transcript_lies(fabula: Fabula, folder: str, tmp_path: Path) -> None:
    said = [("ann", "Hello."), ("ben", "Who put the lamp out?"), ("ann", "I did.")]
    messages = [{"type": "Default", "content": text, "author": {"name": name}} for name, text in said]
    (tmp_path / folder).mkdir(exist_ok=True)
    (tmp_path / folder / "general.json").write_text(json.dumps({"guild": {"id": "1"}, "messages": messages}))
    lines = fabula("inspect", tmp_path).out.splitlines()
    assert "  transcripts  1 without a recap yet: general" in lines
    assert any(line.startswith("  a dialogue   general.json. To align it") for line in lines) is (folder == "")


def test_a_screenplay_without_a_folder_is_told_as_one_with_what_to_do(fabula: Fabula, tmp_path: Path) -> None:
    (tmp_path / "lamp.fountain").write_text("EXT. PIER - NIGHT\n\nANNA\nWhere is the lamp?\n")
    (tmp_path / "well.xml").write_text('<TEI xmlns="http://www.tei-c.org/ns/1.0"><text/></TEI>')
    (line,) = [line for line in fabula("inspect", tmp_path).out.splitlines() if "a script" in line]
    assert line.startswith("  a script     lamp.fountain, well.xml. To align it, give it a folder with its synopsis: movies/ID/")


def test_what_is_read_of_a_source_that_is_called_like_a_folder_is_not_told_as_unread(fabula: Fabula, tmp_path: Path) -> None:
    folder = tmp_path / "movies" / "lamp"
    folder.mkdir(parents=True)
    (folder / "script.fountain").write_text("EXT. PIER - NIGHT\n\nANNA\nWhere is the lamp?\n")
    (folder / "synopsis.txt").write_text("Anna looks for the lamp.\n")
    told = fabula("inspect", tmp_path / "movies").out
    assert "  scripts      1 unit: lamp" in told
    assert "not read" not in told
