"""A real server that is killed, stopped or kept from starting: it comes back on its port, or the run goes on without records.

Prefect's own client against what answers in a lost server's place: states are taken, anything else fails without a retry.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import psutil
import pytest
from prefect.client.orchestration import SyncPrefectClient
from prefect.context import refresh_global_settings_context
from prefect.exceptions import PrefectHTTPStatusError
from prefect.states import Cancelled, Completed

from infra.orchestration import embedded_server as module
from infra.orchestration.embedded_server import EmbeddedServer
from infra.orchestration.prefect import EMBEDDED_SETTINGS
from infra.orchestration.processes import ServerError, is_answering

ORPHAN = """
import time
from infra.orchestration.embedded_server import EmbeddedServer
server = EmbeddedServer()
server.launch()
print(server.pid, flush=True)
time.sleep(600)
"""


def wait_until(condition: Callable[[], object], seconds: float = 180) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.1)


def is_alive(process: int) -> bool:
    try:
        return psutil.Process(process).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database that is made once."""
    return tmp_path_factory.mktemp("prefect")


@pytest.fixture
def server(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddedServer]:
    for name, value in EMBEDDED_SETTINGS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PREFECT_HOME", str(home))
    monkeypatch.setattr(module, "_send_again", lambda: None)
    server = EmbeddedServer()
    yield server
    server.close()
    assert server.pid is None


def answers(server: EmbeddedServer) -> bool:
    return is_answering("127.0.0.1", int(server.url.split(":")[-1].removesuffix("/api")), 5)


@pytest.mark.integration
@pytest.mark.faults
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_server_that_fails_is_started_again_on_its_port(
    number: signal.Signals, server: EmbeddedServer, caplog: pytest.LogCaptureFixture
) -> None:
    server.start()
    assert answers(server)
    url, first = server.url, server.pid
    assert first is not None
    assert os.getsid(first) == first  # a terminal's Ctrl-C does not reach it
    os.kill(first, number)
    wait_until(lambda: any("was started again" in record.message for record in caplog.records))
    assert answers(server)
    assert server._absent is None
    assert server.url == url
    assert server.pid != first
    assert not is_alive(first)


@pytest.mark.integration
@pytest.mark.faults
def test_a_server_that_cannot_start_again_is_told_once(
    server: EmbeddedServer, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.start()
    assert server.pid is not None
    monkeypatch.setattr(module, "_SERVER", "no_such_server")
    os.kill(server.pid, signal.SIGKILL)
    wait_until(lambda: server._absent is not None)
    wait_until(lambda: caplog.records)
    server.close()
    warnings = [record.message for record in caplog.records if record.levelname == "WARNING"]
    assert warnings == [
        "Prefect's server has ended with status -9 and cannot be started again; the run goes on without records in Prefect"
    ]


@pytest.mark.integration
@pytest.mark.faults
def test_a_server_that_never_starts_says_what_it_printed(server: EmbeddedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SERVER", "no_such_server")
    with pytest.raises(ServerError, match=r"has ended with status 1 while it started(.|\n)*No module named no_such_server"):
        server.start()


@pytest.mark.integration
@pytest.mark.faults
def test_a_server_ends_with_the_process_that_started_it(home: Path, repository: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}
    parent = subprocess.Popen(
        [sys.executable, "-c", ORPHAN],
        env=environment | {"PREFECT_HOME": str(home)},
        cwd=repository,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    orphan = int(parent.stdout.readline())
    assert is_alive(orphan)
    parent.kill()
    parent.communicate()
    wait_until(lambda: not is_alive(orphan))


@pytest.fixture
def own_settings() -> Iterator[None]:
    """Let Prefect read its settings again once the test has put the environment back: the first fixture ends last."""
    yield
    refresh_global_settings_context()


@pytest.mark.usefixtures("own_settings")
@pytest.mark.parametrize("place", ["nowhere", "environment", "profiles.toml", "prefect.toml", "pyproject.toml", ".env"])
def test_a_server_that_the_user_has_named_is_the_only_one(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether Prefect must be asked before a server is started; whoever has named one in any way gets no other."""
    url = "http://127.0.0.1:1/api"
    written = {
        "profiles.toml": f'active = "mine"\n[profiles.mine]\nPREFECT_API_URL = "{url}"\n',
        "prefect.toml": f'[api]\nurl = "{url}"\n',
        "pyproject.toml": f'[tool.prefect.api]\nurl = "{url}"\n',
        ".env": f"PREFECT_API_URL={url}\n",
    }
    for name in [name for name in os.environ if name.startswith("PREFECT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    if place == "environment":
        monkeypatch.setenv("PREFECT_API_URL", url)
    elif place in written:
        (tmp_path / place).write_text(written[place])
    refresh_global_settings_context()  # what Prefect does when it is imported
    assert module._is_configured() == (place != "nowhere")


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator[SyncPrefectClient]:
    monkeypatch.setattr("prefect.client.base.time.sleep", lambda _: pytest.fail("the client tries again"))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        absent = module._AbsentServer(listener)
        with SyncPrefectClient(f"http://127.0.0.1:{listener.getsockname()[1]}/api") as client:
            yield client
        absent.close()


def test_a_state_is_agreed_to(client: SyncPrefectClient) -> None:
    answer = client.set_flow_run_state(uuid4(), Completed(message="done"))
    assert answer.status.value == "ACCEPT"
    assert answer.state is not None
    assert answer.state.is_completed()
    forced = client.set_flow_run_state(uuid4(), Cancelled(), force=True)
    assert forced.state is not None
    assert forced.state.is_cancelled()


def test_anything_else_fails_without_another_try(client: SyncPrefectClient) -> None:
    with pytest.raises(PrefectHTTPStatusError, match="410"):
        client.read_flow_run(uuid4())
    with pytest.raises(PrefectHTTPStatusError, match="410"):
        client.create_flow_from_name("tales")
    with pytest.raises(PrefectHTTPStatusError, match="410"):
        client.set_flow_run_name(uuid4(), "tales")
