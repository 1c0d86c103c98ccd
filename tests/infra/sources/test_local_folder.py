"""Local folders: links are followed, loops and what could wait for ever are named and never opened."""

import os
import socket
import warnings
import zipfile
from pathlib import Path

import pytest

from core.errors import ConfigError, SourceError
from infra.sources.folder import FolderSource
from infra.sources.local_folder import MAX_LINKED


def list_faults(folder: Path) -> dict[str, str]:
    return {file.path: file.fault for file in FolderSource(str(folder)).list_files()}


def test_links_to_folders_are_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere" / "deep").mkdir(parents=True)
    (tmp_path / "elsewhere" / "deep" / "a.txt").write_text("one")
    source = tmp_path / "source"
    source.mkdir()
    (source / "recaps").symlink_to(tmp_path / "elsewhere")
    (source / "more").symlink_to(tmp_path / "elsewhere")
    opened = FolderSource(str(source))
    listed = opened.list_files()
    assert [(file.path, file.size, file.fault) for file in listed] == [("more/deep/a.txt", 3, ""), ("recaps/deep/a.txt", 3, "")]
    assert opened.read(listed[1], 10) == b"one"


def test_a_loop_of_links_is_named(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "up").symlink_to(tmp_path / "a")
    (tmp_path / "a" / "b" / "top").symlink_to(tmp_path)
    faults = list_faults(tmp_path)
    assert list(faults) == ["a/b/top", "a/b/up"]
    assert "a/b/up is a link to a folder that it lies in (a): it goes in circles" in faults["a/b/up"]
    assert "(the source itself)" in faults["a/b/top"]


def test_folders_full_of_links_to_each_other_come_to_an_end(tmp_path: Path) -> None:
    folders = [tmp_path / f"{number:02d}" for number in range(20)]
    for folder in folders:
        folder.mkdir()
    for one in folders:
        for other in folders:
            (one / f"to-{other.name}").symlink_to(other)
    faults = list_faults(tmp_path)
    assert len(faults) < 20 * MAX_LINKED + 400
    assert any("is one of more than 1,000 links to folders" in fault for fault in faults.values())


def test_what_could_wait_for_ever_is_named_and_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "zero.txt").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "s.txt"))
        faults = list_faults(tmp_path)
        source = FolderSource(str(tmp_path))
        for file in source.list_files():
            assert source.checksum(file) == ""
            with pytest.raises(SourceError, match="expected a regular file"):
                source.read(file, 10)
            with pytest.raises(SourceError, match="expected a regular file"), source.open(file):
                pass
    kinds = {"pipe.txt": "a FIFO", "s.txt": "a socket", "zero.txt": "a device"}
    assert all(f"{path} is {kind}" in faults[path] for path, kind in kinds.items())


def test_a_file_that_has_become_a_fifo_since_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one")
    source = FolderSource(str(tmp_path))
    (file,) = source.list_files()
    (tmp_path / "a.txt").unlink()
    os.mkfifo(tmp_path / "a.txt")
    assert source.checksum(file) == ""
    with pytest.raises(SourceError, match=r"a\.txt is a FIFO"):
        source.read(file, 10)


def test_an_archive_that_is_a_fifo_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "show.zip")
    with pytest.raises(ConfigError, match=r"show\.zip is a FIFO"):
        FolderSource(str(tmp_path / "show.zip"))


def test_an_archive_with_one_name_twice_and_encrypted_members_are_named(tmp_path: Path) -> None:
    path = tmp_path / "show.zip"
    with warnings.catch_warnings(), zipfile.ZipFile(path, "w") as packed:
        warnings.simplefilter("ignore")  # zipfile warns of the second one
        for name, text in (("a.txt", "one"), ("b.txt", "two"), ("a.txt", "three"), ("secret.txt", "four")):
            packed.writestr(name, text)
    content = bytearray(path.read_bytes())
    for header, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):  # as a packer writes them that encrypts the last member
        content[content.rindex(header) + flags] |= 1
    path.write_bytes(content)
    source = FolderSource(str(path))
    files = {file.path: file for file in source.list_files()}
    assert {path: bool(file.fault) for path, file in files.items()} == {"a.txt": True, "b.txt": False, "secret.txt": True}
    assert source.read(files["b.txt"], 10) == b"two"
    for name, reason in (("a.txt", "the archive has 2 files of this name"), ("secret.txt", "is encrypted in its archive")):
        assert source.checksum(files[name]) == ""
        with pytest.raises(SourceError, match=reason):
            source.read(files[name], 10)


@pytest.mark.parametrize(("flag", "reason"), [(0x20, "is a patch of another file"), (0x40, "is encrypted in its archive")])
def test_a_member_that_zipfile_cannot_open_is_refused_before(tmp_path: Path, flag: int, reason: str) -> None:
    path = tmp_path / "show.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("a.txt", "one")
    content = bytearray(path.read_bytes())
    for header, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.rindex(header) + flags] |= flag
    path.write_bytes(content)
    source = FolderSource(str(path))
    (file,) = source.list_files()
    assert source.checksum(file) == ""
    with pytest.raises(SourceError, match=reason):
        source.read(file, 10)
