"""Prefect's servers: what is wrong is said before one starts, and a server that the user has named is the only one.

Prefect's own client against what answers in a lost server's place: states are taken, anything else fails without a retry.
"""

import errno
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from uuid import uuid4

import pytest
from filelock import FileLock
from prefect.client.orchestration import SyncPrefectClient
from prefect.context import refresh_global_settings_context
from prefect.exceptions import PrefectHTTPStatusError
from prefect.states import Cancelled, Completed

from core.errors import ConfigError
from infra.orchestration import embedded_server as module
from infra.orchestration import prefect
from infra.orchestration.embedded_server import EmbeddedServer
from infra.orchestration.local_prefect import LocalPrefect
from infra.orchestration.prefect import EMBEDDED_SETTINGS, check_home, find_home
from infra.orchestration.processes import ServerError


def test_a_folder_is_made_and_a_file_in_its_place_too_little_room_and_a_database_that_may_not_be_written_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "new" / "home"
    check_home(home, "")
    assert list(home.iterdir()) == []
    (tmp_path / "file").touch()
    for place in (tmp_path / "file", tmp_path / "file" / "home"):
        with pytest.raises(ConfigError, match=rf"^{place}: .* expected a folder that can be written, .* Name another$"):
            check_home(place, "Name another")
    disk = os.statvfs(tmp_path)
    with monkeypatch.context() as larger:
        larger.setattr(prefect, "NEEDED_BYTES", 2 * disk.f_blocks * disk.f_frsize)
        with pytest.raises(ConfigError, match=r"No space left on device|File too large") as refused:
            check_home(home, "")
    assert isinstance(refused.value.__cause__, OSError)
    assert refused.value.__cause__.errno in (errno.ENOSPC, errno.EFBIG)
    assert list(home.iterdir()) == []
    (home / "prefect.db").touch()
    # Root may write everything: what the system answers to everybody else.
    monkeypatch.setattr(os, "access", lambda path, mode: not (str(path).endswith("prefect.db") and mode == os.W_OK))
    with pytest.raises(ConfigError, match="it may not be written"):
        check_home(home, "")


def test_the_home_is_prefects_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREFECT_HOME", "~/elsewhere")
    assert find_home() == Path.home() / "elsewhere"
    monkeypatch.delenv("PREFECT_HOME")
    assert find_home() == Path.home() / ".prefect"


def test_a_port_or_a_folder_in_use_is_refused(tmp_path: Path, unused_port: int) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ConfigError, match=f"fabula serve --port {port + 1}"):
            LocalPrefect(tmp_path / "home", "127.0.0.1", port).start_server()
    assert not (tmp_path / "home").exists()
    with FileLock(tmp_path / "serve.lock"), pytest.raises(ConfigError, match="another `fabula serve` uses this folder"):
        LocalPrefect(tmp_path, "127.0.0.1", unused_port).start_server()


@pytest.mark.integration
def test_a_server_that_ends_by_itself_is_named_with_the_end_of_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unused_port: int
) -> None:
    monkeypatch.setenv("PREFECT_SERVER_DATABASE_CONNECTION_URL", "nosuch://database")
    local = LocalPrefect(tmp_path, "127.0.0.1", unused_port)
    with pytest.raises(ServerError, match=r"the server has ended with status \d+"):
        local.start_server()
    assert not local.is_serving
    local.stop_server()


@pytest.fixture
def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


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


URL = "http://127.0.0.1:1/api"
NAMED = {
    "profiles.toml": f'active = "mine"\n[profiles.mine]\nPREFECT_API_URL = "{URL}"\n',
    "prefect.toml": f'[api]\nurl = "{URL}"\n',
    "pyproject.toml": f'[tool.prefect.api]\nurl = "{URL}"\n',
    ".env": f"PREFECT_API_URL={URL}\n",
}


@pytest.mark.parametrize("place", ["nowhere", "environment", *NAMED])
def test_a_server_that_the_user_has_named_is_the_only_one(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether Prefect must be asked before a server is started; whoever has named one in any way gets no other."""
    with monkeypatch.context() as own:
        for name in [name for name in os.environ if name.startswith("PREFECT_")]:
            own.delenv(name)
        own.setenv("PREFECT_HOME", str(tmp_path))
        own.chdir(tmp_path)
        if place == "environment":
            own.setenv("PREFECT_API_URL", URL)
        elif place in NAMED:
            (tmp_path / place).write_text(NAMED[place])
        refresh_global_settings_context()  # what Prefect does when it is imported
        assert module._is_configured() == (place != "nowhere")
    refresh_global_settings_context()


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
