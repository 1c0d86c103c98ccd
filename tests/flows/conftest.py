"""The command as a user calls it: in this process where a new one adds nothing, else in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from prefect.settings import PREFECT_API_URL, PREFECT_HOME, temporary_settings

from infra.orchestration.embedded_server import EmbeddedServer
from tests.flows.calling import Ended, Fabula, call_here

FABULA = Path(sys.executable).parent / "fabula"
END_SECONDS = 900
"""When a process that hangs is given up: no busy machine takes this long."""


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which neither the user's Prefect nor the user's settings play a part."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PREFECT_", "FABULA_", "DASK_"))}
    return kept | {"PREFECT_HOME": str(tmp_path_factory.mktemp("prefect"))}


@pytest.fixture(scope="session")
def prefect_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the database of `prefect_server`, which the first start makes."""
    return tmp_path_factory.mktemp("prefect_home")


@pytest.fixture(scope="module")
def prefect_server(prefect_home: Path) -> Iterator[None]:
    """A real Prefect server, for flows that run in the test's own process; it ends with the tests of a module.

    A server that nobody uses takes processor time too.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PREFECT_HOME", str(prefect_home))
        server = EmbeddedServer()
        server.start()
    with temporary_settings({PREFECT_API_URL: server.url, PREFECT_HOME: prefect_home}):
        yield
        server.close()


@pytest.fixture(scope="session")
def fabula(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Fabula:
    """Call `fabula` in this process, through the same function as the installed command.

    It works in an empty folder unless `cwd` names one. Runs need `--in-process`.
    """

    def call(*arguments: object, cwd: Path | None = None, **variables: str) -> Ended:
        return call_here([str(word) for word in arguments], environment | variables, cwd or tmp_path_factory.mktemp("cwd"))

    return call


@pytest.fixture(scope="session")
def fabula_process(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Fabula:
    """Run the installed `fabula` in a process of its own, with Prefect and Dask, and wait for it."""

    def call(*arguments: object) -> Ended:
        ended = subprocess.run(
            [str(FABULA), *map(str, arguments)],
            env=environment,
            cwd=tmp_path_factory.mktemp("cwd"),
            capture_output=True,
            text=True,
            timeout=END_SECONDS,
            check=False,
        )
        return Ended(ended.returncode, ended.stdout, ended.stderr)

    return call
