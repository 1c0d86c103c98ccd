"""A server that the user has named is the only one; one that does not start says why.

Prefect's own client against what answers in a lost server's place: states are taken, anything else fails without a retry.
"""

import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from uuid import uuid4

import pytest
from prefect.client.orchestration import SyncPrefectClient
from prefect.context import refresh_global_settings_context
from prefect.exceptions import PrefectHTTPStatusError
from prefect.states import Cancelled, Completed

from infra.orchestration import embedded_server as module
from infra.orchestration.embedded_server import EmbeddedServer
from infra.orchestration.prefect import EMBEDDED_SETTINGS
from infra.orchestration.processes import ServerError


@pytest.mark.integration
@pytest.mark.faults
def test_a_server_that_never_starts_says_what_it_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What happens to one that has started: tests/integration/test_faults_prefect.py."""
    for name, value in (EMBEDDED_SETTINGS | {"PREFECT_HOME": str(tmp_path)}).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(module, "_SERVER", "no_such_server")
    server = EmbeddedServer()
    with pytest.raises(ServerError, match=r"has ended with status 1 while it started(.|\n)*No module named no_such_server"):
        server.start()
    server.close()
    assert server._process is None


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
    sleepless = SimpleNamespace(**vars(time) | {"sleep": lambda _: pytest.fail("the client tries again")})
    monkeypatch.setattr("prefect.client.base.time", sleepless)  # its own: other threads may sleep
    with socket.create_server(("127.0.0.1", 0)) as listener:
        absent = module._AbsentServer(listener)
        with SyncPrefectClient(f"http://127.0.0.1:{listener.getsockname()[1]}/api") as client:
            yield client
        absent.close()


def test_a_state_is_agreed_to_and_anything_else_fails_without_another_try(client: SyncPrefectClient) -> None:
    answer = client.set_flow_run_state(uuid4(), Completed(message="done"))
    assert answer.status.value == "ACCEPT"
    forced = client.set_flow_run_state(uuid4(), Cancelled(), force=True)
    assert (answer.state.is_completed(), forced.state.is_cancelled()) == (True, True)
    for ask in (client.read_flow_run, lambda run: client.set_flow_run_name(run, "tales")):
        with pytest.raises(PrefectHTTPStatusError, match="410"):
            ask(uuid4())
    with pytest.raises(PrefectHTTPStatusError, match="410"):
        client.create_flow_from_name("tales")
