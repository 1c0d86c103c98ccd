from pathlib import Path

import pytest

from core.errors import SourceError
from core.transcripts.reproduction import summarise_reproduction
from tasks.transcripts.crd3 import list_episodes, read_split, reproduce_episode


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
