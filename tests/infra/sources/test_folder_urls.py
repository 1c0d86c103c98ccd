"""Folders that are no local folders: behind a web server, in a bucket, in an archive."""

import base64
import hashlib
import json
import logging
import os
import tracemalloc
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from time import sleep
from typing import ClassVar

import fsspec
import pytest
from fsspec.implementations.github import GithubFileSystem

from core.errors import ConfigError, SourceError, StoreError
from infra.sources.folder import FolderSource
from infra.store import filesystems
from tests.infra.sources.servers import serving, serving_folder

FILES = {"transcripts/C1E001 one.txt": b"first", "recaps/C1E001_\xc3\xa9.md".encode("latin-1").decode("utf-8"): b"second!"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "web"
    for path, content in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)
    return root


def pack(archive: Path, files: dict[str, bytes]) -> None:
    with zipfile.ZipFile(archive, "w") as packed:
        for path, content in files.items():
            packed.writestr(path, content)


def contents(source: FolderSource) -> dict[str, bytes]:
    return {file.path: source.read(file, 100) for file in source.list_files()}


def test_a_directory_listing_of_a_web_server(folder: Path) -> None:
    with serving_folder(folder) as address:
        source = FolderSource(address)
        assert contents(source) == FILES
        before = source.list_files()
        assert [file.size for file in before] == [7, 5]
        os.utime(folder / "transcripts" / "C1E001 one.txt", (1, 1))
        after = source.list_files()
        assert [old == new for old, new in zip(before, after, strict=True)] == [True, False]


def test_a_web_server_that_is_down_or_has_no_such_folder(folder: Path) -> None:
    with serving_folder(folder) as address:
        with pytest.raises(ConfigError, match="no such folder"):
            FolderSource(f"{address}/nowhere")
        source = FolderSource(address)
    with pytest.raises(StoreError, match="could not be listed in full"):
        source.list_files()
    with pytest.raises(StoreError, match=address):
        FolderSource(address)


class _Halves(BaseHTTPRequestHandler):
    """Lists two folders and fails for one of them."""

    def do_GET(self) -> None:
        body = b'<a href="transcripts/">t</a> <a href="recaps/">r</a> <a href="?C=N;O=D">Name</a>' if self.path == "/" else b""
        self.send_response({"/": 200, "/robots.txt": 404}.get(self.path, 500))
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def test_a_listing_with_a_hole_is_an_error_and_not_a_short_list() -> None:
    with serving(_Halves) as address, pytest.raises(StoreError, match=r"in full: .*500"):
        FolderSource(address).list_files()


class _Bare(BaseHTTPRequestHandler):
    """Serves one file and says nothing about its state."""

    content = b"one"

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        body = b'<a href="a.txt">a</a> <a href="?C=N;O=D">Name</a>' if self.path == "/" else self.content
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if self.path == "/" else "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def test_files_without_any_version_are_told_apart_by_their_content() -> None:
    with serving(_Bare) as address:
        source = FolderSource(address)
        (first,), (same,) = source.list_files(), source.list_files()
        assert first == same
        assert len(first.version) == 64
        _Bare.content = b"two"
        (changed,) = source.list_files()
        assert (changed.path, changed.size) == (first.path, first.size)
        assert changed.version != first.version


class _Links(BaseHTTPRequestHandler):
    """Serves pages whose links are written in every way, and lead in circles and out of the folder."""

    asked: ClassVar[list[str]] = []
    pages: ClassVar[dict[str, str]] = {
        "/show/": "./ ./transcripts/ ../private/ ../show/ %2e%2e/private/ /private/ http://elsewhere.invalid/show/ ./b.txt",
        "/show/transcripts/": "../transcripts/ ./a.txt ../../private/c.txt https://{host}/show/transcripts/d.txt",
        "/private/": "secret.txt",
    }

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        self.asked.append(self.path)
        links = self.pages.get(self.path, "").replace("{host}", self.headers["Host"]).split()
        body = "".join(f'<a href="{link}">x</a>' for link in links).encode() or self.path.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if self.path.endswith("/") else "text/plain")
        self.send_header("ETag", "1")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def test_links_are_followed_below_the_folder_only_and_once_each() -> None:
    with serving(_Links) as address:
        source = FolderSource(f"{address}/show/")
        assert [file.path for file in source.list_files()] == ["b.txt", "transcripts/a.txt", "transcripts/d.txt"]
        assert source.read(source.list_files()[1], 100) == b"/show/transcripts/a.txt"
    assert not [path for path in _Links.asked if "private" in path]


class _Same(_Links):
    """Answers every address with one page, as some sites do where nothing is."""

    def do_GET(self) -> None:
        self.pages = {self.path: "more/ other/"}
        super().do_GET()


def test_a_server_that_shows_the_same_page_everywhere_is_not_followed_for_ever() -> None:
    with serving(_Same) as address, pytest.raises(StoreError, match=r"in full: .*nested more than 32 deep"):
        FolderSource(address).list_files()


@pytest.mark.parametrize("url", ["https://anna:secret@wiki.invalid/show", "zip://::http://secret@wiki.invalid/show.zip"])
def test_a_password_in_an_address_is_refused_and_not_shown(url: str) -> None:
    with pytest.raises(ConfigError, match="carries a password") as refused:
        FolderSource(url)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_an_archive_would_unpack_without_bounds_is_refused(tmp_path: Path, method: int) -> None:
    with zipfile.ZipFile(tmp_path / "tales.zip", "w", method) as packed:
        packed.writestr("transcripts/C1E001.txt", bytes(2**20))
    source = FolderSource(str(tmp_path / "tales.zip"))
    (file,) = source.list_files()
    with pytest.raises(SourceError, match=f"transcripts/C1E001.txt: compressed by method {method}"):
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
    assert contents(source) == FILES
    assert contents(FolderSource(source.url)) == FILES


def test_a_folder_within_an_archive(tmp_path: Path) -> None:
    pack(tmp_path / "tales.zip", {f"season 1/{path}": content for path, content in FILES.items()})
    assert contents(FolderSource(f"zip://season 1::{tmp_path}/tales.zip")) == FILES
    with pytest.raises(ConfigError, match="no such folder"):
        FolderSource(f"zip://season 2::{tmp_path}/tales.zip")


def test_a_replaced_archive_is_read_anew(tmp_path: Path) -> None:
    pack(tmp_path / "tales.zip", FILES)
    here, on_a_worker = (FolderSource(str(tmp_path / "tales.zip")) for _ in range(2))
    before = here.list_files()
    assert contents(on_a_worker) == FILES
    pack(tmp_path / "new.zip", dict.fromkeys(FILES, b"changed"))
    (tmp_path / "new.zip").rename(tmp_path / "tales.zip")
    after = here.list_files()
    assert not set(before) & set(after)
    assert [on_a_worker.read(file, 100) for file in after] == [b"changed", b"changed"]


def test_what_is_no_archive(tmp_path: Path) -> None:
    (tmp_path / "tales.zip").write_text("not packed")
    with pytest.raises(ConfigError, match="expected a zip archive"):
        FolderSource(str(tmp_path / "tales.zip"))
    with pytest.raises(ConfigError, match="no such archive"):
        FolderSource(str(tmp_path / "nowhere.zip"))


class _Ranges(BaseHTTPRequestHandler):
    """Serves one archive in pieces, as web servers do."""

    archive = b""

    def do_GET(self) -> None:
        first, last = (int(end) for end in self.headers["Range"].removeprefix("bytes=").split("-"))
        body = self.archive[first : last + 1]
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {first}-{first + len(body) - 1}/{len(self.archive)}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_HEAD(self) -> None:
        self.send_response(200)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(self.archive)))
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def test_an_archive_behind_a_web_server(tmp_path: Path) -> None:
    pack(tmp_path / "tales.zip", FILES)
    _Ranges.archive = (tmp_path / "tales.zip").read_bytes()
    with serving(_Ranges) as address:
        assert contents(FolderSource(f"{address}/tales.zip")) == FILES
    with serving_folder(tmp_path) as address, pytest.raises(ConfigError, match="range requests"):
        FolderSource(f"{address}/tales.zip")


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    server = pytest.importorskip("moto.server", reason="moto[server] is not installed").ThreadedMotoServer("127.0.0.1", 0)
    server.start()
    host, port = server.get_host_and_port()
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    yield "s3://tales"
    server.stop()


def test_a_prefix_of_a_bucket(bucket: str) -> None:
    import s3fs

    files = s3fs.S3FileSystem(skip_instance_cache=True)
    files.mkdir("tales")
    for path, content in FILES.items():
        files.pipe(f"tales/season 1/{path}", content)
    source = FolderSource(f"{bucket}/season 1")
    assert contents(source) == FILES
    before = source.list_files()
    assert source.list_files() == before
    files.pipe("tales/season 1/transcripts/C1E001 one.txt", b"other")
    assert [file.path for file in set(source.list_files()) - set(before)] == ["transcripts/C1E001 one.txt"]
    with pytest.raises(ConfigError, match="no such folder"):
        FolderSource(f"{bucket}/season 2")


class _Repository(BaseHTTPRequestHandler):
    """Answers as GitHub's interface does for a repository of one file in one folder."""

    content = b"first"

    def do_GET(self) -> None:
        blob = hashlib.sha1(self.content, usedforsecurity=False).hexdigest()
        answers = {
            "/trees/main": {"tree": [{"path": "transcripts", "type": "tree", "mode": "040000", "sha": "t1"}]},
            "/trees/t1": {"tree": [{"path": "a.txt", "type": "blob", "mode": "100644", "sha": blob, "size": 5}]},
            "/contents/transcripts/a.txt": {"content": base64.b64encode(self.content).decode()},
        }
        answer = answers.get(self.path)
        body = json.dumps(answer or {}).encode()
        self.send_response(200 if answer else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def test_a_repository_on_github(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(_Repository) as address:
        monkeypatch.setattr(GithubFileSystem, "url", address + "/trees/{sha}")
        monkeypatch.setattr(GithubFileSystem, "content_url", address + "/contents/{path}")
        source = FolderSource("github://anna:tales@main/")
        assert contents(source) == {"transcripts/a.txt": b"first"}
        (before,) = source.list_files()
        _Repository.content = b"other"
        (after,) = source.list_files()
        assert (after.path, after.size) == (before.path, before.size)
        assert after.version != before.version


class _Redirects(_Links):
    """Its `a.txt` is on another server, its `b.txt` at another place of this one."""

    target = ""
    pages: ClassVar[dict[str, str]] = {"/show/": "a.txt b.txt"}

    def do_GET(self) -> None:
        place = {"/show/a.txt": self.target, "/show/b.txt": "/show/c.txt"}.get(self.path)
        if place is None:
            super().do_GET()
            return
        self.send_response(302)
        self.send_header("Location", place)
        self.send_header("Content-Length", "0")
        self.end_headers()


def test_a_redirect_to_another_server_is_not_followed(caplog: pytest.LogCaptureFixture) -> None:
    """The other one might be an address that only this machine reaches."""
    with serving(_Links) as other, serving(_Redirects) as address:
        _Links.asked.clear()
        for target in (f"{other}/secret.txt", "http://localhost:1/", "//169.254.169.254/latest/meta-data"):
            _Redirects.target = target
            with pytest.raises(StoreError, match=r"a\.txt"):
                FolderSource(f"{address}/show/").list_files()
        assert not [path for path in _Links.asked if "secret" in path]
        assert "its redirect to 169.254.169.254, another server, is not followed" in caplog.text
        _Redirects.target = "/show/c.txt"
        source = FolderSource(f"{address}/show/")
        assert [source.read(file, 100) for file in source.list_files()] == [b"/show/c.txt", b"/show/c.txt"]


class _Endless(BaseHTTPRequestHandler):
    """Says how long a file is and sends a byte of it now and then; `ranges`: it answers requests for parts of a file, too."""

    ranges = True

    def do_HEAD(self) -> None:
        self.answer()

    def do_GET(self) -> None:
        if self.path.endswith("/"):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b'<a href="posts.jsonl">posts.jsonl</a>')
        elif self.path == "/robots.txt":
            self.send_error(404)
        else:
            self.answer()
            with suppress(OSError):
                while True:
                    self.wfile.write(b" ")
                    sleep(0.02)

    def answer(self) -> None:
        size = 10_000_000
        self.send_response(206 if self.ranges and "Range" in self.headers else 200)
        if self.ranges:
            self.send_header("Accept-Ranges", "bytes")
            self.send_header("Content-Range", f"bytes 0-{size - 1}/{size}")
        self.send_header("Content-Length", str(size))
        self.send_header("ETag", "first")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.parametrize("ranges", [True, False])
def test_a_stream_that_dribbles_is_told_and_given_up(
    ranges: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(filesystems, "MOST_SECONDS", 1.0)
    monkeypatch.setattr(filesystems, "TELL_SECONDS", 0.3)
    monkeypatch.setitem(fsspec.config.conf, "http", {})
    with serving(type("_Server", (_Endless,), {"ranges": ranges})) as address:
        source = FolderSource(address)
        (file,) = source.list_files()
        with (
            caplog.at_level(logging.WARNING),
            pytest.raises(StoreError, match=r"could not read posts.jsonl: the reply had no end after 1 s"),
            source.open(file) as stream,
        ):
            stream.read()
        assert f"still waiting to read {address}/posts.jsonl" in caplog.text
