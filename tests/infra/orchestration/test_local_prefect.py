"""`fabula serve`'s server: a port or a folder that is taken is refused with the remedy."""

import socket
from pathlib import Path

import pytest
from filelock import FileLock

from core.errors import ConfigError
from infra.orchestration.local_prefect import LocalPrefect
from infra.orchestration.processes import ServerError


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
