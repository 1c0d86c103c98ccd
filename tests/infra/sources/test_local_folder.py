"""Local folders: links are followed, loops and what could wait for ever are named and never opened."""

import os
import shutil
import socket
import stat
import warnings
import zipfile
from pathlib import Path

import pytest

from core.errors import ConfigError, SourceError
from infra.settings import load_config
from infra.sources import local_folder
from infra.sources.folder import FolderSource
from infra.sources.opening import OpenedSources
from infra.store.objects import Store
from tasks.frame.model import INGESTION
from tasks.frame.pipeline import Pipeline
from tasks.pipelines import PIPELINES
from tests.tasks import in_process

EXAMPLES = Path(__file__).parents[3] / "examples"


def list_faults(folder: Path) -> dict[str, str]:
    return {file.path: file.fault for file in FolderSource(str(folder)).list_files()}


@pytest.fixture
def linked(tmp_path: Path) -> Path:
    """Return a source with links to a folder and to a file, each inside the source and outside."""
    source, outside = tmp_path / "source", tmp_path / "source-of-others"
    for folder in (source, outside):
        (folder / "deep").mkdir(parents=True)
        (folder / "deep" / "a.txt").write_text(folder.name)
    (source / "in").symlink_to("deep")
    (source / "in.txt").symlink_to(source / "deep" / "a.txt")
    (source / "out").symlink_to(outside)
    (source / "out.txt").symlink_to("../source-of-others/deep/a.txt")
    (source / "twice.txt").symlink_to("out.txt")
    return source


OUTSIDE = ["out", "out.txt", "twice.txt"]


def test_links_are_followed_within_the_source_only(linked: Path, tmp_path: Path) -> None:
    (tmp_path / "entry").symlink_to(linked)  # how the source itself is named is its owner's matter
    for place in (linked, tmp_path / "entry"):
        source = FolderSource(str(place))
        listed = {file.path: file for file in source.list_files()}
        assert [path for path, file in listed.items() if file.fault] == OUTSIDE
        assert [path for path, file in listed.items() if not file.fault] == ["deep/a.txt", "in.txt", "in/a.txt"]
        for path, file in listed.items():
            if path in OUTSIDE:
                assert source.checksum(file) == ""
                with pytest.raises(SourceError, match=rf"{path} is a link that leaves its source, .* links\+file://{place}"):
                    source.read(file, 10)
            else:
                assert source.read(file, 10) == b"source"


def test_links_that_leave_a_source_are_followed_where_its_url_says_so(linked: Path) -> None:
    source = FolderSource(f"links+file://{linked}")
    for opened in (source, FolderSource(source.url)):  # a worker opens it by its URL
        contents = {file.path: opened.read(file, 100) for file in opened.list_files()}
        assert {path for path, content in contents.items() if content != b"source"} == {"out/deep/a.txt", "out.txt", "twice.txt"}
        assert contents["out.txt"] == b"source-of-others"
    for wrong in (f"links+{linked}", "links+s3://bucket", f"links+zip://::{linked}"):
        with pytest.raises(ConfigError, match=r"expected links\+file:///FOLDER"):
            FolderSource(wrong)


@pytest.mark.parametrize(("kind", "message"), [("link", "leaves its source"), ("FIFO", r"a\.txt is a FIFO")])
def test_a_file_that_is_another_one_since_is_not_opened(linked: Path, kind: str, message: str) -> None:
    source = FolderSource(str(linked))
    file = next(file for file in source.list_files() if file.path == "deep/a.txt")
    (linked / "deep" / "a.txt").unlink()
    if kind == "link":
        (linked / "deep" / "a.txt").symlink_to("/etc/passwd")
    else:
        os.mkfifo(linked / "deep" / "a.txt")
    assert source.checksum(file) == ""
    with pytest.raises(SourceError, match=message):
        source.read(file, 10)
    with pytest.raises(SourceError, match=message), source.open(file):
        pass


@pytest.mark.parametrize("pipeline", PIPELINES, ids=lambda pipeline: pipeline.name)
def test_what_a_source_refuses_is_named_by_every_pipeline(tmp_path: Path, pipeline: Pipeline) -> None:
    source, secret, example = tmp_path / "source", tmp_path / "secret", EXAMPLES / pipeline.name
    shutil.copytree(example, source)
    secret.mkdir()
    (secret / "notes.txt").write_text("the secret words")
    (source / "more").symlink_to(secret)
    (source / "notes.txt").symlink_to(secret / "notes.txt")
    (source / ".hidden").symlink_to(secret)
    config = load_config(pipeline.load(INGESTION).config, pipeline.name, file=str(source / "settings.toml"))
    planned, whole = (
        in_process.plan(pipeline, each, Store(str(tmp_path / each.parent.name)), config) for each in (source, example)
    )
    told = {failure.unit: failure.reason for failure in planned.failures}
    read = {file.path for request in planned.requests.values() for file in request.unit.files}  # its unit goes to quarantine
    assert "notes.txt" in told or "notes.txt" in read
    assert "more is a link that leaves its source" in told["more"]
    assert set(told) - {"more", "notes.txt"} == {failure.unit for failure in whole.failures}


LEAVING = [
    "../C9E001.txt", "transcripts/../../C9E002.txt", "/transcripts/C9E003.txt", "transcripts\\C9E004.txt", "C:/C9E005.txt",
    "c:C9E006.txt", "..\\C9E007.txt", "transcripts/C9E008.txt\0.png", "//host/C9E009.txt",
]  # fmt: skip
"""Names of members that leave their archive; what follows a zero byte is not listed."""


def _pack(path: Path, top: str = "") -> None:
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr(f"{top}transcripts/S01E01.txt", "ANNA: Go.\nBEN: No.\n")
        for name in LEAVING:
            member = zipfile.ZipInfo("x")
            member.filename = member.orig_filename = name  # as a hostile packer writes it
            packed.writestr(member, "away")
        link = zipfile.ZipInfo(f"{top}transcripts/S01E02.txt")
        link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        packed.writestr(link, "/etc/passwd")


@pytest.mark.parametrize("top", ["", "My Show/"])
def test_members_whose_names_leave_an_archive_and_links_are_named_and_never_read(tmp_path: Path, top: str) -> None:
    _pack(tmp_path / "show.zip", top)
    source, paths = OpenedSources((str(tmp_path / "show.zip"),)), [name.partition("\0")[0] for name in LEAVING]
    files = {file.path: file for file in source.list_files(["transcripts"])}
    assert sorted(files) == sorted([*paths, "transcripts/S01E01.txt", "transcripts/S01E02.txt"])
    assert [path for path, file in files.items() if not file.fault] == ["transcripts/S01E01.txt"]
    assert source.read(files["transcripts/S01E01.txt"], 100).startswith(b"ANNA")
    for name, path in zip(LEAVING, paths, strict=True):
        assert f"is called {name!r} in its archive, which is no name within a folder" in files[path].fault
    assert "transcripts/S01E02.txt is a link in its archive" in files["transcripts/S01E02.txt"].fault
    for path in [*paths, "transcripts/S01E02.txt"]:
        with pytest.raises(SourceError):
            source.read(files[path], 100)


def test_a_loop_of_links_is_named_and_folders_full_of_links_to_each_other_come_to_an_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, full = tmp_path / "source", tmp_path / "full"
    (source / "a" / "b").mkdir(parents=True)
    (source / "a" / "b" / "up").symlink_to(source / "a")
    (source / "a" / "b" / "top").symlink_to(source)
    faults = list_faults(source)
    assert list(faults) == ["a/b/top", "a/b/up"]
    assert "a/b/up is a link to a folder that it lies in (a): it goes in circles" in faults["a/b/up"]
    assert "(the source itself)" in faults["a/b/top"]
    monkeypatch.setattr(local_folder, "MAX_LINKED", 50)
    for one in range(8):
        (full / f"{one}").mkdir(parents=True)
        for other in range(8):
            (full / f"{one}" / f"to-{other}").symlink_to(full / f"{other}")
    faults = list_faults(full)
    assert len(faults) < 8 * 50 + 64
    assert any("is one of more than 50 links to folders" in fault for fault in faults.values())


def test_what_could_wait_for_ever_is_named_and_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "zero.txt").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "s.txt"))
        source = FolderSource(str(tmp_path))
        for file, kind in zip(source.list_files(), ("a FIFO", "a socket", "a device"), strict=True):
            assert f"{file.path} is {kind}" in file.fault
            assert source.checksum(file) == ""
            with pytest.raises(SourceError, match="expected a regular file"):
                source.read(file, 10)
            with pytest.raises(SourceError, match="expected a regular file"), source.open(file):
                pass
    os.mkfifo(tmp_path / "show.zip")
    with pytest.raises(ConfigError, match=r"show\.zip is a FIFO"):
        FolderSource(str(tmp_path / "show.zip"))


def flag_last(path: Path, flag: int) -> None:
    """Set a flag of the last member of an archive, as another packer does."""
    content = bytearray(path.read_bytes())
    for header, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.rindex(header) + flags] |= flag
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("flag", "reason"),
    [(1, "is encrypted in its archive"), (0x20, "is a patch of another file"), (0x40, "is encrypted in its archive")],
)
def test_members_that_cannot_be_read_or_told_apart_are_named(tmp_path: Path, flag: int, reason: str) -> None:
    path = tmp_path / "show.zip"
    with warnings.catch_warnings(), zipfile.ZipFile(path, "w") as packed:
        warnings.simplefilter("ignore")  # zipfile warns of the second one
        for name, text in (("a.txt", "one"), ("b.txt", "two"), ("a.txt", "three"), ("secret.txt", "four")):
            packed.writestr(name, text)
    flag_last(path, flag)
    source = FolderSource(str(path))
    files = {file.path: file for file in source.list_files()}
    assert {path: bool(file.fault) for path, file in files.items()} == {"a.txt": True, "b.txt": False, "secret.txt": True}
    assert source.read(files["b.txt"], 10) == b"two"
    for name, told in (("a.txt", "is one of 2 files of this name in its archive"), ("secret.txt", reason)):
        assert source.checksum(files[name]) == ""
        with pytest.raises(SourceError, match=told):
            source.read(files[name], 10)
