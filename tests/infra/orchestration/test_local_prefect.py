"""The server's processes: what is taken is refused with the remedy, and nothing of a session survives its end."""

import fcntl
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from core.errors import ConfigError
from infra.orchestration import local_prefect
from infra.orchestration.local_prefect import LocalPrefect, ServerError

STUBBORN = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('ready', flush=True); time.sleep(600)"
subprocess.Popen([sys.executable, "-c", child])
time.sleep(600)
"""


def test_a_port_in_use_is_refused_with_another(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ConfigError, match=f"fabula serve --port {port + 1}"):
            LocalPrefect(tmp_path / "home", "127.0.0.1", port).start_server()
    assert not (tmp_path / "home").exists()


def test_a_folder_in_use_is_refused(tmp_path: Path, unused_port: int) -> None:
    with (tmp_path / "serve.lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(ConfigError, match="another `fabula serve` uses this folder"):
            LocalPrefect(tmp_path, "127.0.0.1", unused_port).start_server()


def test_a_server_that_ends_by_itself_is_named_with_the_end_of_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unused_port: int
) -> None:
    monkeypatch.setenv("PREFECT_SERVER_DATABASE_CONNECTION_URL", "nosuch://database")
    local = LocalPrefect(tmp_path, "127.0.0.1", unused_port)
    with pytest.raises(ServerError, match=r"the server has ended with status \d+"):
        local.start_server()
    assert not local.is_serving
    local.stop_server()


def test_a_session_ends_with_all_that_it_started_whoever_ignores_the_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_prefect, "END_SECONDS", 0.5)
    leader = subprocess.Popen([sys.executable, "-c", STUBBORN], stdout=subprocess.PIPE, start_new_session=True)
    assert leader.stdout is not None
    leader.stdout.readline()
    children = psutil.Process(leader.pid).children(recursive=True)
    assert len(children) == 1
    local_prefect._end_session(leader)
    deadline = time.monotonic() + 10
    while any(child.is_running() and child.status() != psutil.STATUS_ZOMBIE for child in children):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert leader.returncode is not None


@pytest.fixture
def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
