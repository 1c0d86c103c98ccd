"""Real servers on loopback, started by the test that needs them and ended with it."""

import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.integration.fault_runs import Command, Landed

BIN = Path(sys.executable).parent


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which neither the user's Prefect nor the user's settings play a part."""
    foreign = ("PREFECT_", "FABULA_", "DASK_", "AWS_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    return kept | {"PREFECT_HOME": str(tmp_path_factory.mktemp("prefect")), "HF_HUB_OFFLINE": "1"}


@pytest.fixture
def start_server(environment: dict[str, str], tmp_path: Path) -> Iterator[Callable[..., None]]:
    """Start a program and wait until it listens on a port of this machine; end it after the test."""
    started: list[subprocess.Popen[bytes]] = []

    def start(*command: str, port: int, timeout: float = 600.0) -> None:
        with (tmp_path / f"server-{port}.log").open("wb") as log:
            started.append(subprocess.Popen([str(BIN / command[0]), *command[1:]], stdout=log, stderr=log, env=environment))
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            assert started[-1].poll() is None, f"{command[0]} ended: {(tmp_path / f'server-{port}.log').read_text()}"
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.2)
        raise TimeoutError(f"{command[0]} does not listen on {port}")

    yield start
    for process in reversed(started):
        process.terminate()
    for process in reversed(started):
        process.wait(timeout=300)


@pytest.fixture(scope="session")
def free_port() -> Callable[[], int]:
    """Return a port of this machine that nothing listens on, each once."""

    # Below what the kernel gives to outgoing connections: one of those could take the port before its server does.
    left = random.sample(range(15_000, 32_000), 1_000)

    def find() -> int:
        while True:
            port = left.pop()
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) != 0:
                    return port

    return find


@pytest.fixture(scope="session")
def command(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator["Command"]:
    """The command as a user calls it, in an empty folder."""
    from tests.integration.fault_runs import Command

    command = Command(environment, tmp_path_factory.mktemp("cwd"))
    yield command
    command.end()


@pytest.fixture(scope="session")
def stories(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve good episodes and a bad one."""
    from tests.integration.fault_runs import write_source

    source = tmp_path_factory.mktemp("stories") / "source"
    write_source(source)
    return source


@pytest.fixture(scope="session")
def calm(command: "Command", stories: Path, tmp_path_factory: pytest.TempPathFactory) -> "Landed":
    """What a run that nothing disturbs leaves of the stories."""
    from tests.integration.fault_runs import read_landed

    store = tmp_path_factory.mktemp("calm")
    command.run(stories, store, "--in-process")
    return read_landed(store)
