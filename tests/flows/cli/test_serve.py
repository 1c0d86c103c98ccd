"""What `fabula serve` does when something of it has ended by itself."""

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from prefect.settings import PREFECT_API_URL, temporary_settings

from flows.cli.serve import _stop
from infra.orchestration.local_prefect import LocalPrefect


@pytest.fixture
def signals() -> Iterator[None]:
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("signals")
def test_a_server_that_has_ended_is_not_asked_to_close_the_runs(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    local = LocalPrefect(tmp_path, "127.0.0.1", port)
    local._server = subprocess.Popen([sys.executable, "-c", ""], start_new_session=True)
    local._server.wait(60)
    worker = local._worker = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    with temporary_settings({PREFECT_API_URL: f"{local.url}/api"}):  # where nothing listens: asking it would be an error
        _stop(local)
    assert worker.returncode is not None
