"""A wiki as a source: its address, pages replayed from replies of real wikis, and the manners towards its API."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.utils import formatdate
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from core.dataset.units import SourceFile
from core.errors import ConfigError, SourceError, StoreError
from core.wiki.page_reader import read_wiki_page
from infra.sources import web, wiki_api
from infra.sources.mediawiki import MediaWikiSource
from infra.sources.opening import open_source
from infra.sources.wiki_api import CONTACT, SLOTS, WikiApi, WikiError
from infra.web_requests import Patience
from tests.infra.sources.servers import Handler, serving

QUICK = Patience(attempts=2, first_wait=0.05, longest_wait=1.0)
API = "mediawiki+https://wiki.example/w/api.php"


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("mediawiki+https://wiki.example/wiki/Main_Page?category=A", "expected mediawiki"),
        ("mediawiki+ftp://wiki.example/api.php?category=A", "expected mediawiki"),
        ("mediawiki+file:///api.php?category=A", "expected mediawiki"),
        ("mediawiki+https://me:secret@wiki.example/api.php?category=A", "can be read without a login"),
        (API, "no pages are named"),
        (f"{API}?category=A&catgory=B", "unknown option catgory; the options are category, folder, namespace, titles, unit"),
        (f"{API}?category=A&folder=movies", "expected recaps or transcripts"),
        (f"{API}?category=A&unit=S{{season}}", "expected a template"),
    ],
)
def test_a_wrong_address_is_the_callers_error(url: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        open_source(url)


@contextmanager
def replaying(answers: dict[tuple[str, ...], Any]) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Serve replies by the values of the request's telling parameters; yield the address and the requests."""
    requests: list[dict[str, str]] = []

    class Wiki(Handler):
        def reply(self) -> None:
            asked = dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))
            requests.append(asked)
            telling = {*asked.values()}
            chosen = max((key for key in answers if telling.issuperset(key)), key=len, default=None)
            self.answer(json.dumps(answers[chosen] if chosen else {"error": {"code": "unexpected", "info": str(asked)}}).encode())

    with serving(Wiki) as address:
        yield f"{address}/w/api.php", requests


@pytest.mark.parametrize("name", ["parse", "parse_62", "parse_66", "parse_91", "parse_109", "parse_infobox"])
def test_recorded_pages_read_as_saved_ones_do(corpora: Path, name: str) -> None:
    siteinfo, parsed = (
        json.loads((corpora / "mediawiki" / "wptools" / f"{each}.json").read_text())["response"] for each in ("siteinfo", name)
    )
    rights = {"url": "https://creativecommons.org/licenses/by-sa/3.0/", "text": "CC BY-SA 3.0"}
    general = {"script": "/w/index.php", "articlepath": "/wiki/$1"} | siteinfo["query"]["general"]
    answers = {("siteinfo",): {"query": {"general": general, "rightsinfo": rights}}, ("77",): parsed}
    with replaying(answers) as (address, requests):
        source = MediaWikiSource(f"mediawiki+{address}?titles=X", QUICK)
        file = SourceFile("recaps/X.html", 1, "77", source.url)
        document = source.read(file, 2**24)
        assert source.read(file, 2**24) == document
        assert len(source.read(file, 999)) == 1000
    page = read_wiki_page("recaps/X.html", document.decode())
    assert page.title == parsed["parse"]["title"]
    assert len(page.blocks) > 5
    assert not any("[edit" in heading for heading in page.headings)
    assert "NewPP" not in document.decode()
    assert page.infobox or name != "parse_infobox"
    asked = next(request for request in requests if request["action"] == "parse")
    assert asked["oldid"] == "77"


BARE = SourceFile("recaps/X.html", 1, "7", "")


def read_bare(source: MediaWikiSource) -> None:
    assert source.checksum(BARE) == ""
    source.read(BARE, 100)


UNTITLED = {("query",): {"query": {"pages": [{"pageid": 1, "lastrevid": 7}]}}, ("parse",): {"parse": {"revid": 7}}}
GONE = {("parse",): {"error": {"code": "nosuchrevid", "info": "There is no revision with ID 7."}}}
OLD = {"query-continue": {"allpages": {"apcontinue": "B"}}, "query": {"pages": [{"pageid": 1, "title": "A"}]}}


@pytest.mark.parametrize(
    ("answers", "pages", "act", "error", "message"),
    [
        (GONE, "titles=X", read_bare, StoreError, r"could not read recaps/X\.html, revision 7: .*no revision with ID 7"),
        (UNTITLED, "titles=X", read_bare, StoreError, r"could not read recaps/X\.html, revision 7"),
        (UNTITLED, "titles=X", MediaWikiSource.list_files, StoreError, r"not MediaWiki's .*title"),
        ({("query",): OLD}, "category=A", MediaWikiSource.list_files, ConfigError, r"older than MediaWiki 1\.26"),
        (
            {("Category:Epsiodes", "0|4"): {"batchcomplete": True}},
            "category=Epsiodes&namespace=0|4",
            MediaWikiSource.list_files,
            ConfigError,
            r"Category:Epsiodes has no pages in namespace 0\|4",
        ),
    ],
    ids=["gone", "no parts of a page", "no parts of a list", "too old a wiki", "no pages"],
)
def test_what_a_wiki_does_not_have_or_cannot_give_is_told(
    answers: dict[tuple[str, ...], Any],
    pages: str,
    act: Callable[[MediaWikiSource], object],
    error: type[Exception],
    message: str,
) -> None:
    with replaying(answers) as (address, _), pytest.raises(error, match=message):
        act(MediaWikiSource(f"mediawiki+{address}?{pages}", QUICK))


def test_redirects_missing_and_made_up_pages_are_told() -> None:
    page = {"pageid": 7, "title": "Low Tide", "lastrevid": 9, "length": 30}
    general = {"server": "//wiki.example", "script": "/w/index.php"}
    answers = {
        ("siteinfo",): {"query": {"general": general, "rightsinfo": {"url": "", "text": "CC BY-SA 3.0"}}},
        ("Ebb",): {"query": {"pages": [page], "redirects": [{"from": "Ebb", "to": "Low Tide"}]}},
        ("purpleberry",): {"query": {"pages": [{"title": "Purpleberry", "missing": True}]}},
        ("Special:Version",): {"query": {"pages": [{"ns": -1, "title": "Special:Version", "special": True}]}},
        ("0",): {"query": {"pages": [page]}},
    }
    with replaying(answers) as (address, requests):
        found, missing, special = (
            MediaWikiSource(f"mediawiki+{address}?titles={title}", QUICK).list_files()[0]
            for title in ("Ebb", "purpleberry", "Special:Version")
        )
    assert (found.path, found.version, found.size, found.fault) == ("recaps/Low Tide.html", "9", 30, "")
    assert found.origin == "Low Tide, revision 9, http://wiki.example/w/index.php?title=Low_Tide&oldid=9 (CC BY-SA 3.0)"
    assert missing.path == "recaps/Purpleberry.html"
    assert "no such page" in missing.fault
    assert special.fault.startswith("Special:Version: the wiki has no such page")
    assert requests[0]["redirects"] == "1"


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


WAIT = {"Retry_After": "9"}


@pytest.mark.parametrize(
    ("busy", "least", "most"),
    [
        (Reply(LAG, 200, WAIT), 9.0, 9.0),
        (Reply(LAG, 503, WAIT), 9.0, 9.0),
        (Reply(b"slow down", 429, WAIT), 9.0, 9.0),
        (Reply(b"", 503), 0.5, 0.5),
        (Reply({"error": {"code": "ratelimited", "info": ""}}), 0.5, 0.5),
        (Reply({"error": {"code": "internal_api_error_DBQueryError", "info": ""}}), 0.5, 0.5),
        (Reply(b"", 503, {"Retry_After": formatdate(time.time() + 600, usegmt=True)}), 2.0, 600.0),
    ],
)
def test_a_busy_wiki_is_asked_again_when_it_wants_to_be(busy: Reply, least: float, most: float) -> None:
    with answering(busy, Reply()) as requests:
        patience = Patience(attempts=4, first_wait=0.5, longest_wait=1000.0, sleep=requests.waits.append)
        assert WikiApi(requests.address, patience).call({}) == PAGE
    (wait,) = requests.waits
    assert least <= wait <= most


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
    replies = (Reply({"continue": {"gcmcontinue": place}, "query": {"pages": []}}) for place in places)
    with answering(*replies) as requests, pytest.raises(StoreError, match=message):
        requests.api().query_pages({})
    assert [request.get("gcmcontinue") for request in requests.asked] == [None, *places][:asked]


@pytest.mark.parametrize("start", [b"HTTP/1.1 200 OK\r\nX-Never: ", b"HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n"])
def test_a_reply_that_does_not_end_is_given_up(start: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wiki_api, "REPLY_SECONDS", 0.3)
    monkeypatch.setattr(web, "REPLY_SECONDS", 0.3)
    asked: list[str] = []

    class Slow(Handler):
        def reply(self) -> None:
            asked.append(self.path)
            with suppress(OSError):
                self.wfile.write(start)
                while True:
                    self.wfile.write(b"x")
                    time.sleep(0.01)

    with serving(Slow) as address:
        with pytest.raises(StoreError, match="ReadTimeout: the reply had no end after 0 s"):
            WikiApi(f"{address}/api.php", Patience(attempts=2, first_wait=0.0)).call({})
        assert len(asked) == 2
        with pytest.raises(StoreError, match=r"robots\.txt could not be read \(the reply had no end after 0 s\)"):
            web.read_robots(address)


@pytest.mark.parametrize(
    ("reply", "error", "message"),
    [
        (Reply(b"", 302, {"Location": "file:///etc/passwd"}), ConfigError, "file:///etc/passwd"),
        (Reply(b"", 302, {"Location": "https://elsewhere.example/api.php"}), ConfigError, "elsewhere.example/api.php"),
        (Reply(b"<html>", 404), ConfigError, r"no MediaWiki API here .*Special:Version"),
        (Reply(b"<html>hello"), ConfigError, "no MediaWiki API here"),
        (Reply([1]), ConfigError, "no MediaWiki API here"),
        (Reply({"error": {"code": "invalidcategory", "info": "It is not valid."}}), WikiError, "invalidcategory: .* not valid"),
        (Reply(b"[" * 90_000), SourceError, "nested too deeply"),
        (Reply(b'{"parse": "\\uD800"}'), SourceError, "half of a surrogate pair"),
        (Reply(b"x" * 300_000), SourceError, "more than 0 MiB"),
    ],
)
def test_what_is_no_reply_of_the_api_is_told_at_once(reply: Reply, error: type[Exception], message: str) -> None:
    with answering(reply) as requests, pytest.raises(error, match=message):
        requests.api().call({"action": "parse"}, 100_000)
    assert len(requests.asked) == 1


def test_one_machine_asks_few_things_at_once() -> None:
    with answering(Reply(pause=0.05)) as requests, ThreadPoolExecutor(6) as pool:
        assert list(pool.map(lambda _: requests.api().call({}), range(6))) == [PAGE] * 6
    assert requests.busiest <= SLOTS
