"""The synthetic corpora: equal numbers give equal text, and the pipelines accept every unit."""

from collections import Counter
from pathlib import Path

import pytest

from infra.store.objects import Store
from lab.speed.scale_corpus import write_corpus
from tasks.pipelines import SUBTITLES, TRANSCRIPTS
from tests.tasks.in_process import read_rows, run


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.*") if path.suffix}


@pytest.mark.parametrize("kind", ["films", "tiny", "episodes"])
def test_a_smaller_corpus_begins_a_larger_one_and_is_continued(tmp_path: Path, kind: str) -> None:
    write_corpus(kind, 2, tmp_path / "grown")
    small = contents(tmp_path / "grown")
    write_corpus(kind, 3, tmp_path / "grown")
    write_corpus(kind, 3, tmp_path / "whole")
    assert contents(tmp_path / "grown") == contents(tmp_path / "whole")
    assert len(small) == 4
    assert {path: contents(tmp_path / "whole")[path] for path in small} == small


def test_words_follow_zipfs_law_and_look_english(tmp_path: Path) -> None:
    write_corpus("episodes", 1, tmp_path)
    text = (tmp_path / "transcripts" / "S001E01.txt").read_text()
    assert text.count("\n\n") == 1999
    words = Counter(word.strip(".").lower() for line in text.split("\n\n") for word in line.split()[1:])
    counts = [count for _, count in words.most_common()]
    assert words.most_common(1)[0][0] == "the"
    assert 1.6 < counts[0] / counts[1] < 2.5
    assert 7 < counts[0] / counts[9] < 13
    assert len(counts) > 5000


def test_the_pipelines_take_every_unit(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "store"))
    write_corpus("tiny", 3, tmp_path / "tiny")
    assert len(run(TRANSCRIPTS, tmp_path / "tiny", store).computed) == 3
    assert run(TRANSCRIPTS, tmp_path / "tiny", store).computed == ()
    write_corpus("films", 3, tmp_path / "films")
    found = run(SUBTITLES, tmp_path / "films", store)
    assert (found.discovered, len(found.computed)) == (3, 3)
    assert len(read_rows(store, "subtitles", "subtitles")) == 3
