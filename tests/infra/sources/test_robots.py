"""robots.txt: what a server forbids is not read, and its delay is kept."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from core.errors import ConfigError, StoreError
from infra.sources import robots
from infra.sources.folder import FolderSource
from infra.sources.robots import Robots, read_robots
from tests.infra.sources.servers import serving, serving_folder


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


def test_without_robots_txt_everything_is_read(show: Path) -> None:
    with serving_folder(show) as address:
        assert list_paths(address) == ["a.txt", "private/b.txt"]


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

    monkeypatch.setattr(robots.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(robots.time, "sleep", sleep)
    rules = Robots("example.org", "User-agent: *\nCrawl-delay: 7\n")
    for _ in range(3):
        rules.wait()
    assert slept == [7.0, 7.0]


def test_a_server_that_asks_for_hours_is_refused() -> None:
    with pytest.raises(ConfigError, match="asks for 3600 s between requests"):
        Robots("example.org", "User-agent: *\nCrawl-delay: 3600\n")


class _Broken(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_error(503)

    def log_message(self, *_: object) -> None:
        pass


def test_a_server_that_fails_to_say_is_not_read() -> None:
    with serving(_Broken) as address, pytest.raises(StoreError, match=r"robots\.txt could not be read \(HTTP 503\)"):
        FolderSource(f"{address}/show")
