"""Folders behind a web server: what its robots.txt lets be read, its directory listings, and servers that answer badly."""

import logging
import os
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from time import sleep
from typing import ClassVar

import pytest
from fsspec.implementations.http import HTTPFileSystem

from core.errors import ConfigError, StoreError
from infra.sources import web
from infra.sources.folder import FolderSource
from infra.sources.web import Robots, read_robots
from infra.store import filesystems
from tests.infra.sources.servers import Quiet, serving, serving_folder
from tests.infra.sources.tales import FILES, read_contents


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "web"
    for path, content in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)
    return root


def test_a_directory_listing_of_a_web_server(folder: Path) -> None:
    with serving_folder(folder) as address:
        source = FolderSource(address)
        assert read_contents(source) == FILES
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


class _Halves(Quiet, BaseHTTPRequestHandler):
    """Lists two folders and fails for one of them."""

    def do_GET(self) -> None:
        body = b'<a href="transcripts/">t</a> <a href="recaps/">r</a> <a href="?C=N;O=D">Name</a>' if self.path == "/" else b""
        self.send_response({"/": 200, "/robots.txt": 404}.get(self.path, 500))
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def test_a_listing_with_a_hole_is_an_error_and_not_a_short_list() -> None:
    with serving(_Halves) as address, pytest.raises(StoreError, match=r"in full: .*500"):
        FolderSource(address).list_files()


class _Bare(Quiet, BaseHTTPRequestHandler):
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


class _Links(Quiet, BaseHTTPRequestHandler):
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


class _Endless(Quiet, BaseHTTPRequestHandler):
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


@pytest.mark.parametrize("ranges", [True, False])
def test_a_stream_that_dribbles_is_told_and_given_up(
    ranges: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(filesystems, "MOST_SECONDS", 1.0)
    monkeypatch.setattr(filesystems, "TELL_SECONDS", 0.3)
    HTTPFileSystem.clear_instance_cache()  # the session of a cached one has the usual patience
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
    HTTPFileSystem.clear_instance_cache()


@pytest.fixture
def show(tmp_path: Path) -> Path:
    (tmp_path / "show" / "private").mkdir(parents=True)
    (tmp_path / "show" / "a.txt").write_text("open", encoding="utf-8")
    (tmp_path / "show" / "private" / "b.txt").write_text("closed", encoding="utf-8")
    return tmp_path


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    yield
    read_robots.cache_clear()


def list_paths(address: str) -> list[str]:
    return [file.path for file in FolderSource(f"{address}/show").list_files()]


def test_a_forbidden_folder_is_left_out(show: Path) -> None:
    (show / "robots.txt").write_text("User-agent: *\nDisallow: /show/private/\n", encoding="utf-8")
    with serving_folder(show) as address:
        assert list_paths(address) == ["a.txt"]


def test_a_forbidden_source_is_refused(show: Path) -> None:
    (show / "robots.txt").write_text("User-agent: fabula\nDisallow: /\n", encoding="utf-8")
    with serving_folder(show) as address, pytest.raises(ConfigError, match=r"robots\.txt forbids"):
        list_paths(address)


def test_rules_for_others_do_not_count(show: Path) -> None:
    (show / "robots.txt").write_text("User-agent: elsewhere\nDisallow: /\n", encoding="utf-8")
    with serving_folder(show) as address:
        assert list_paths(address) == ["a.txt", "private/b.txt"]


def test_the_delay_between_requests_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, slept = [100.0], []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock[0] += seconds

    monkeypatch.setattr(web.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(web.time, "sleep", sleep)
    rules = Robots("example.org", "User-agent: *\nCrawl-delay: 7\n")
    for _ in range(3):
        rules.wait()
    assert slept == [7.0, 7.0]


def test_a_server_that_asks_for_hours_is_refused() -> None:
    with pytest.raises(ConfigError, match="asks for 3600 s between requests"):
        Robots("example.org", "User-agent: *\nCrawl-delay: 3600\n")


class _Broken(Quiet, BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_error(503)


def test_a_server_that_fails_to_say_is_not_read() -> None:
    with serving(_Broken) as address, pytest.raises(StoreError, match=r"robots\.txt could not be read \(HTTP 503\)"):
        FolderSource(f"{address}/show")
