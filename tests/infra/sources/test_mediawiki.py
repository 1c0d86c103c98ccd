"""A wiki as a source: what its address may say, and pages replayed from replies that real wikis gave."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

import pytest

from core.dataset.units import SourceFile
from core.errors import ConfigError, StoreError
from core.wiki.page_reader import read_wiki_page
from infra.sources.mediawiki import MediaWikiSource
from infra.sources.opening import open_source
from infra.sources.wiki_api import WikiApi
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


@pytest.fixture
def recorded(corpora: Path) -> Path:
    return corpora / "mediawiki"


def reply(recorded: Path, name: str) -> Any:
    return json.loads((recorded / "wptools" / f"{name}.json").read_text())["response"]


def siteinfo(recorded: Path) -> Any:
    rights = {"url": "https://creativecommons.org/licenses/by-sa/3.0/", "text": "CC BY-SA 3.0"}
    general = reply(recorded, "siteinfo")["query"]["general"]
    return {"query": {"general": {"script": "/w/index.php", "articlepath": "/wiki/$1"} | general, "rightsinfo": rights}}


def test_a_recorded_redirect_of_a_newer_wiki_counts_once_through_a_continuation(recorded: Path) -> None:
    first, last = reply(recorded, "redirect"), reply(recorded, "query")
    del last["continue"]
    answers = {("query",): first, ("query", first["continue"]["rncontinue"]): last}
    with replaying(answers) as (address, requests):
        pages, redirects = WikiApi(address, QUICK).query_pages({"titles": "Adams, Douglas", "redirects": "1"})
    assert redirects == {"Adams, Douglas": "Douglas Adams"}
    assert [(page["pageid"], page["title"]) for page in pages] == [(8091, "Douglas Adams")]
    assert [request.get("continue") for request in requests] == ["", first["continue"]["continue"]]


def test_a_recorded_list_that_breaks_off_within_a_page_is_put_together(recorded: Path) -> None:
    first = reply(recorded, "query_plcontinue")
    last = {"query": {"pages": [{"pageid": 144146, "title": "List of programming languages", "links": [{"title": "Zig"}]}]}}
    answers = {("query",): first, ("query", first["continue"]["plcontinue"]): last}
    with replaying(answers) as (address, _):
        ((page,), _) = WikiApi(address, QUICK).query_pages({"titles": "List of programming languages"})
    assert len(page["links"]) == len(first["query"]["pages"][0]["links"]) + 1


@pytest.mark.parametrize("name", ["parse", "parse_62", "parse_66", "parse_91", "parse_109", "parse_infobox"])
def test_recorded_pages_read_as_saved_ones_do(recorded: Path, name: str) -> None:
    parsed = reply(recorded, name)
    with replaying({("siteinfo",): siteinfo(recorded), ("77",): parsed}) as (address, requests):
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
    if name == "parse_infobox":
        assert page.infobox
    asked = next(request for request in requests if request["action"] == "parse")
    assert asked["oldid"] == "77"


BARE = SourceFile("recaps/X.html", 1, "7", "")


def test_a_revision_that_is_gone_is_told_with_its_page() -> None:
    with replaying({("parse",): {"error": {"code": "nosuchrevid", "info": "There is no revision with ID 7."}}}) as (address, _):
        source = MediaWikiSource(f"mediawiki+{address}?titles=X", QUICK)
        with pytest.raises(StoreError, match=r"could not read recaps/X\.html, revision 7: .*no revision with ID 7"):
            source.read(BARE, 100)
        assert source.checksum(BARE) == ""


def test_a_category_without_pages_is_no_empty_source() -> None:
    with replaying({("query",): {"batchcomplete": True}}) as (address, requests):
        source = MediaWikiSource(f"mediawiki+{address}?category={quote('Epsiodes')}&namespace=0|4", QUICK)
        with pytest.raises(ConfigError, match=r"Category:Epsiodes has no pages in namespace 0\|4"):
            source.list_files()
    assert (requests[0]["gcmtitle"], requests[0]["gcmnamespace"]) == ("Category:Epsiodes", "0|4")


def test_a_reply_without_its_parts_is_no_bug_of_ours() -> None:
    answers = {("query",): {"query": {"pages": [{"pageid": 1, "lastrevid": 7}]}}, ("parse",): {"parse": {"revid": 7}}}
    with replaying(answers) as (address, _):
        source = MediaWikiSource(f"mediawiki+{address}?titles=X", QUICK)
        with pytest.raises(StoreError, match=r"not MediaWiki's .*title"):
            source.list_files()
        with pytest.raises(StoreError, match=r"could not read recaps/X\.html, revision 7"):
            source.read(BARE, 100)


def test_a_wiki_that_is_too_old_is_told_and_no_part_of_its_list_is_taken() -> None:
    answer = {"query-continue": {"allpages": {"apcontinue": "B"}}, "query": {"pages": [{"pageid": 1, "title": "A"}]}}
    with replaying({("query",): answer}) as (address, _), pytest.raises(ConfigError, match=r"older than MediaWiki 1\.26"):
        MediaWikiSource(f"mediawiki+{address}?category=A", QUICK).list_files()


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
