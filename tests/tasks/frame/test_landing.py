"""Landing: the bytes as they came, under safe names; nothing too large."""

from pathlib import Path

import pytest

from core.dataset.units import SourceFile
from core.errors import SourceError, UnreadableFileError
from infra.sources.opening import OpenedSources, list_sources
from infra.store.objects import Store
from tasks.frame.build import join_checksums, land_file, safe_name
from tasks.frame.model import SizeLimit

LIMIT = SizeLimit(2**20, "a transcript", "Divide it into parts")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("transcripts/S01E01.txt", "S01E01.txt"),
        ("transcripts/épisode one.txt", "_pisode_one.txt"),
        ("transcripts/.hidden", "hidden"),
        ("transcripts/...", "_"),
        ("transcripts/a\nb$(x).txt", "a_b__x_.txt"),
        ("transcripts/" + "x" * 300 + ".txt", "x" * 96 + ".txt"),
    ],
)
def test_names_are_made_safe(path: str, name: str) -> None:
    assert safe_name(path) == name


def test_a_file_lands_once_under_its_checksum(tmp_path: Path) -> None:
    (tmp_path / "a b.txt").write_bytes(b"\xff\x00 raw")
    store = Store(str(tmp_path / "store"))
    (file,) = list_sources([str(tmp_path)])
    first = land_file(store, OpenedSources(()), "transcripts", "S01E01", file, LIMIT)
    assert first.key == f"landing/transcripts/S01E01/{first.sha256}/a_b.txt"
    assert store.read(first.key) == b"\xff\x00 raw"
    time = (tmp_path / "store" / first.key).stat().st_mtime_ns
    assert land_file(store, OpenedSources(()), "transcripts", "S01E01", file, LIMIT) == first
    assert (tmp_path / "store" / first.key).stat().st_mtime_ns == time


@pytest.mark.parametrize("listed_size", [10, LIMIT.bytes + 1], ids=["grew since it was listed", "listed as too large"])
def test_a_file_that_is_too_large_never_lands(tmp_path: Path, listed_size: int) -> None:
    with (tmp_path / "a.txt").open("wb") as file:
        file.truncate(LIMIT.bytes + 1)
    store = Store(str(tmp_path / "store"))
    message = r"a\.txt: 1 MiB; expected a transcript of at most 1 MiB\. Divide it into parts|a\.txt: too large; at most 1,048,576"
    with pytest.raises(SourceError, match=message):
        land_file(store, OpenedSources(()), "transcripts", "S01E01", SourceFile("a.txt", listed_size, "", str(tmp_path)), LIMIT)
    assert store.list_keys("") == []


def test_a_file_that_the_source_does_not_give_may_be_readable_later(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "store"))
    (tmp_path / "a.txt").symlink_to("a.txt")
    for name in ("a.txt", "gone.txt"):
        with pytest.raises(UnreadableFileError, match=f"could not read {name}"):
            land_file(store, OpenedSources(()), "transcripts", "S01E01", SourceFile(name, 10, "", str(tmp_path)), LIMIT)


def test_the_type_of_a_file_counts_beside_its_content(tmp_path: Path) -> None:
    for name in ("a.txt", "a.SRT"):
        (tmp_path / name).write_bytes(b"same")
    store = Store(str(tmp_path / "store"))
    landed = [land_file(store, OpenedSources(()), "transcripts", "S01E01", file, LIMIT) for file in list_sources([str(tmp_path)])]
    assert [entry[64:] for entry in join_checksums(landed)] == [".srt", ".txt"]
