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
