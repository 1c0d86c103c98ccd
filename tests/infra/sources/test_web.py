"""Folders behind a web server: what its robots.txt lets be read, its directory listings, and servers that answer badly."""

import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep

import pytest
from fsspec.implementations.http import HTTPFileSystem

from core.errors import ConfigError, StoreError
from infra.sources import web
from infra.sources.folder import FolderSource
from infra.sources.web import Robots, read_robots
from infra.store import filesystems
from tests.infra.sources.servers import FILES, Handler, read_contents, serving, serving_folder


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    yield
    read_robots.cache_clear()


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
        assert [old == new for old, new in zip(before, source.list_files(), strict=True)] == [True, False]
        with pytest.raises(ConfigError, match="no such folder"):
            FolderSource(f"{address}/nowhere")
    with pytest.raises(StoreError, match="could not be listed in full"):
        source.list_files()
    with pytest.raises(StoreError, match=address):
        FolderSource(address)


@contextmanager
def linking(
    pages: Mapping[str, str], moved: Mapping[str, str] | None = None, status: int = 200
) -> Iterator[tuple[str, list[str]]]:
    """Serve pages of links; any other path answers with itself, or with a status. Yield the address and what is asked."""
    asked: list[str] = []

    class Linked(Handler):
        def reply(self) -> None:
            asked.append(self.path)
            links = pages.get(self.path, pages.get("", "") if self.path.endswith("/") else "").replace(
                "{host}", self.headers["Host"]
            )
            body = "".join(f'<a href="{link}">x</a>' for link in links.split()).encode() or self.path.encode()
            if moved and self.path in moved:
                self.answer(status=302, Location=moved[self.path])
            elif status == 200 or links:
                self.answer(body, Content_Type="text/html" if self.path.endswith("/") else "text/plain", ETag="1")
            else:
                self.answer(status=status)

    with serving(Linked) as address:
        yield address, asked


@pytest.mark.parametrize(
    ("pages", "status", "told"),
    [
        ({"/": "transcripts/ recaps/ ?C=N;O=D", "/robots.txt": "x"}, 500, r"in full: .*500"),
        ({"": "more/ other/"}, 200, r"in full: .*nested more than 32 deep"),
        ({}, 503, r"robots\.txt could not be read \(HTTP 503\)"),
    ],
    ids=["folders fail", "the same page everywhere", "everything fails"],
)
def test_a_listing_that_has_a_hole_or_no_end_is_an_error_and_not_a_short_list(
    pages: dict[str, str], status: int, told: str
) -> None:
    with linking(pages, status=status) as (address, _), pytest.raises(StoreError, match=told):
        FolderSource(address).list_files()


LINKS = {
    "/show/": "./ ./transcripts/ ../private/ ../show/ %2e%2e/private/ /private/ http://elsewhere.invalid/show/ ./b.txt",
    "/show/transcripts/": "../transcripts/ ./a.txt ../../private/c.txt https://{host}/show/transcripts/d.txt",
    "/private/": "secret.txt",
}
"""Links that are written in every way, and lead in circles and out of the folder."""


def test_links_are_followed_below_the_folder_only_and_once_each() -> None:
    with linking(LINKS) as (address, asked):
        source = FolderSource(f"{address}/show/")
        assert [file.path for file in source.list_files()] == ["b.txt", "transcripts/a.txt", "transcripts/d.txt"]
        assert source.read(source.list_files()[1], 100) == b"/show/transcripts/a.txt"
    assert not [path for path in asked if "private" in path]


def test_files_without_any_version_are_told_apart_by_their_content() -> None:
    contents = [b"one"]

    class Bare(Handler):
        def reply(self) -> None:
            body = b'<a href="a.txt">a</a>' if self.path == "/" else contents[-1]
            self.answer(body, Content_Type="text/html" if self.path == "/" else "text/plain")

    with serving(Bare) as address:
        source = FolderSource(address)
        (first,), (same,) = source.list_files(), source.list_files()
        assert first == same
        assert len(first.version) == 64
        contents.append(b"two")
        (changed,) = source.list_files()
        assert (changed.path, changed.size) == (first.path, first.size)
        assert changed.version != first.version


def test_a_redirect_to_another_server_is_not_followed(caplog: pytest.LogCaptureFixture) -> None:
    """The other one might be an address that only this machine reaches."""
    pages, moved = {"/show/": "a.txt b.txt"}, {"/show/b.txt": "/show/c.txt"}
    with linking({}) as (other, asked), linking(pages, moved) as (address, _):
        for target in (f"{other}/secret.txt", "http://localhost:1/", "//169.254.169.254/latest/meta-data"):
            moved["/show/a.txt"] = target
            with pytest.raises(StoreError, match=r"a\.txt"):
                FolderSource(f"{address}/show/").list_files()
        assert not asked
        assert "its redirect to 169.254.169.254, another server, is not followed" in caplog.text
        moved["/show/a.txt"] = "/show/c.txt"
        assert set(read_contents(FolderSource(f"{address}/show/")).values()) == {b"/show/c.txt"}


@pytest.mark.parametrize("ranges", [True, False], ids=["parts are sent", "only the whole is sent"])
def test_a_stream_that_dribbles_is_told_and_given_up(
    ranges: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Endless(Handler):
        """Says how long a file is and sends a byte of it now and then."""

        def reply(self) -> None:
            if self.path != "/posts.jsonl":
                self.answer(b'<a href="posts.jsonl">x</a>', 200 if self.path == "/" else 404, Content_Type="text/html")
                return
            told = {"Accept_Ranges": "bytes", "Content_Range": "bytes 0-9999999/10000000"} if ranges else {}
            self.answer(
                status=206 if ranges and "Range" in self.headers else 200, Content_Length="10000000", ETag="first", **told
            )
            with suppress(OSError):
                while self.command == "GET":
                    self.wfile.write(b" ")
                    sleep(0.02)

    monkeypatch.setattr(filesystems, "MOST_SECONDS", 1.5)
    monkeypatch.setattr(filesystems, "TELL_SECONDS", 0.2)
    HTTPFileSystem.clear_instance_cache()  # the session of a cached one has the usual patience
    with serving(Endless) as address:
        source = FolderSource(address)
        (file,) = source.list_files()
        with (
            caplog.at_level(logging.WARNING),
            pytest.raises(StoreError, match=r"could not read posts.jsonl: the reply had no end"),
            source.open(file) as stream,
        ):
            stream.read()
        assert f"still waiting to read {address}/posts.jsonl" in caplog.text
    HTTPFileSystem.clear_instance_cache()


@pytest.mark.parametrize(
    ("rules", "listed"),
    [
        ("User-agent: *\nDisallow: /web/recaps/", ["transcripts/C1E001 one.txt"]),
        ("User-agent: elsewhere\nDisallow: /", sorted(FILES)),
        ("User-agent: fabula\nDisallow: /", None),
    ],
)
def test_what_robots_txt_forbids_is_left_out_or_refused(rules: str, listed: list[str] | None, folder: Path) -> None:
    (folder.parent / "robots.txt").write_text(rules, encoding="utf-8")
    with serving_folder(folder.parent) as address:
        if listed is not None:
            assert list(read_contents(FolderSource(f"{address}/web"))) == listed
        else:
            with pytest.raises(ConfigError, match=r"robots\.txt forbids"):
                FolderSource(f"{address}/web").list_files()


def test_the_delay_between_requests_is_kept_and_one_of_hours_refused(monkeypatch: pytest.MonkeyPatch) -> None:
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
    with pytest.raises(ConfigError, match="asks for 3600 s between requests"):
        Robots("example.org", "User-agent: *\nCrawl-delay: 3600\n")
