"""Folders on a disk, in a bucket, on GitHub and in archives: what is listed, how a changed file shows, what is refused."""

import base64
import hashlib
import json
import os
import tracemalloc
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from fsspec.implementations.github import GithubFileSystem

from core.dataset.units import SourceFile
from core.errors import ConfigError, SourceError
from infra.sources.folder import FolderSource
from tests.infra.sources.servers import FILES, Handler, read_contents, serving, serving_folder, serving_s3


def test_a_changed_file_has_another_version_and_an_unchanged_one_the_same(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("one")
    source = FolderSource(str(tmp_path))
    before = source.list_files()
    assert source.list_files() == before
    file.write_text("two")
    os.utime(file, (1, 1))
    assert source.list_files()[0].version != before[0].version


def test_reading_stops_one_byte_after_the_limit(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"x" * 100)
    source = FolderSource(str(tmp_path))
    assert len(source.read(SourceFile("a.txt", 1, ""), 10)) == 11
    assert len(source.read(SourceFile("a.txt", 1, ""), 100)) == 100


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("{}/nowhere", "no such folder; give a folder, or a URL of one"),
        ("{}/file", "is a file; give a folder, or a URL of one"),
        ("{}/file.zip", "expected a zip archive"),
        ("{}/nowhere.zip", "no such archive"),
        ("nosuch://x", "source nosuch://x"),
        ("https://anna:secret@wiki.invalid/show", "carries a password"),
        ("zip://::http://secret@wiki.invalid/show.zip", "carries a password"),
    ],
)
def test_what_is_no_source_is_the_callers_error(tmp_path: Path, place: str, message: str) -> None:
    for name in ("file", "file.zip"):
        (tmp_path / name).write_text("not packed")
    with pytest.raises(ConfigError, match=message) as refused:
        FolderSource(place.format(tmp_path))
    assert "secret" not in str(refused.value)


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with serving_s3(monkeypatch):
        yield "s3://tales"


def test_a_prefix_of_a_bucket(bucket: str) -> None:
    import s3fs

    files = s3fs.S3FileSystem(skip_instance_cache=True)
    files.mkdir("tales")
    for path, content in FILES.items():
        files.pipe(f"tales/season 1/{path}", content)
    source = FolderSource(f"{bucket}/season 1")
    assert read_contents(source) == FILES
    before = source.list_files()
    assert source.list_files() == before
    files.pipe("tales/season 1/transcripts/C1E001 one.txt", b"other")
    assert [file.path for file in set(source.list_files()) - set(before)] == ["transcripts/C1E001 one.txt"]
    with pytest.raises(ConfigError, match="no such folder"):
        FolderSource(f"{bucket}/season 2")


class _Repository(Handler):
    """Answers as GitHub's interface does for a repository of one file in one folder."""

    content = b"first"

    def reply(self) -> None:
        blob = hashlib.sha1(self.content, usedforsecurity=False).hexdigest()
        answers = {
            "/trees/main": {"tree": [{"path": "transcripts", "type": "tree", "mode": "040000", "sha": "t1"}]},
            "/trees/t1": {"tree": [{"path": "a.txt", "type": "blob", "mode": "100644", "sha": blob, "size": 5}]},
            "/contents/transcripts/a.txt": {"content": base64.b64encode(self.content).decode()},
        }
        answer = answers.get(self.path)
        self.answer(json.dumps(answer or {}).encode(), 200 if answer else 404)


def test_a_repository_on_github(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(_Repository) as address:
        monkeypatch.setattr(GithubFileSystem, "url", address + "/trees/{sha}")
        monkeypatch.setattr(GithubFileSystem, "content_url", address + "/contents/{path}")
        source = FolderSource("github://anna:tales@main/")
        assert read_contents(source) == {"transcripts/a.txt": b"first"}
        (before,) = source.list_files()
        _Repository.content = b"other"
        (after,) = source.list_files()
        assert (after.path, after.size) == (before.path, before.size)
        assert after.version != before.version


def pack(archive: Path, files: dict[str, bytes]) -> None:
    with zipfile.ZipFile(archive, "w") as packed:
        for path, content in files.items():
            packed.writestr(path, content)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_an_archive_would_unpack_without_bounds_is_refused(tmp_path: Path, method: int) -> None:
    with zipfile.ZipFile(tmp_path / "tales.zip", "w", method) as packed:
        packed.writestr("transcripts/C1E001.txt", bytes(2**20))
    source = FolderSource(str(tmp_path / "tales.zip"))
    (file,) = source.list_files()
    with pytest.raises(SourceError, match=f"transcripts/C1E001.txt: packed by method {method}"):
        source.read(file, 100)
    assert source.checksum(file) == ""


def test_of_a_bomb_no_more_is_unpacked_than_asked_for(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "tales.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("transcripts/C1E001.txt", bytes(2**26))
    source = FolderSource(str(tmp_path / "tales.zip"))
    (file,) = source.list_files()
    tracemalloc.start()
    assert len(source.read(file, 1000)) == 1001
    assert tracemalloc.get_traced_memory()[1] < 2**22
    tracemalloc.stop()


@pytest.mark.parametrize("form", ["{0}", "zip://::{0}", "relative"])
def test_an_archive_is_the_folder_that_it_holds(tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "tales.ZIP" if form == "{0}" else tmp_path / "tales.zip"
    pack(archive, FILES)
    monkeypatch.chdir(tmp_path)
    source = FolderSource(archive.name if form == "relative" else form.format(archive))
    monkeypatch.chdir("/")
    assert read_contents(source) == FILES
    assert read_contents(FolderSource(source.url)) == FILES


def test_a_replaced_archive_is_read_anew(tmp_path: Path) -> None:
    pack(tmp_path / "tales.zip", FILES)
    here, on_a_worker = (FolderSource(str(tmp_path / "tales.zip")) for _ in range(2))
    before = here.list_files()
    assert read_contents(on_a_worker) == FILES
    pack(tmp_path / "new.zip", dict.fromkeys(FILES, b"changed"))
    (tmp_path / "new.zip").rename(tmp_path / "tales.zip")
    after = here.list_files()
    assert not set(before) & set(after)
    assert [on_a_worker.read(file, 100) for file in after] == [b"changed", b"changed"]


class _Ranges(Handler):
    """Serves one archive in pieces, as web servers do."""

    archive = b""

    def reply(self) -> None:
        if self.command == "HEAD":
            self.answer(Accept_Ranges="bytes", Content_Length=str(len(self.archive)))
            return
        first, last = (int(end) for end in self.headers["Range"].removeprefix("bytes=").split("-"))
        body = self.archive[first : last + 1]
        self.answer(body, 206, Content_Range=f"bytes {first}-{first + len(body) - 1}/{len(self.archive)}")


def test_an_archive_behind_a_web_server(tmp_path: Path) -> None:
    pack(tmp_path / "tales.zip", FILES)
    _Ranges.archive = (tmp_path / "tales.zip").read_bytes()
    with serving(_Ranges) as address:
        assert read_contents(FolderSource(f"{address}/tales.zip")) == FILES
    with serving_folder(tmp_path) as address, pytest.raises(ConfigError, match="range requests"):
        FolderSource(f"{address}/tales.zip")
