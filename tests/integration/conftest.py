"""Real servers on loopback, started by the test that needs them and ended with it."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest

from infra.orchestration.embedded_server import EmbeddedServer
from infra.orchestration.prefect import EMBEDDED_SETTINGS

if TYPE_CHECKING:
    from tests.integration.chromium import Browser
    from tests.integration.fault_runs import Command, Landed

BIN = Path(sys.executable).parent


LEAN_SERVER = {**EMBEDDED_SETTINGS, "PREFECT_UI_ENABLED": "0", "PREFECT_SERVER_REGISTER_BLOCKS_ON_START": "false"}
"""Settings of a Prefect server that stands for a user's own, and starts with as little work as a run's own does."""


@pytest.fixture(scope="session")
def made_database(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A PREFECT_HOME with a new database, for tests that are not about making one, which takes 7 s: see `copy_home`."""
    home = tmp_path_factory.mktemp("made")
    with patch.dict(os.environ, {**environment, **EMBEDDED_SETTINGS, "PREFECT_HOME": str(home)}, clear=True):
        server = EmbeddedServer()
        try:
            server.start()
        finally:
            server.close()
    return home


def copy_home(made: Path, home: Path) -> Path:
    """Return a PREFECT_HOME for one test, with a database of its own that is made already."""
    return Path(shutil.copytree(made, home, dirs_exist_ok=True))


@pytest.fixture(scope="session")
def prefect_server(
    environment: dict[str, str], made_database: Path, free_port: Callable[[], int], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, str]]:
    """A Prefect server for runs whose test is not about it: the variables that name it."""
    home, port = copy_home(made_database, tmp_path_factory.mktemp("shared") / "prefect"), free_port()
    with starting_servers(environment | LEAN_SERVER | {"PREFECT_HOME": str(home)}, home) as start:
        start("python", "-m", "infra.orchestration.guarded_server", "--port", str(port), port=port)
        yield {"PREFECT_API_URL": f"http://127.0.0.1:{port}/api"}


@pytest.fixture
def start_server(environment: dict[str, str], tmp_path: Path) -> Iterator[Callable[..., None]]:
    """Start a program and wait until it listens on a port of this machine; end it after the test."""
    with starting_servers(environment, tmp_path) as start:
        yield start


@contextmanager
def starting_servers(environment: dict[str, str], folder: Path) -> Iterator[Callable[..., None]]:
    """Yield what starts a program and waits until it listens on a port of this machine; end all of them with the block.

    Args:
        environment: of the programs. What is changed in it counts for those that start later.
        folder: for their logs.
    """
    started: list[subprocess.Popen[bytes]] = []

    def start(*command: str, port: int, timeout: float = 600.0) -> subprocess.Popen[bytes]:
        with (folder / f"server-{port}.log").open("wb") as log:
            started.append(subprocess.Popen([str(BIN / command[0]), *command[1:]], stdout=log, stderr=log, env=environment))
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            assert started[-1].poll() is None, f"{command[0]} ended: {(folder / f'server-{port}.log').read_text()}"
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return started[-1]
            time.sleep(0.2)
        raise TimeoutError(f"{command[0]} does not listen on {port}")

    try:
        yield start
    finally:
        for process in reversed(started):
            process.terminate()
        for process in reversed(started):
            process.wait(timeout=300)


@pytest.fixture(scope="session")
def free_port() -> Iterator[Callable[[], int]]:
    """Return a port of this machine that nothing listens on, each once; no other process is given it before the session ends."""
    with ExitStack() as reserved:

        def find() -> int:
            # Bound, but not listened to: a server that may reuse addresses, as all here do, can take the port all the same.
            # Neither another test process nor an outgoing connection can.
            held = reserved.enter_context(socket.socket())
            held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            held.bind(("127.0.0.1", 0))
            port: int = held.getsockname()[1]
            return port

        yield find


@pytest.fixture(scope="session")
def command(environment: dict[str, str], made_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator["Command"]:
    """The command as a user calls it, in an empty folder."""
    from tests.integration.fault_runs import Command

    copy_home(made_database, Path(environment["PREFECT_HOME"]))
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
    command.run_here(stories, store)
    return read_landed(store)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator["Browser"]:
    """A page of a browser on a desk."""
    from tests.integration.chromium import browsing

    with browsing(tmp_path_factory.mktemp("profile")) as page:
        page.watch()
        page.show_on(dark=False, width=1280)
        yield page
