"""Sources: what is listed, how a changed file shows, and errors that name the file."""

import os
from pathlib import Path

import pytest

from core.dataset.units import SourceFile
from core.errors import ConfigError, StoreError
from infra.sources.folder import FolderSource


def test_files_are_listed_by_path_with_their_size(tmp_path: Path) -> None:
    (tmp_path / "recaps").mkdir()
    (tmp_path / "recaps" / "b.md").write_text("four")
    (tmp_path / "a.txt").write_text("é")
    assert [(file.path, file.size) for file in FolderSource(str(tmp_path)).list_files()] == [("a.txt", 2), ("recaps/b.md", 4)]


def test_a_changed_file_has_another_version_and_an_unchanged_one_the_same(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("one")
    source = FolderSource(str(tmp_path))
    before = source.list_files()
    assert source.list_files() == before
    file.write_text("two")
    os.utime(file, (1, 1))
    assert source.list_files()[0].version != before[0].version


def test_a_link_has_the_version_of_what_it_points_to(tmp_path: Path) -> None:
    target = tmp_path / "elsewhere.txt"
    target.write_text("one")
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "a.txt").symlink_to(target)
    source = FolderSource(f"links+file://{folder}")
    before = source.list_files()
    target.write_text("two")
    os.utime(target, (1, 1))
    assert source.list_files() != before
    assert source.read(SourceFile("a.txt", 1, ""), 10) == b"two"


def test_links_that_lead_nowhere_or_in_circles_are_listed_and_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "circle.txt").symlink_to("circle.txt")
    (tmp_path / "gone.txt").symlink_to("nowhere.txt")
    (tmp_path / "here").symlink_to(tmp_path)
    source = FolderSource(str(tmp_path))
    assert [file.path for file in source.list_files()] == ["circle.txt", "gone.txt", "here"]
    for name in ("circle.txt", "gone.txt"):
        with pytest.raises(StoreError, match=f"could not read {name}"):
            source.read(SourceFile(name, 1, ""), 10)


def test_reading_stops_one_byte_after_the_limit(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"x" * 100)
    source = FolderSource(str(tmp_path))
    assert len(source.read(SourceFile("a.txt", 1, ""), 10)) == 11
    assert len(source.read(SourceFile("a.txt", 1, ""), 100)) == 100


def test_a_missing_folder_is_the_callers_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such folder; give a folder, or a URL of one"):
        FolderSource(str(tmp_path / "nowhere"))
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="is a file; expected a folder: name the folder that holds it"):
        FolderSource(str(tmp_path / "file"))
    with pytest.raises(ConfigError, match="source nosuch://x"):
        FolderSource("nosuch://x")
