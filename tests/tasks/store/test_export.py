"""Releases in other forms: JSON Lines, and CRD3's layout, which fabula's own reader of the published data reads."""

import json
from collections import defaultdict
from pathlib import Path

import pytest

from core.errors import ConfigError
from infra.store.objects import Store
from infra.store.releases import read_manifest
from tasks.store.export import export_release, list_forms
from tasks.transcripts.crd3 import list_episodes, read_chunkings, read_split, read_turns
from tests.tasks.conftest import Example


@pytest.fixture(scope="module")
def layout(episodes: Example, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exports") / "crd3"
    export_release(episodes.store, "transcripts", "crd3", Store(str(folder)))
    return folder


def test_every_row_is_a_line_of_json(episodes: Example, tmp_path: Path) -> None:
    done = export_release(episodes.store, "transcripts", "jsonl", Store(str(tmp_path / "lines")))
    paths = sorted((tmp_path / "lines").rglob("*.jsonl"))
    assert done.files == len(paths)
    for table in ("pairs", "dialogues", "rejects"):
        files = [path for path in paths if path.parent.name == table]
        rows = [json.loads(line) for path in files for line in path.read_text("utf-8").split("\n") if line]
        assert sorted(map(json.dumps, rows)) == sorted(map(json.dumps, episodes.rows(table)))


def test_crd3s_reader_finds_the_turns_of_every_episode(episodes: Example, layout: Path) -> None:
    texts = defaultdict(list)
    for row in episodes.rows("dialogues"):
        texts[row["episode"]].append((tuple(row["speakers"]), row["text"]))
    assert set(list_episodes(layout)) == set(texts)
    for episode, expected in texts.items():
        assert [(turn.speakers, turn.text) for turn in read_turns(layout, episode)] == expected


def test_crd3s_reader_finds_every_aligned_chunk_of_a_fixed_size(episodes: Example, layout: Path) -> None:
    expected = {
        (row["episode"], row["chunk_size"], row["offset"], row["summary"], row["turn_start"], row["turn_end"], row["score"])
        for row in episodes.rows("alignments")
        if row["chunk_size"] and row["turn_start"] is not None
    }
    found = {
        (episode, chunking.size, chunking.offset, pair.chunk, pair.start, pair.end, pair.score)
        for episode in list_episodes(layout)
        for chunking in read_chunkings(layout, episode)
        for pair in chunking.pairs
    }
    assert found == expected
    assert any(not row["chunk_size"] for row in episodes.rows("alignments"))


def test_the_lists_of_the_splits_and_the_recap_are_there(episodes: Example, layout: Path) -> None:
    manifest = read_manifest(episodes.store, "transcripts")
    assert manifest is not None
    split = {episode: name for name, names in read_split(layout).items() for episode in names}
    assert split == manifest["splits"]
    recap = json.loads((layout / "cleaned data" / "S01E01.json").read_text("utf-8"))["METADATA"]
    texts = [part["content"] for section in recap["Synopsis"] for part in section["content"]]
    sections = [row for row in episodes.rows("summaries") if row["episode"] == "S01E01" and row["kind"] != "blurb"]
    assert texts == [row["text"] for row in sorted(sections, key=lambda row: row["position"])]


def test_a_wrong_form_release_or_folder_is_refused(episodes: Example, stories: Example, tmp_path: Path) -> None:
    assert list_forms(episodes.store, "transcripts") == ("jsonl", "index", "crd3")
    with pytest.raises(ConfigError, match="has no form 'crd3'; it can be exported as jsonl, index, sumtitles"):
        export_release(stories.store, "scripts", "crd3", Store(str(tmp_path / "a")))
    with pytest.raises(ConfigError, match="no whole release v9 of transcripts"):
        export_release(episodes.store, "transcripts", "jsonl", Store(str(tmp_path / "a")), "v9")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "mine.txt").write_text("mine")
    with pytest.raises(ConfigError, match="is not empty"):
        export_release(episodes.store, "transcripts", "jsonl", Store(str(tmp_path / "a")))
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["mine.txt"]
