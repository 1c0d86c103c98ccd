"""What a page of another origin can do to a server of fabula: nothing. By raw requests and sockets, and in a real browser."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from prefect.settings import PREFECT_API_AUTH_STRING, PREFECT_API_URL, temporary_settings
from prefect.workers.process import ProcessJobConfiguration
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from flows.serving.deployments import list_deployments
from flows.serving.provision import apply_deployment, create_pool
from infra.orchestration.local_prefect import LocalPrefect
from tasks.pipelines import PIPELINES
from tests.infra.sources.servers import Handler, serving
from tests.integration.chromium import browsing
from tests.integration.conftest import copy_home

pytestmark = pytest.mark.integration

COMMAND = {"job_variables": {"command": "touch /tmp/owned"}}
Ask = Callable[..., tuple[int, Any]]


@pytest.fixture(scope="module")
def port(made_database: Path, free_port: Callable[[], int], tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The server of `fabula serve` with its work pool and a paused deployment; no worker."""
    home, port = copy_home(made_database, tmp_path_factory.mktemp("server") / "home"), free_port()
    local = LocalPrefect(home, "127.0.0.1", port)
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(("PREFECT_", "FABULA_"))]:
            patch.delenv(name)
        try:
            local.start_server()
            with temporary_settings({PREFECT_API_URL: f"{local.url}/api", PREFECT_API_AUTH_STRING: None}):
                create_pool()
                deployments = list_deployments({pipeline.name: ("/nowhere",) for pipeline in PIPELINES}, str(home / "store"))
                apply_deployment(deployments[0], paused=True)
            yield port
        finally:
            local.stop_server()


@pytest.fixture(scope="module")
def ask(port: int) -> Ask:
    """Ask the API as a program does: with what headers it likes."""

    def call(path: str, body: Any = None, method: str = "POST", **headers: str) -> tuple[int, Any]:
        connection = HTTPConnection("127.0.0.1", port, timeout=120)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        content = json.dumps(body).encode() if body is not None else None
        connection.request(method, f"/api/{path}", content, {"Content-Type": "application/json"} | named)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        assert [name for name, _ in answer.getheaders() if name.lower().startswith("access-control-")] == []
        return answer.status, json.loads(text) if text else None

    return call


@pytest.fixture(scope="module")
def deployment(ask: Ask) -> dict[str, Any]:
    (found,) = ask("deployments/filter", {})[1]
    return dict(found)


def count_runs(ask: Ask) -> int:
    return int(ask("flow_runs/count", {})[1])


FOREIGN: list[dict[str, str]] = [
    *({"Origin": origin} for origin in ("http://evil.example", "null", "http://localhost:1")),
    {"Host": "evil.example"},
    *({"Sec_Fetch_Site": site} for site in ("cross-site", "same-site")),
    {"Content_Type": "text/plain", "Origin": "http://evil.example"},  # what a page sends without asking first
]


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_a_request_of_a_foreign_page_is_refused(headers: dict[str, str], ask: Ask, deployment: dict[str, Any]) -> None:
    before = count_runs(ask)
    status, answer = ask(f"deployments/{deployment['id']}/create_flow_run", COMMAND, **headers)
    assert status == 403
    assert set(answer) == {"detail"}
    assert ask("deployments/filter", {}, **headers)[0] == 403
    preflight = {"Access_Control_Request_Method": "POST", "Access_Control_Request_Headers": "content-type"}
    assert ask("deployments/filter", method="OPTIONS", **headers | preflight)[0] == 403
    assert count_runs(ask) == before


@pytest.mark.parametrize("path", ["events/in", "events/out", "logs/out", "work_pools/fabula/workers/connect"])
@pytest.mark.parametrize("origin", ["http://evil.example", "null", None])
def test_a_websocket_of_a_foreign_page_is_refused_before_its_handshake(path: str, origin: str | None, port: int) -> None:
    address = f"ws://127.0.0.1:{port}/api/{path}"
    options: dict[str, Any] = {"origin": origin} if origin else {"additional_headers": {"Sec-Fetch-Site": "cross-site"}}
    with (
        pytest.raises(InvalidStatus) as refused,
        connect(address, subprotocols=["prefect"], open_timeout=120, proxy=None, **options),  # type: ignore[list-item]
    ):
        pass
    assert refused.value.response.status_code == 403
    own: dict[str, Any] = {"origin": f"http://127.0.0.1:{port}"} if path.startswith("events") else {}
    with connect(address, subprotocols=["prefect"], open_timeout=120, proxy=None, **own) as accepted:  # type: ignore[list-item]
        assert accepted.subprotocol == "prefect"


@pytest.mark.parametrize(
    "variables", [{"command": "touch /tmp/owned"}, {"env": {"PYTHONPATH": "/x"}}, {"env.PYTHONPATH": "/x"}], ids=str
)
def test_nobody_can_set_the_command_or_the_environment_of_a_job(
    variables: dict[str, Any], ask: Ask, deployment: dict[str, Any], port: int
) -> None:
    """A run is refused that asks for one. What is written into a deployment, Prefect stores; its worker makes nothing of it."""
    before, path = count_runs(ask), f"deployments/{deployment['id']}"
    status, answer = ask(f"{path}/create_flow_run", {"job_variables": variables})
    assert (status, "Additional properties" in str(answer)) == (422, True)
    assert count_runs(ask) == before
    assert ask(path, {"job_variables": variables}, "PATCH")[0] == 204
    template = ask("work_pools/fabula", method="GET")[1]["base_job_template"]
    stored = ask(path, method="GET")[1]["job_variables"]
    with temporary_settings({PREFECT_API_URL: f"http://127.0.0.1:{port}/api", PREFECT_API_AUTH_STRING: None}):
        job = asyncio.run(ProcessJobConfiguration.from_template_and_values(template, stored))
    assert (job.command, job.env) == (f"{sys.executable} -m prefect.engine", {})


def test_beyond_loopback_the_server_does_not_start_without_a_password(environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "infra.orchestration.guarded_server", "--host", "0.0.0.0"]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 1
    assert "PREFECT_SERVER_API_AUTH_STRING" in ended.stderr
    assert "Traceback" not in ended.stderr


class _Page(Handler):
    """A page that is not fabula's."""

    def reply(self) -> None:
        self.answer(b"<!doctype html><title>a page</title><iframe name=target></iframe>", Content_Type="text/html")


ATTACK = """
const api = "%(api)s", body = JSON.stringify({job_variables: {command: "touch /tmp/owned"}}), run = api + "%(path)s";
const outcome = async send => {
  try { const answer = await send(); return answer.status || answer.type } catch { return "refused" }
};
const form = document.createElement("form");
form.action = run; form.method = "post"; form.enctype = "text/plain"; form.target = "target";
form.innerHTML = "<input name='{' value='}'>";
document.body.append(form);
const framed = new Promise(done => document.querySelector("iframe").onload = done);
form.submit();
await framed;
const socket = path => new Promise(done => {
  const opened = new WebSocket(api.replace("http", "ws") + path, "prefect");
  opened.onopen = () => done("open"); opened.onerror = () => done("refused");
});
return {
  json: await outcome(() => fetch(run, {method: "POST", headers: {"Content-Type": "application/json"}, body})),
  plain: await outcome(() => fetch(run, {method: "POST", body})),
  blind: await outcome(() => fetch(run, {method: "POST", mode: "no-cors", body})),
  read: await outcome(() => fetch(api + "/version")),
  socket: await socket("/events/in"),
};
"""


OWN = """
const headers = {'Content-Type': 'application/json'};
const counted = await (await fetch('/api/deployments/count', {method: 'POST', headers, body: '{}'})).json();
const socket = new WebSocket(`ws://${location.host}/api/events/out`, 'prefect');
return [counted, await new Promise(done => { socket.onopen = () => done('open'); socket.onerror = () => done('refused') })];
"""
"""What the UI does: count deployments, and listen to events."""


def test_in_a_real_browser_foreign_pages_get_nothing_and_the_ui_works(
    port: int, ask: Ask, deployment: dict[str, Any], tmp_path: Path
) -> None:
    before = count_runs(ask)
    path = f"/deployments/{deployment['id']}/create_flow_run"
    with serving(_Page) as address, browsing(tmp_path / "browser", "MAP *.example 127.0.0.1") as browser:
        foreign = address.rpartition(":")[2]
        # Of another name, of another port of this machine, and of a name that points at 127.0.0.1 since the page was loaded.
        for page, api in (
            (f"http://evil.example:{foreign}/", f"http://127.0.0.1:{port}/api"),
            (f"http://localhost:{foreign}/", f"http://localhost:{port}/api"),
            (f"http://evil.example:{foreign}/", f"http://evil.example:{port}/api"),
        ):
            browser.open(page)
            found = browser.run(ATTACK % {"api": api, "path": path})
            # `opaque`: the browser has sent it, and does not say what came of it. No run has.
            expected = {"json": "refused", "plain": "refused", "blind": "opaque", "read": "refused", "socket": "refused"}
            assert found == expected, (page, api)
        browser.open(f"http://evil.example:{port}/api/version")
        assert "Host is 'evil.example" in browser.run("return document.body.innerText")
        assert count_runs(ask) == before

        browser.open(f"http://127.0.0.1:{port}/")
        assert browser.run(OWN) == [1, "open"]
        title = "while (document.body.innerText.length < 50) await new Promise(requestAnimationFrame); return document.title"
        assert "Prefect" in browser.run(title)
