import json
from pathlib import Path

import pytest

from core.errors import ConfigError, SourceError
from core.transcripts.reproduction import PublishedChunking, PublishedPair, PublishedTurn, summarise_reproduction
from tasks.transcripts.crd3 import list_episodes, read_chunkings, read_split, read_turns, reproduce_episode


def entry(chunk: str, start: int, end: int) -> dict[str, object]:
    return {
        "CHUNK": chunk,
        "ALIGNMENT": {"CHUNK ID": 0, "TURN START": start, "TURN END": end, "ALIGNMENT SCORE": 0.5},
        "TURNS": [],
    }


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "cleaned data").mkdir()
    cleaned = {"TURNS": [{"NAMES": ["MATT"], "UTTERANCES": ["The gate", "opens."], "NUMBER": 0}]}
    (tmp_path / "cleaned data" / "C1E001.json").write_text(json.dumps(cleaned), encoding="utf-8")
    for size, offset in ((3, 1), (2, 0)):
        folder = tmp_path / "aligned data" / f"c={size}"
        folder.mkdir(parents=True)
        (folder / f"C1E001_{size}_{offset}.json").write_text(json.dumps([entry("A gate opens.", 0, 1)]), encoding="utf-8")
    (tmp_path / "aligned data" / "c=2" / "C1E0011_2_0.json").write_text("[]", encoding="utf-8")
    for name in ("train_files", "val_files", "test_files"):
        (tmp_path / "aligned data" / name).write_text("C1E001\nC1E002\n" if name == "train_files" else "", encoding="utf-8")
    return tmp_path


def test_reads_the_layout(root: Path) -> None:
    assert list_episodes(root) == ["C1E001", "C1E0011"]
    assert read_split(root) == {"train": ("C1E001", "C1E002"), "validation": (), "test": ()}
    assert read_turns(root, "C1E001") == [PublishedTurn(("MATT",), "The gate opens.")]
    pairs = (PublishedPair("A gate opens.", 0, 1, 0.5),)
    assert read_chunkings(root, "C1E001") == [PublishedChunking(2, 0, pairs), PublishedChunking(3, 1, pairs)]
    assert read_chunkings(root, "C1E0011") == []


def test_another_layout_is_a_config_error_that_shows_the_right_one(root: Path) -> None:
    with pytest.raises(ConfigError, match=r"no folder 'cleaned data': expected .*'aligned data/c=2/C1E001_2_0.json'"):
        list_episodes(root / "cleaned data")
    (root / "aligned data" / "val_files").unlink()
    with pytest.raises(ConfigError, match="val_files"):
        read_split(root)
    for path in (root / "aligned data").glob("c=*/*"):
        path.unlink()
    with pytest.raises(ConfigError, match="no alignments"):
        list_episodes(root)


@pytest.mark.parametrize("content", ["{", "[]", '{"TURNS": [{}]}', '{"TURNS": 3}', "[" * 100_000])
def test_a_bad_cleaned_file_is_named(root: Path, content: str) -> None:
    (root / "cleaned data" / "C1E001.json").write_text(content, encoding="utf-8")
    with pytest.raises(SourceError, match=r"C1E001\.json"):
        read_turns(root, "C1E001")


def test_a_missing_cleaned_file_is_named(root: Path) -> None:
    with pytest.raises(SourceError, match=r"C1E0011\.json is missing"):
        read_turns(root, "C1E0011")


@pytest.mark.parametrize("content", ["{", '[{"CHUNK": "a"}]', '{"CHUNK": "a"}', '[{"CHUNK": 1, "ALIGNMENT": {}}]'])
def test_a_bad_alignment_is_named(root: Path, content: str) -> None:
    (root / "aligned data" / "c=2" / "C1E001_2_0.json").write_text(content, encoding="utf-8")
    with pytest.raises(SourceError, match=r"C1E001_2_0\.json"):
        read_chunkings(root, "C1E001")


def test_a_chunk_that_is_no_text_is_named(root: Path) -> None:
    content = json.dumps([entry("A gate opens.", 0, 1) | {"CHUNK": ["A gate opens."]}])
    (root / "aligned data" / "c=2" / "C1E001_2_0.json").write_text(content, encoding="utf-8")
    with pytest.raises(SourceError, match=r"C1E001_2_0\.json: not a CRD3 alignment .*CHUNK is no string"):
        read_chunkings(root, "C1E001")


def test_the_published_alignments_come_out_again(corpora: Path, wordnet: Path) -> None:
    """All of campaign 1: table 3's counts exactly, the spans all but 28 of 36,161."""
    root = corpora / "crd3"
    report = summarise_reproduction(
        [reproduce_episode(root, episode, wordnet) for episode in list_episodes(root)], read_split(root)
    )
    assert (report["episodes"], report["pairs"], report["kept"]) == (94, 36_161, 23_320)
    assert report["split"] == {"train": 23_320, "validation": 0, "test": 0}
    assert report["identical"] >= 0.999
    assert report["identical_scores"] >= 0.998
    assert report["mean_iou"] >= 0.9999


def test_an_episode_without_its_cleaned_file_is_named(tmp_path: Path, wordnet: Path) -> None:
    with pytest.raises(SourceError, match=r"C1E001\.json is missing"):
        reproduce_episode(tmp_path, "C1E001", wordnet)
