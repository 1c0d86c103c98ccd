"""Prefect's UI as a person sees it: a run of the examples, its page and its artifacts in a real browser.

With FABULA_SCREENSHOTS=DIR the pictures of the pages are kept there.
"""

import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.integration.chromium import PATIENCE, Browser
from tests.integration.conftest import BIN, copy_home

pytestmark = pytest.mark.integration

PAGES = {
    "run": ("runs/flow-run/{run}", ["Completed", "new"]),
    "artifacts": ("runs/flow-run/{run}", ["transcripts-run", "transcripts-coverage", "transcripts-alignment"]),
    "summary": ("artifacts/artifact/{transcripts-run}", ["Left out", "Pictures"]),
    "coverage": ("artifacts/artifact/{transcripts-coverage}", ["turns are in a span"]),
    "alignment": ("artifacts/artifact/{transcripts-alignment}", ["lie in the episode"]),
}


def ask(url: str, path: str, body: dict[str, Any]) -> Any:
    request = Request(f"{url}/api/{path}", json.dumps(body).encode(), {"content-type": "application/json"})
    with urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer)


CLICK = (
    "[...document.querySelectorAll('*')].filter(e => !e.children.length && e.textContent.trim() === 'Artifacts').at(-1)?.click();"
)


def read_page(browser: Browser, url: str, expected: list[str], tab: bool = False) -> str:
    """Open a page, or its tab of artifacts, and return its text once it has all that is expected, or after a minute."""
    browser.open(url)
    deadline = time.monotonic() + PATIENCE / 5
    while True:
        text = str(browser.run(f"{CLICK if tab else ''} return document.body.innerText"))
        if all(part in text for part in expected) or time.monotonic() > deadline:
            return text
        time.sleep(0.5)


def test_the_ui_shows_the_run_its_artifacts_and_its_pictures(
    browser: Browser,
    start_server: Callable[..., None],
    free_port: Callable[[], int],
    environment: dict[str, str],
    made_database: Path,
    repository: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    monkeypatch.setitem(environment, "PREFECT_SERVER_UI_API_URL", f"{url}/api")
    monkeypatch.setitem(environment, "PREFECT_HOME", str(copy_home(made_database, tmp_path / "prefect")))
    start_server("python", "-m", "infra.orchestration.guarded_server", "--port", str(port), port=port)
    source = repository / "examples" / "transcripts"
    call = [str(BIN / "fabula"), "run", "transcripts", "--source", str(source), "--config", str(source / "settings.toml")]
    subprocess.run(
        [*call, "--store", str(tmp_path / "store"), "--workers", "1"],
        env=environment | {"PREFECT_API_URL": f"{url}/api"},
        check=True,
        timeout=900,
    )
    (run,) = ask(url, "flow_runs/filter", {})
    of_run = {"flow_runs": {"id": {"any_": [run["id"]]}}, "limit": 50}
    ids = {artifact["key"]: artifact["id"] for artifact in ask(url, "artifacts/filter", of_run)}
    browser.show_on(dark=False, width=1280, height=1000)
    absent: list[str] = []
    asked: list[str] = []
    for name, (page, expected) in PAGES.items():
        text = read_page(browser, f"{url}/{page.format(run=run['id'], **ids)}", expected, tab=name == "artifacts")
        time.sleep(2)  # pictures are drawn after the text
        browser.photograph(name)
        absent += [f"{name}: {part}" for part in expected if part not in text]
        asked += browser.run("return performance.getEntriesByType('resource').map(each => each.name)")
    loaded = browser.run("return [...document.images].map(image => image.naturalWidth)")
    assert absent == []
    assert [address for address in asked if not address.startswith((url, "data:", "blob:"))] == [], "a foreign host was asked"
    assert max(loaded) >= 300, "the picture of an image artifact is not shown"
