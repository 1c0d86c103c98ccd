"""Measures the report of a release with many made-up pairs in a real browser: what a page loads, and how fast it answers.

    python -m lab.speed.report [--pairs 50000] [--repeat 3] [--json]

The release is made from synthetic units of the same shape as episodes: each has 2,000 turns, and chunks of one to four sentences
over them. Its report is written as a run writes it, then served by `fabula report`, and opened in headless Chromium with an empty
cache for every repetition. Reported are medians.

- first view: from the call of the address until the overview with its plots is on the screen; what was transferred for it;
- rows: until the first row and its dialogue are on the screen, from another fresh start; and until the whole index is there;
- search in the dialogues: from the tick until all are loaded and searched, their size, and a search once they are there;
- search: from the last letter until the list has changed, and the part of it that is the search itself;
- filter, next row: the same for a filter and for the key `j` (the dialogue of another episode has to be loaded).

The reference in the same run is the empty page of the same server: what remains is the report's own.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from statistics import median

from core.dataset.report import CONFIDENCE, MEASURES, ReportRow, ReportSpec, ReportTurn, UnitReport
from core.dataset.splits import SplitConfig
from infra.pages.server import open_socket
from infra.store.history import Publication
from infra.store.objects import Store
from infra.tables.parquet import Provenance, Rows
from tasks.frame.publish import ReleaseFacts, publish_tables
from tasks.frame.release import plan_release, write_shard
from tasks.frame.release_spec import ReleaseUnit, Reporter, TableSpec
from tasks.frame.report import plan_report, write_report_part
from tests.integration.chromium import Browser, browsing
from tests.tasks.toy import TEXTS

TURNS = 2_000
PAIRS_OF_A_UNIT = 400
WORDS = [
    f"{start}{end}"
    for start in ("lan", "mor", "tid", "quar", "hel", "bri", "sto", "ver")
    for end in ("tern", "ow", "al", "ing", "est")
]


def make_unit(_: Store, unit: ReleaseUnit) -> list[UnitReport]:
    """Return a made-up episode; the same for the same name."""
    drawn = random.Random(unit.unit)

    def say(least: int, most: int) -> str:
        return " ".join(drawn.choices(WORDS, k=drawn.randint(least, most)))

    turns = tuple(ReportTurn(number, (f"SPEAKER {drawn.randint(1, 7)}",), say(3, 35)) for number in range(TURNS))
    rows = []
    for place in range(PAIRS_OF_A_UNIT):
        start = place * TURNS // PAIRS_OF_A_UNIT
        confidence = drawn.betavariate(6, 1)
        rows.append(
            ReportRow(
                id=f"{unit.unit}_2_0_{place:04d}",
                summary=f"{say(10, 40).capitalize()}.",
                spans=((start, min(TURNS, start + drawn.randint(4, 40))),),
                reason="" if confidence >= 0.8 else "low-confidence",
                confidence=confidence,
                series=f"{1 + place % 4} sentences",
            )
        )
    return [UnitReport(id=unit.unit, title=say(2, 4), turns=turns, rows=tuple(rows))]


def make_release(folder: Path, pairs: int) -> tuple[Store, str]:
    """Write a release with this report and no rows in its table; return its store and its folder."""
    store, provenance = Store(str(folder)), Provenance("made up", "CC0-1.0", "nobody")
    names = [f"S{number // 100:02d}E{number % 100:02d}" for number in range(pairs // PAIRS_OF_A_UNIT)]
    units = {
        name: ReleaseUnit(unit=name, artifacts={}, checksums=("a",), size=TURNS * 100, provenance=provenance) for name in names
    }
    table = TableSpec(name="pairs", schema=TEXTS, build=partial(_build_none), config=True, expansion=0.0)
    plan = plan_release(store, "synthetic", units, (table,), SplitConfig(), {})
    reporter = Reporter(
        present=make_unit, spec=ReportSpec(unit=("episode", "episodes"), row=("pair", "pairs"), measures=(CONFIDENCE, *MEASURES))
    )
    facts = ReleaseFacts(
        statistics={},
        report=[write_report_part(request) for request in plan_report(plan, reporter).values()],
        words=reporter.spec,
    )
    shards = [write_shard(request) for request in plan.requests.values()]
    publish_tables(store, plan, shards, facts, Publication(run=1, started="2026-01-01T00:00:00+00:00", parent=None))
    return store, plan.folder


def _build_none(_: Store, __: ReleaseUnit) -> Rows:
    return Rows(TEXTS.empty_table())


def wait(browser: Browser, until: str) -> float:
    """Wait until an expression of the page is true, and return the milliseconds since the page was asked for."""
    script = f"while (!({until})) await new Promise((go) => setTimeout(go, 5)); return performance.now()"
    return float(browser.run(script))


def time_change(browser: Browser, change: str, until: str) -> float:
    """Return the milliseconds from a change in the page until an expression is true."""
    waiting = f"while (!({until})) await new Promise((go) => setTimeout(go, 2))"
    return float(browser.run(f"const from = performance.now(); {change}; {waiting}; return performance.now() - from"))


LOADED = """
const entries = [...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')];
return [entries.length, entries.reduce((sum, each) => sum + each.transferSize, 0)]
"""
WHOLE = "fabula.index.whole && !document.getElementById('found').textContent.includes('loading')"
COUNTED = "window.before = document.getElementById('found').textContent"
CHANGED = "document.getElementById('found').textContent !== window.before"
SEARCH = "const q = document.getElementById('q'); q.value = 'lantern morest'; q.dispatchEvent(new Event('input'))"
MATCH = "fabula.index.rows.filter(fabula.reader.matcher({q: 'tidow brial'}))"
FILTER = """
const q = document.getElementById('q'), split = document.getElementById('split');
q.value = ''; split.value = 'test'; split.dispatchEvent(new Event('change'))
"""
FAR = """
const found = fabula.reader.found, row = found[found.length - 1];
fabula.reader.current = found[found.length - 2]; fabula.reader.step(1)
"""


SAID = "window.before = ''; document.getElementById('said').click()"
HEARD = "fabula.said.chunks.size && !fabula.said.progress() && document.getElementById('found').textContent"
MATCH_SAID = "fabula.index.rows.filter(fabula.reader.matcher({q: 'tidow brial', said: '1'}))"


def measure(browser: Browser, address: str) -> dict[str, float]:
    """Return the figures of one repetition."""
    found: dict[str, float] = {}

    def fresh(url: str) -> None:
        browser.call("Network.clearBrowserCache")
        browser.open("about:blank")
        browser.open(url)

    fresh(address.replace("index.html", "d3-license.txt"))
    found["empty page, ms"] = float(browser.run("return performance.now()"))
    fresh(address)
    found["first view, ms"] = wait(browser, "document.querySelectorAll('.grid-of-plots svg').length >= 4")
    found["first view, requests"], transferred = browser.run(LOADED)
    found["first view, kB"] = transferred / 1e3
    fresh(f"{address}#/read")
    found["first row, ms"] = wait(browser, "document.querySelector('#row .turns li')")
    found["whole index, ms"] = wait(browser, WHOLE)
    found["whole index, kB"] = browser.run(LOADED)[1] / 1e3
    found["search with its pause, ms"] = time_change(browser, f"{COUNTED}; {SEARCH}", CHANGED)
    found["search itself, ms"] = time_change(browser, MATCH, "true")
    found["filter, ms"] = time_change(browser, f"{COUNTED}; {FILTER}", CHANGED)
    shown = "document.querySelector('#row h2').textContent === row.id"
    found["row of an episode not loaded, ms"] = time_change(browser, FAR, shown)
    browser.run(SEARCH)
    before = browser.run(LOADED)[1]
    found["dialogues loaded and searched, ms"] = time_change(browser, SAID, HEARD)
    found["dialogues, MB"] = (browser.run(LOADED)[1] - before) / 1e6
    found["search in the dialogues itself, ms"] = time_change(browser, MATCH_SAID, "true")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=50_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fabula-bench-") as name:
        folder = Path(name)
        started = time.perf_counter()
        store, release = make_release(folder / "store", options.pairs)
        written = time.perf_counter() - started
        report = [entry.size for entry in store.list_objects(f"{release}/report")]
        with open_socket() as probe:
            port = probe.getsockname()[1]
        command = [str(Path(sys.executable).with_name("fabula")), "report", "synthetic", "--store", str(folder / "store")]
        server = subprocess.Popen([*command, "--no-open", "--port", str(port)], stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            (folder / "profile").mkdir()
            with browsing(folder / "profile", "") as browser:
                browser.call("Network.enable")
                browser.call("Emulation.setDeviceMetricsOverride", width=1280, height=900, deviceScaleFactor=1, mobile=False)
                runs = [measure(browser, address) for _ in range(options.repeat)]
        finally:
            server.terminate()
            server.wait(timeout=60)
    figures = {name: median(run[name] for run in runs) for name in runs[0]}
    figures |= {"report on disk, MB": sum(report) / 1e6, "report on disk, files": len(report), "writing it, s": written}
    if options.json:
        print(json.dumps(figures))
    else:
        print(f"{options.pairs:,} pairs in {options.pairs // PAIRS_OF_A_UNIT} episodes, medians of {options.repeat}\n")
        print("| figure | |\n|---|---:|")
        print("\n".join(f"| {name} | {value:,.1f} |" for name, value in figures.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
