"""The API's manners: waiting when asked to, going on where a list breaks off, giving up in time, never reading too much."""

import json
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from core.errors import ConfigError, SourceError, StoreError
from infra.sources import web, wiki_api
from infra.sources.wiki_api import CONTACT, SLOTS, WikiApi, WikiError
from infra.web_requests import Patience
from tests.infra.sources.servers import serving

QUICK = Patience(attempts=4, first_wait=0.05, longest_wait=2.0)
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
    """What the server was asked, in order, with the time of each."""

    address: str = ""
    asked: list[dict[str, str]] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    busiest: int = 0


@contextmanager
def answering(*replies: Reply) -> Iterator[Requests]:
    """Serve the replies in order, the last for ever."""
    requests, lock, running = Requests(), threading.Lock(), [0]

    class Wiki(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            with lock:
                reply = replies[min(len(requests.asked), len(replies) - 1)]
                requests.asked.append(dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True)))
                requests.agents.append(self.headers["User-Agent"])
                requests.times.append(time.monotonic())
                running[0] += 1
                requests.busiest = max(requests.busiest, running[0])
            time.sleep(reply.pause)
            body = reply.content if isinstance(reply.content, bytes) else json.dumps(reply.content).encode()
            with lock:
                running[0] -= 1
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with serving(Wiki) as address:
        requests.address = f"{address}/api.php"
        yield requests


def gaps(times: Sequence[float]) -> list[float]:
    return [later - earlier for earlier, later in pairwise(times)]


def test_every_request_says_who_asks_and_how_much_lag_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CONTACT, "tales@example.org\r\nX-Other: 1")
    with answering(Reply()) as requests:
        assert WikiApi(requests.address).call({"action": "query", "titles": "Low Tide"}) == PAGE
    assert requests.asked == [{"action": "query", "titles": "Low Tide", "format": "json", "formatversion": "2", "maxlag": "5"}]
    assert requests.agents[0].startswith("fabula/")
    assert "(tales@example.org X-Other: 1)" in requests.agents[0]
    monkeypatch.delenv(CONTACT)
    with answering(Reply()) as requests:
        WikiApi(requests.address).call({})
    assert "contact not given, FABULA_CONTACT is unset" in requests.agents[0]


@pytest.mark.parametrize(
    ("busy", "wait"),
    [
        (Reply(LAG, 200, {"Retry-After": "1"}), 1.0),
        (Reply(LAG, 503, {"Retry-After": "1"}), 1.0),
        (Reply(b"slow down", 429, {"Retry-After": "1"}), 1.0),
        (Reply(b"", 503), 0.05),
        (Reply({"error": {"code": "ratelimited", "info": ""}}), 0.05),
        (Reply({"error": {"code": "internal_api_error_DBQueryError", "info": ""}}), 0.05),
    ],
    ids=["maxlag", "maxlag with 503", "429", "503 without a time", "ratelimited", "the wiki's own error"],
)
def test_a_busy_wiki_is_asked_again_when_it_wants_to_be(busy: Reply, wait: float) -> None:
    with answering(busy, Reply()) as requests:
        assert WikiApi(requests.address, QUICK).call({}) == PAGE
    (gap,) = gaps(requests.times)
    assert gap >= wait


def test_retry_after_may_be_a_date() -> None:
    with answering(Reply(b"", 503, {"Retry-After": formatdate(time.time() + 2, usegmt=True)}), Reply()) as requests:
        WikiApi(requests.address, QUICK).call({})
    assert gaps(requests.times)[0] > 0.5


def test_waits_grow_and_end() -> None:
    with (
        answering(Reply(LAG)) as requests,
        pytest.raises(StoreError, match=r"maxlag: .*after 4 attempts.* run again later"),
    ):
        WikiApi(requests.address, QUICK).call({})
    assert len(requests.times) == 4
    assert all(gap >= wait for gap, wait in zip(gaps(requests.times), (0.05, 0.1, 0.2), strict=True))


def test_a_wiki_that_wants_an_hour_is_left_alone_at_once() -> None:
    with answering(Reply(LAG, 503, {"Retry-After": "3600"})) as requests, pytest.raises(StoreError, match="3600 s"):
        WikiApi(requests.address, QUICK).call({})
    assert len(requests.asked) == 1


def test_nothing_listens() -> None:
    with answering(Reply()) as requests:
        pass
    with pytest.raises(StoreError, match="ConnectError"):
        WikiApi(requests.address, QUICK).call({})


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
        pages, redirects = WikiApi(requests.address, QUICK).query_pages({"generator": "categorymembers"})
    assert pages == [
        {"pageid": 1, "title": "A", "lastrevid": 5, "redirects": [{"title": "a"}, {"title": "aa"}]},
        {"pageid": 2, "title": "B"},
    ]
    assert redirects == {"a": "A"}
    assert [request.get("gcmcontinue") for request in requests.asked] == [None, "page|2", None, None]
    assert [request.get("rdcontinue") for request in requests.asked] == [None, None, "9", "9"]


def test_a_list_that_goes_in_a_circle_is_not_followed_for_ever() -> None:
    circle = [Reply({"continue": {"gcmcontinue": place}, "query": {"pages": []}}) for place in "abca"]
    with answering(*circle) as requests, pytest.raises(StoreError, match="repeats from"):
        WikiApi(requests.address, QUICK).query_pages({})
    assert [request.get("gcmcontinue") for request in requests.asked] == [None, "a", "b", "c"]


def test_a_list_without_an_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wiki_api, "MAX_BATCHES", 5)
    endless = [Reply({"continue": {"gcmcontinue": str(place)}, "query": {"pages": []}}) for place in range(9)]
    with answering(*endless) as requests, pytest.raises(StoreError, match="more than 5 replies"):
        WikiApi(requests.address, QUICK).query_pages({})
    assert len(requests.asked) == 5


class _Slow(BaseHTTPRequestHandler):
    """Sends a byte now and then: of a header that never ends, or of the reply."""

    start = b"HTTP/1.1 200 OK\r\nX-Never: "

    def do_GET(self) -> None:
        self.server.asked += 1  # type: ignore[attr-defined]
        with suppress(OSError):
            self.wfile.write(self.start)
            while True:
                self.wfile.write(b"x")
                time.sleep(0.01)

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.parametrize("start", [_Slow.start, b"HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n"])
def test_a_reply_that_does_not_end_is_given_up(start: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wiki_api, "REPLY_SECONDS", 0.3)
    monkeypatch.setattr(web, "REPLY_SECONDS", 0.3)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("_Server", (_Slow,), {"start": start}))
    server.asked = 0  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    try:
        with pytest.raises(StoreError, match="ReadTimeout: the reply had no end after 0 s"):
            WikiApi(f"{address}/api.php", Patience(attempts=2, first_wait=0.0)).call({})
        assert server.asked == 2  # type: ignore[attr-defined]
        with pytest.raises(StoreError, match=r"robots\.txt could not be read \(the reply had no end after 0 s\)"):
            web.read_robots(address)
    finally:
        server.shutdown()
        server.server_close()


def test_a_reply_that_is_too_large_is_not_read_to_its_end() -> None:
    with answering(Reply(b"x" * 300_000)) as requests, pytest.raises(SourceError, match="more than 0 MiB"):
        WikiApi(requests.address, QUICK).call({}, 100_000)


@pytest.mark.parametrize("location", ["file:///etc/passwd", "https://elsewhere.example/api.php"])
def test_redirects_are_not_followed(location: str) -> None:
    with answering(Reply(b"", 302, {"Location": location})) as requests, pytest.raises(ConfigError, match=location):
        WikiApi(requests.address, QUICK).call({})
    assert len(requests.asked) == 1


@pytest.mark.parametrize("reply", [Reply(b"<html>", 404), Reply(b"<html>hello"), Reply([1])])
def test_what_is_no_api_is_said_to_be_none(reply: Reply) -> None:
    with answering(reply) as requests, pytest.raises(ConfigError, match=r"no MediaWiki API here .*Special:Version"):
        WikiApi(requests.address, QUICK).call({})


def test_a_refusal_keeps_its_code() -> None:
    refusal = {"error": {"code": "invalidcategory", "info": "The category name you entered is not valid."}}
    with answering(Reply(refusal)) as requests, pytest.raises(WikiError, match="not valid") as refused:
        WikiApi(requests.address, QUICK).call({})
    assert refused.value.code == "invalidcategory"


def test_one_machine_asks_few_things_at_once() -> None:
    with answering(Reply(pause=0.1)) as requests, ThreadPoolExecutor(8) as pool:
        apis = [WikiApi(requests.address, QUICK) for _ in range(8)]
        assert list(pool.map(lambda api: api.call({}), apis)) == [PAGE] * 8
    assert requests.busiest <= SLOTS


@pytest.mark.parametrize(
    ("content", "reason"), [(b"[" * 100_000, "nested too deeply"), (b'{"parse": "\\uD800"}', "half of a surrogate pair")]
)
def test_a_reply_that_is_no_text_is_bad_input(content: bytes, reason: str) -> None:
    with answering(Reply(content)) as requests, pytest.raises(SourceError, match=reason):
        WikiApi(requests.address, QUICK).call({"action": "parse"})
