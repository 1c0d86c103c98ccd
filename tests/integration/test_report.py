"""The report in a real browser: every pipeline's examples, search, filters, keys, links, hostile text, and what axe-core finds.

Pictures of the pages go to docs/images where FABULA_SCREENSHOTS names that folder (or another).
"""

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from infra.store.objects import Store
from tests.flows.calling import Fabula
from tests.integration.chromium import Browser
from tests.integration.conftest import starting_servers
from tests.tasks.in_process import run
from tests.tasks.toy import LETTERS, write_text

pytestmark = pytest.mark.integration

HOSTILE = "<img src=x onerror=\"document.title='taken'\"></script><script>document.title='taken'</script>"
PIPELINES = ("transcripts", "scripts", "subtitles", "threads", "rooms")


@pytest.fixture(scope="module")
def demo(fabula: Fabula, repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the examples of every pipeline."""
    store = tmp_path_factory.mktemp("demo") / "store"
    assert fabula("demo", "--in-process", "--store", store, cwd=repository).status == 0
    return store


@pytest.fixture(scope="module")
def report(
    environment: dict[str, str], free_port: Callable[[], int], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[Path, str], str]]:
    """Serve the report of a dataset as a user does, each once, and return the address of its page."""
    with starting_servers(environment, tmp_path_factory.mktemp("logs")) as start:

        @cache
        def serve(store: Path, dataset: str) -> str:
            port = free_port()
            start("fabula", "report", dataset, "--store", str(store), "--no-open", "--port", str(port), port=port)
            return f"http://127.0.0.1:{port}/report/index.html"

        yield serve


def show(browser: Browser, address: str, until: str) -> None:
    """Open a view anew, and wait until an expression of the page is true."""
    browser.open("about:blank")
    browser.faults.clear()  # a view before may have asked a server that has ended meanwhile
    browser.open(address)
    browser.wait(until)


READY = "document.querySelector('#row h2')"
UNIT = "document.querySelector('main .chips')"


@pytest.mark.parametrize("dataset", PIPELINES)
def test_every_view_of_every_example_renders_without_faults(
    dataset: str, demo: Path, browser: Browser, report: Callable[[Path, str], str]
) -> None:
    address = report(demo, dataset)
    violations: list[str] = []
    for scheme in ("light", "dark") if dataset == "transcripts" else ("light",):
        browser.show_on(dark=scheme == "dark", width=1280)
        show(browser, address, "document.querySelector('.tile')")
        assert browser.faults == []
        violations += browser.find_violations()
        if dataset == "transcripts":
            browser.photograph(f"report-overview-{scheme}")
        show(browser, f"{address}#/read", READY)
        assert browser.faults == []
        violations += browser.find_violations()
        assert browser.run("return document.querySelectorAll('#results a').length") > 0
        if dataset == "transcripts":
            browser.photograph(f"report-reader-{scheme}")
        show(browser, f"{address}#/units", "document.querySelector('#unit-table td a')")
        browser.run("document.querySelector('#unit-table td a').click()")
        browser.wait(UNIT)
        if browser.run("return Boolean(document.getElementById('explore'))"):
            browser.run("document.getElementById('explore').click()")
            browser.wait("document.querySelector('.explore figure')")
        assert browser.faults == []
        violations += browser.find_violations()
        browser.photograph(f"report-{dataset}-{scheme}")
    for view in ("changes", "quarantine"):
        show(browser, f"{address}#/{view}", f"document.querySelector('#{view} p:not(.quiet)')")
        assert browser.faults == []
        violations += browser.find_violations()
    assert violations == []


def read_list(browser: Browser) -> list[str]:
    return list(browser.run("return [...document.querySelectorAll('#results a')].map(each => each.dataset.row)"))


def test_search_filters_keys_and_links_lead_to_rows(demo: Path, browser: Browser, report: Callable[[Path, str], str]) -> None:
    address = report(demo, "transcripts")
    show(browser, f"{address}#/read", READY)
    everything = browser.run("return document.getElementById('found').textContent")

    browser.press("/")
    browser.wait("document.activeElement.id === 'q'")
    for letter in "microphone":
        browser.press(letter)
    browser.wait(f"document.getElementById('found').textContent !== {json.dumps(everything)}")
    texts = browser.run("return [...document.querySelectorAll('#results a')].map(each => each.textContent)")
    assert texts
    found = read_list(browser)
    summaries = browser.run("return fabula.reader.found.map(row => row.summary)")
    assert all("microphone" in summary.lower() for summary in summaries)
    assert len(summaries) < browser.run("return fabula.index.rows.length")
    assert "q=microphone" in browser.run("return location.hash")

    browser.press("Escape")
    browser.press("j")
    browser.wait(f"document.querySelector('#row h2').textContent === {json.dumps(found[1])}")
    assert browser.run("return document.querySelectorAll('#row .dialogue mark').length") > 0
    link = browser.run("return location.href")
    browser.press("k")
    browser.wait(f"document.querySelector('#row h2').textContent === {json.dumps(found[0])}")
    turns = browser.run("return document.querySelectorAll('#row .turns li').length")
    browser.press("c")
    browser.wait(f"document.querySelectorAll('#row .turns li').length > {turns}")

    show(browser, link, f"document.querySelector('#row h2')?.textContent === {json.dumps(found[1])}")
    assert browser.run("return document.getElementById('q').value") == "microphone"
    assert read_list(browser) == found

    show(browser, f"{address}#/read?split=test&reason=kept&least=0.9", READY)
    rows = browser.run("return fabula.reader.found.map(row => [row.unit.split, row.reason, row.confidence])")
    assert rows
    assert all(split == "test" and reason == "" and confidence >= 0.9 for split, reason, confidence in rows)
    show(browser, f"{address}#/read?reason=rejected", READY)
    assert all(browser.run("return fabula.reader.found.map(row => row.reason)"))

    browser.press("?")
    browser.wait("document.getElementById('help').open")
    assert browser.find_violations() == []
    browser.press("Escape")
    assert browser.faults == []


def test_what_is_said_is_found_once_somebody_asks_for_it(
    demo: Path, browser: Browser, report: Callable[[Path, str], str]
) -> None:
    address = report(demo, "transcripts")
    show(browser, f"{address}#/read", READY)
    assert browser.run("return fabula.said.chunks.size") == 0, "nobody has asked for the dialogues yet"
    word = browser.run("""
      const summaries = fabula.index.rows.map(row => row.summary).join(' ').toLowerCase();
      const turns = [...document.querySelectorAll('#row .turns li p')].map(each => each.textContent.toLowerCase()).join(' ');
      return turns.match(/[a-z]{5,}/g).find(each => !summaries.includes(each));""")
    assert word, "expected a word that the dialogue has and no summary"
    show(
        browser,
        f"{address}#/read?q={word}",
        "fabula.index.whole && document.getElementById('found').textContent.startsWith('0 of')",
    )
    browser.press("/")
    browser.wait("document.activeElement.id === 'q'")
    browser.run("document.getElementById('said').click()")
    browser.wait(READY)
    browser.wait("fabula.said.progress() === ''")
    assert "said=1" in browser.run("return location.hash")
    found = browser.run("return fabula.reader.found.length")
    assert 0 < found < browser.run("return fabula.index.rows.length")
    browser.wait("document.querySelector('#row .dialogue mark.hit')")
    assert word in browser.run("return document.querySelector('#row .dialogue mark.hit').textContent").lower()
    assert browser.find_violations() == []
    assert browser.faults == []
    show(browser, browser.run("return location.href"), f"fabula.reader.found.length === {found}")


def test_settings_tried_begin_with_what_is_and_say_the_value_that_their_rule_has(
    demo: Path, browser: Browser, report: Callable[[Path, str], str]
) -> None:
    show(browser, f"{report(demo, 'transcripts')}#/", "document.querySelector('output.told')")
    kept = browser.run("return fabula.rows(fabula.release.counts.reasons[''])")
    rules = browser.run("return fabula.release.thresholds")
    told = browser.run("return [...document.querySelectorAll('output.told')].map(each => each.textContent)")
    by_setting = {rule["setting"]: f"{rule['setting']} = {rule['value']:g}: {kept} (now)" for rule in rules}
    assert told
    assert all(text == by_setting[text.split(" = ")[0]] for text in told)
    tried = """
      const measure = {name: 'turns', edges: [0, 1, 2, 3, 4], bins: {'': [0, 2, 3, 0], long: [0, 0, 0, 5]}};
      const rule = {measure: 'turns', reason: 'long', setting: 'most', value: 2, least: false};
      const plot = fabula.plots.threshold(rule, measure), slider = plot.querySelector('input');
      return [1, 2, 3, 4].map(place => {
        slider.value = place;
        slider.dispatchEvent(new Event('input'));
        return plot.querySelector('output').textContent.replace(/ [a-z]+ /, ' ');
      })"""
    assert browser.run(tried) == ["most = 0: 0 (−5)", "most = 1: 2 (−3)", "most = 2: 5 (±0)", "most = 3: 10 (+5)"]


@pytest.mark.parametrize("address", ["#/rejects", "#/tables", "#/toString", "#/nosuch"])
def test_an_address_that_is_no_page_shows_the_overview(
    address: str, demo: Path, browser: Browser, report: Callable[[Path, str], str]
) -> None:
    show(browser, report(demo, "subtitles") + address, "document.querySelector('.tile')")
    assert browser.faults == []


def test_rejects_that_are_counted_and_not_listed_are_told(
    demo: Path, browser: Browser, report: Callable[[Path, str], str]
) -> None:
    address = report(demo, "transcripts")
    show(browser, f"{address}#/read", READY)
    assert browser.run("return document.getElementById('unlisted').textContent") == ""
    browser.run("fabula.release.counts.reasons.cut = 1700; fabula.reader.list()")
    told = browser.run("return document.getElementById('unlisted').textContent")
    assert told.startswith("1,700 more that were left out of the release are not listed here")
    unit = browser.run("return fabula.index.units[0].id")
    browser.run(f"fabula.index.units[0].rejected += 3; fabula.go('read', {{unit: {json.dumps(unit)}}})")
    browser.wait(f"document.getElementById('unlisted').textContent.startsWith('3 more that were left out of {unit} are')")


def test_a_phone_shows_one_thing_at_a_time_and_nothing_is_cut_off(
    demo: Path, browser: Browser, report: Callable[[Path, str], str]
) -> None:
    address = report(demo, "transcripts")
    browser.show_on(dark=False, width=390)
    try:
        for view, until in (("#/", "document.querySelector('.tile')"), ("#/read", READY), ("#/units?unit=S01E01", UNIT)):
            show(browser, address + view, until)
            assert browser.run("return document.documentElement.scrollWidth - innerWidth") <= 0, view
            assert browser.find_violations() == []
            browser.photograph(f"report-phone-{view.strip('#/').split('?')[0] or 'overview'}")
        show(browser, f"{address}#/read", READY)
        browser.run("document.querySelector('#results a').click()")
        browser.wait("getComputedStyle(document.querySelector('.finding')).display === 'none'")
        browser.photograph("report-phone-row")
        browser.run("document.querySelector('#row .back').click()")
        browser.wait("getComputedStyle(document.querySelector('.finding')).display !== 'none'")
    finally:
        browser.show_on(dark=False, width=1280)


def test_text_of_the_data_is_never_read_as_html(tmp_path: Path, browser: Browser, report: Callable[[Path, str], str]) -> None:
    write_text(tmp_path / "source", "hostile", HOSTILE, f"Another {HOSTILE}")
    run(LETTERS, tmp_path / "source", Store(str(tmp_path / "store")))
    address = report(tmp_path / "store", "letters")
    for view, until in (("#/", "document.querySelector('.tile')"), ("#/read", READY), ("#/units?unit=hostile", UNIT)):
        show(browser, address + view, until)
        assert browser.run("return document.title") != "taken"
        assert browser.run("return document.querySelectorAll('main img, main script').length") == 0
        assert browser.faults == []
    show(browser, f"{address}#/read", READY)
    assert HOSTILE in browser.run("return document.getElementById('row').textContent")


def test_a_release_that_another_server_serves_shows_its_rows_and_asks_for_nothing_else(
    demo: Path, browser: Browser, start_server: Callable[..., None], free_port: Callable[[], int]
) -> None:
    version = json.loads((demo / "datasets/transcripts/latest.json").read_text())["version"]
    port = free_port()
    folder = demo / "datasets" / "transcripts" / version
    start_server("python", "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", str(folder), port=port)
    show(browser, f"http://127.0.0.1:{port}/report/index.html#/read", READY)
    views = browser.run("return [...document.querySelectorAll('#views a')].map(each => each.textContent)")
    assert views == ["Overview", "Pairs", "Episodes"]
    asked: list[Any] = browser.run("return performance.getEntriesByType('resource').map(each => each.name)")
    assert all(name.startswith((f"http://127.0.0.1:{port}/report/", "data:")) for name in asked)
    assert browser.faults == []
