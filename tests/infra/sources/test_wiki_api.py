"""The API's manners: waiting when asked to, going on where a list breaks off, giving up in time, never reading too much."""

import json
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.utils import formatdate
from typing import Any, ClassVar
from urllib.parse import parse_qsl, urlsplit

import pytest

from core.errors import ConfigError, SourceError, StoreError
from infra.sources import web, wiki_api
from infra.sources.wiki_api import CONTACT, SLOTS, WikiApi, WikiError
from infra.web_requests import Patience
from tests.infra.sources.servers import Handler, serving

PAGE = {"query": {"pages": [{"pageid": 1, "title": "Low Tide", "lastrevid": 7}]}}
LAG = {"error": {"code": "maxlag", "info": "Waiting for a database server: 9 seconds lagged."}}


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server says: a JSON value, or bytes."""

    content: Any = field(default_factory=lambda: PAGE)
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    pause: float = 0.0


@dataclass(slots=True)
class Requests:
    """What the server was asked, in order, and the waits between; `patience` keeps them, and does not wait."""

    address: str = ""
    asked: list[dict[str, str]] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    busiest: int = 0

    def api(self) -> WikiApi:
        return WikiApi(self.address, Patience(attempts=4, first_wait=0.5, longest_wait=20.0, sleep=self.waits.append))


@contextmanager
def answering(*replies: Reply) -> Iterator[Requests]:
    """Serve the replies in order, the last for ever."""
    requests, lock, running = Requests(), threading.Lock(), [0]

    class Wiki(Handler):
        def reply(self) -> None:
            with lock:
                reply = replies[min(len(requests.asked), len(replies) - 1)]
                requests.asked.append(dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True)))
                requests.agents.append(self.headers["User-Agent"])
                running[0] += 1
                requests.busiest = max(requests.busiest, running[0])
            time.sleep(reply.pause)
            with lock:
                running[0] -= 1
            body = reply.content if isinstance(reply.content, bytes) else json.dumps(reply.content).encode()
            self.answer(body, reply.status, **reply.headers)

    with serving(Wiki) as address:
        requests.address = f"{address}/api.php"
        yield requests


def list_continued(*places: str) -> list[Reply]:
    return [Reply({"continue": {"gcmcontinue": place}, "query": {"pages": []}}) for place in places]


def test_every_request_says_who_asks_and_how_much_lag_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CONTACT, "tales@example.org\r\nX-Other: 1")
    with answering(Reply()) as requests:
        assert WikiApi(requests.address).call({"action": "query", "titles": "Low Tide"}) == PAGE
        assert requests.asked == [
            {"action": "query", "titles": "Low Tide", "format": "json", "formatversion": "2", "maxlag": "5"}
        ]
        assert requests.agents[0].startswith("fabula/")
        assert "(tales@example.org X-Other: 1)" in requests.agents[0]
        monkeypatch.delenv(CONTACT)
        WikiApi(requests.address).call({})
    assert "contact not given, FABULA_CONTACT is unset" in requests.agents[1]


@pytest.mark.parametrize(
    ("busy", "wait"),
    [
        (Reply(LAG, 200, {"Retry_After": "9"}), 9.0),
        (Reply(LAG, 503, {"Retry_After": "9"}), 9.0),
        (Reply(b"slow down", 429, {"Retry_After": "9"}), 9.0),
        (Reply(b"", 503), 0.5),
        (Reply({"error": {"code": "ratelimited", "info": ""}}), 0.5),
        (Reply({"error": {"code": "internal_api_error_DBQueryError", "info": ""}}), 0.5),
    ],
)
def test_a_busy_wiki_is_asked_again_when_it_wants_to_be(busy: Reply, wait: float) -> None:
    with answering(busy, Reply()) as requests:
        assert requests.api().call({}) == PAGE
    assert requests.waits == [wait]


def test_retry_after_may_be_a_date() -> None:
    with answering(Reply(b"", 503, {"Retry_After": formatdate(time.time() + 15, usegmt=True)}), Reply()) as requests:
        requests.api().call({})
    assert 2 < requests.waits[0] <= 15


def test_waits_grow_and_end_and_an_hour_is_not_waited_for() -> None:
    with answering(Reply(LAG)) as requests, pytest.raises(StoreError, match=r"maxlag: .*after 4 attempts.* run again later"):
        requests.api().call({})
    assert (len(requests.asked), requests.waits) == (4, [0.5, 1.0, 2.0])
    with answering(Reply(LAG, 503, {"Retry_After": "3600"})) as requests, pytest.raises(StoreError, match="3600 s"):
        requests.api().call({})
    assert len(requests.asked) == 1
    with pytest.raises(StoreError, match="ConnectError"):  # nothing listens any more
        requests.api().call({})


def test_lists_are_followed_to_their_end_and_pages_put_together() -> None:
    first = {
        "continue": {"gcmcontinue": "page|2", "continue": "gcmcontinue||"},
        "query": {"pages": [{"pageid": 1, "title": "A", "redirects": [{"title": "a"}]}], "redirects": [{"from": "a", "to": "A"}]},
    }
    second = {
        "continue": {"rdcontinue": "9", "continue": "||info"},
        "query": {"pages": [{"pageid": 2, "title": "B"}, {"pageid": 1, "title": "A", "lastrevid": 5}]},
    }
    third = {"query": {"pages": [{"pageid": 1, "title": "A", "redirects": [{"title": "a"}, {"title": "aa"}]}]}}
    with answering(Reply(first), Reply(second), Reply(LAG), Reply(third)) as requests:
        pages, redirects = requests.api().query_pages({"generator": "categorymembers"})
    assert pages == [
        {"pageid": 1, "title": "A", "lastrevid": 5, "redirects": [{"title": "a"}, {"title": "aa"}]},
        {"pageid": 2, "title": "B"},
    ]
    assert redirects == {"a": "A"}
    assert [request.get("gcmcontinue") for request in requests.asked] == [None, "page|2", None, None]
    assert [request.get("rdcontinue") for request in requests.asked] == [None, None, "9", "9"]


@pytest.mark.parametrize(("places", "message", "asked"), [("abca", "repeats from", 4), ("abcdefghi", "more than 5 replies", 5)])
def test_a_list_without_an_end_is_given_up(places: str, message: str, asked: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wiki_api, "MAX_BATCHES", 5)
    with answering(*list_continued(*places)) as requests, pytest.raises(StoreError, match=message):
        requests.api().query_pages({})
    assert [request.get("gcmcontinue") for request in requests.asked] == [None, *places][:asked]


class _Slow(Handler):
    """Sends a byte now and then: of a header that never ends, or of the reply."""

    asked: ClassVar[list[str]] = []
    start = b""

    def reply(self) -> None:
        self.asked.append(self.path)
        with suppress(OSError):
            self.wfile.write(self.start)
            while True:
                self.wfile.write(b"x")
                time.sleep(0.01)


@pytest.mark.parametrize("start", [b"HTTP/1.1 200 OK\r\nX-Never: ", b"HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n"])
def test_a_reply_that_does_not_end_is_given_up(start: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wiki_api, "REPLY_SECONDS", 0.3)
    monkeypatch.setattr(web, "REPLY_SECONDS", 0.3)
    asked: list[str] = []
    with serving(type("_Server", (_Slow,), {"start": start, "asked": asked})) as address:
        with pytest.raises(StoreError, match="ReadTimeout: the reply had no end after 0 s"):
            WikiApi(f"{address}/api.php", Patience(attempts=2, first_wait=0.0)).call({})
        assert len(asked) == 2
        with pytest.raises(StoreError, match=r"robots\.txt could not be read \(the reply had no end after 0 s\)"):
            web.read_robots(address)


def test_a_reply_that_is_too_large_is_not_read_to_its_end() -> None:
    with answering(Reply(b"x" * 300_000)) as requests, pytest.raises(SourceError, match="more than 0 MiB"):
        requests.api().call({}, 100_000)


REFUSAL = {"error": {"code": "invalidcategory", "info": "The category name you entered is not valid."}}


@pytest.mark.parametrize(
    ("reply", "error", "message"),
    [
        (Reply(b"", 302, {"Location": "file:///etc/passwd"}), ConfigError, "file:///etc/passwd"),
        (Reply(b"", 302, {"Location": "https://elsewhere.example/api.php"}), ConfigError, "elsewhere.example/api.php"),
        (Reply(b"<html>", 404), ConfigError, r"no MediaWiki API here .*Special:Version"),
        (Reply(b"<html>hello"), ConfigError, "no MediaWiki API here"),
        (Reply([1]), ConfigError, "no MediaWiki API here"),
        (Reply(REFUSAL), WikiError, "invalidcategory: .* not valid"),
        (Reply(b"[" * 100_000), SourceError, "nested too deeply"),
        (Reply(b'{"parse": "\\uD800"}'), SourceError, "half of a surrogate pair"),
    ],
)
def test_what_is_no_reply_of_the_api_is_told_at_once(reply: Reply, error: type[Exception], message: str) -> None:
    with answering(reply) as requests, pytest.raises(error, match=message):
        requests.api().call({"action": "parse"})
    assert len(requests.asked) == 1


def test_one_machine_asks_few_things_at_once() -> None:
    with answering(Reply(pause=0.05)) as requests, ThreadPoolExecutor(6) as pool:
        assert list(pool.map(lambda _: requests.api().call({}), range(6))) == [PAGE] * 6
    assert requests.busiest <= SLOTS
