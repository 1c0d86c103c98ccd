"""A review in a real browser: an episode from the first look to the release, a server that is killed meanwhile, other forms.

With FABULA_SCREENSHOTS=DIR the pictures of the pages are kept there.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest
import uvicorn

from core.transcripts.evaluation import GoldSentence, fold_text, read_gold
from infra.pages.server import Site, make_app
from infra.store.objects import Store
from infra.store.reviews import read_reviews
from tasks.pipelines import find_pipeline
from tasks.review.queue import Task
from tasks.review.session import SessionOptions, make_site, open_session
from tests.flows.calling import Fabula
from tests.integration.chromium import Browser
from tests.integration.conftest import BIN
from tests.tasks.in_process import read_rows, run

pytestmark = pytest.mark.integration

LOOKS = 5
"""Items that the reader decides; each takes the least reading time."""


@pytest.fixture(scope="module")
def episode(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[GoldSentence]]:
    """A source with one gold episode, and its gold; with no corpora the example, whose gold is made up of its own spans."""
    folder = tmp_path_factory.mktemp("episode")
    corpora = os.environ.get("FABULA_CORPORA")
    if not corpora:
        pytest.skip("FABULA_CORPORA is not set: there is no gold episode to review")
    crd3 = Path(corpora) / "crd3"
    for part in ("transcripts", "raw summary data"):
        (folder / part).mkdir()
        for file in (crd3 / part).glob("C1E036*"):
            (folder / part / file.name).write_bytes(file.read_bytes())
    (folder / "settings.toml").write_text('[cleaning]\nlabels = "pattern"\n')
    return folder, list(read_gold("C1E036", (crd3 / "gold" / "C1E036.json").read_text("utf-8")))


@contextmanager
def reviewing(environment: dict[str, str], port: int, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run `fabula review` inside the block, until it listens."""
    process = subprocess.Popen([str(BIN / "fabula"), "review", *words, "--port", str(port), "--no-open"], env=environment)
    try:
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline and process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        assert process.poll() is None, "fabula review has ended"
        yield process
    finally:
        running = process.poll() is None
        if running:
            process.send_signal(signal.SIGINT)
        status = process.wait(timeout=60)
    assert not running or status == 0, "Ctrl-C is how a person ends the page"


def find_gold(gold: list[GoldSentence], summary: str) -> tuple[int, int] | None:
    inside = [entry for entry in gold if entry.start is not None and fold_text(entry.text) in fold_text(summary)]
    if not inside:
        return None
    return min(entry.start for entry in inside if entry.start is not None), max(entry.end or 0 for entry in inside)


def point_at(browser: Browser, turn: int) -> None:
    """Click on a turn, after asking for earlier or later ones until it is there."""
    script = """
        const wanted = %d;
        for (let tries = 0; tries < 60 && !document.getElementById(`turn-${wanted}`); tries += 1) {
            const first = Number(document.querySelector('.turn').id.slice(5));
            const [before, after] = document.querySelectorAll('.more');
            (wanted < first ? before : after).click();
            await new Promise((resolve) => setTimeout(resolve, 150));
        }
        document.getElementById(`turn-${wanted}`).click();
        return true;"""
    assert browser.run(script % turn)


def decide(browser: Browser, gold: list[GoldSentence]) -> tuple[int, int] | None:
    """Decide the item that the page shows as gold has it; return the span, None where it was saved as found."""
    place = browser.run("return location.hash")
    span = find_gold(gold, str(browser.run("return document.querySelector('.story').textContent")))
    if span is not None:
        point_at(browser, span[0])
        browser.press("[")
        point_at(browser, span[1])
        browser.press("]")
    time.sleep(3.2)  # the least reading time
    browser.press("Enter")
    browser.wait(f"location.hash !== {json.dumps(place)} && document.querySelector('.story') !== null")
    return span


def test_an_episode_from_the_first_look_to_the_release(
    episode: tuple[Path, list[GoldSentence]],
    browser: Browser,
    fabula: Fabula,
    environment: dict[str, str],
    free_port: Callable[[], int],
    tmp_path: Path,
) -> None:
    source, gold = episode
    url, port = str(tmp_path / "store"), free_port()
    call = ["run", "transcripts", "--source", str(source), "--config", str(source / "settings.toml"), "--store", url]
    assert fabula(*call, "--in-process").status == 0
    store, words = Store(url), ("transcripts", "--annotator", "anna", "--store", url)
    browser.show_on(dark=False, width=1280)
    with reviewing(environment, port, *words) as server:
        browser.open(f"http://127.0.0.1:{port}/")
        browser.wait("document.querySelector('.turn.current') !== null")
        assert browser.find_violations() == []
        spans = [decide(browser, gold) for _ in range(LOOKS - 2)]
        browser.press("Enter")  # at once: nobody reads so fast
        browser.wait("document.getElementById('status').textContent.startsWith('Read on')")
        server.kill()  # in the middle of the work
        server.wait()
        time.sleep(3.2)
        browser.press("0")
        browser.wait("document.getElementById('status').textContent.startsWith('Not stored')")
    assert len(read_reviews(store, "transcripts").judgements) == LOOKS - 2, "an acknowledged decision is lost"
    with reviewing(environment, port, *words):
        browser.open(f"http://127.0.0.1:{port}/index.html")
        browser.wait(f"document.getElementById('progress-label').textContent.startsWith('{LOOKS - 2} of')")
        browser.wait("document.querySelector('.turn.current') !== null")
        browser.photograph("review-spans")
        spans += [decide(browser, gold) for _ in range(2)]
        browser.show_on(dark=True, width=390)
        time.sleep(0.5)
        assert browser.find_violations() == []
        browser.photograph("review-phone")
    decided = {entry.item: entry.answer for entry in read_reviews(store, "transcripts").judgements}
    assert len(decided) == LOOKS
    assert any(span is not None for span in spans)
    assert fabula(*call, "--in-process").status == 0
    rows = {row["id"]: row for row in read_rows(store, "transcripts", "alignments")}
    for item, answer in decided.items():
        found = (rows[item]["turn_start"], rows[item]["turn_end"], rows[item]["decided_by"])
        assert found == (answer.start, answer.end, "people")
    moved = {item for item in decided if rows[item]["found_start"] is not None}
    changes = {each["id"]: each for each in fabula("diff", "transcripts", "--store", url, "--json").json["changes"]}
    assert moved
    assert moved <= changes.keys()
    assert {why for each in changes.values() for why in each["why"]} == {"review"}
    figures = fabula("evaluate", "transcripts", "--reviews", "--store", url, "--json").json
    assert figures["store"]["chunks"] == LOOKS
    assert figures["store"]["all"]["pooled"]["f1"]["value"] < 1


FORMS = {
    "review-span": ("transcripts", {}, "Which turns"),
    "review-rate": ("threads", {}, "Is each reply"),
    "review-room": ("rooms", {}, "Does this describe"),
    "review-pair": ("subtitles", {}, "Is this a good summary"),
    "review-compare": ("threads", {"task": "compare", "against": "subtitles"}, "somewhat more natural"),
    "review-write": ("transcripts", {"task": "write"}, "Ask two questions"),
}
HOSTILE = "<img src=x onerror=\"document.title='run'\">"


def test_every_form_shows_text_as_text_and_has_no_serious_fault(
    browser: Browser, free_port: Callable[[], int], repository: Path, tmp_path: Path
) -> None:
    store = Store(str(tmp_path / "store"))
    for name in ("transcripts", "threads", "rooms", "subtitles"):
        source = tmp_path / name
        shutil.copytree(repository / "examples" / name, source)
        settings = source / "settings.toml"
        if name == "transcripts":
            for page in (source / "recaps").glob("*.md"):
                page.write_text(page.read_text("utf-8") + f"\n\nThe last one says `{HOSTILE}` and goes.\n", "utf-8")
        run(find_pipeline(name), source, store, config_file=settings if settings.is_file() else None)
    faults: list[str] = []
    for picture, (name, options, expected) in FORMS.items():
        site = make_site(open_session(store, name, SessionOptions(annotator="anna", order="random", **options)))
        with serving(site, free_port()) as url:
            faults += show_form(browser, url, expected, picture)
            assert browser.run("return document.title") != "run"
    assert faults == []


CHOSEN = "return [...document.querySelectorAll('input:checked')].map(each => Number(each.id.slice(6)))"


def answer_first(store: Store, annotator: str, task: Task, *answers: tuple[str, object]) -> None:
    """Answer the first item of a queue without a browser; a long time passes meanwhile."""
    now = [0.0]
    session = open_session(store, "transcripts", SessionOptions(annotator=annotator, task=task), lambda: now[0])
    session.show({"place": "0"})
    now[0] += 120
    session.decide({"place": 0, "answers": [{"question": question, "answer": given} for question, given in answers]})


def show_form(browser: Browser, url: str, expected: str, picture: str) -> list[str]:
    """Open a form on a desk and on a narrow dark phone; return the faults of both. The phone stays."""
    faults = []
    for dark, width in ((False, 1280), (True, 360)):
        browser.show_on(dark, width)
        browser.open("about:blank")
        browser.open(url)
        browser.wait(f"document.body.innerText.includes({json.dumps(expected)})")
        faults += [f"{picture}, {width} pixels: {fault}" for fault in browser.find_violations()]
        assert browser.run("return document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the screen"
        browser.photograph(f"{picture}-{'phone' if dark else 'wide'}")
    return faults


def test_films_and_the_question_study_are_worked_by_keys_alone(
    browser: Browser, free_port: Callable[[], int], repository: Path, tmp_path: Path
) -> None:
    store = Store(str(tmp_path / "store"))
    for name in ("transcripts", "scripts"):
        source = repository / "examples" / name
        run(find_pipeline(name), source, store, config_file=source / "settings.toml")
    choice = {"asked": "Who finds it?", "right": "Ann", "choices": ["Ann", "Ben", "Cleo", "Dora"]}
    answer_first(store, "writer", "write", ("write-choice", choice))
    site = make_site(open_session(store, "scripts", SessionOptions(annotator="anna")))
    with serving(site, free_port()) as url:
        assert show_form(browser, url, "Which scenes", "review-links") == []
        found = browser.run(CHOSEN)
        shown = browser.run("return document.querySelector('.scene.current').innerText")
        assert not [line for line in shown.splitlines() if line.startswith(": ")], "nobody is named who is not known"
        browser.press("o")
        assert browser.run("return document.querySelectorAll('.scene.current [hidden]').length") == 0
        browser.press(" ")
        browser.press("k")
        browser.press(" ")
        wanted = browser.run(CHOSEN)
        assert wanted != found
        time.sleep(3.2)
        browser.press("Enter")
        browser.wait("document.getElementById('progress-label').textContent.startsWith('1 of')")
    (links,) = read_reviews(store, "scripts").judgements
    assert (links.question, links.answer) == ("links", tuple(wanted))

    with serving(
        make_site(open_session(store, "transcripts", SessionOptions(annotator="ben", task="answer"))), free_port()
    ) as url:
        assert show_form(browser, url, "Who finds it?", "review-answer") == []
        assert browser.run("return document.body.innerText.includes('Summary')") is False
        browser.press("ArrowDown")
        given = browser.run("return document.querySelector('input:checked').nextSibling.textContent")
        browser.press("Enter")
        browser.wait("document.getElementById('progress-label').textContent.startsWith('1 of')")
    with serving(
        make_site(open_session(store, "transcripts", SessionOptions(annotator="writer", task="grade"))), free_port()
    ) as url:
        assert show_form(browser, url, f"Given: {given}", "review-grade") == []
        browser.press("3")
        browser.wait("document.getElementById('progress-label').textContent.startsWith('1 of')")
    told = {entry.question: (entry.annotator, entry.answer) for entry in read_reviews(store, "transcripts").judgements}
    assert told["answer-choice"] == ("ben", given)
    assert told["grade-choice"] == ("writer", "misread")


@contextmanager
def serving(site: Site, port: int) -> Iterator[str]:
    """Serve a site from this process inside the block."""
    server = uvicorn.Server(uvicorn.Config(make_app(site), log_level="warning", lifespan="off", port=port))
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}/index.html"
    server.should_exit = True
    thread.join(timeout=60)
