"""A Prefect server for flows that run in the test's own process."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from prefect.settings import PREFECT_API_URL, PREFECT_HOME, temporary_settings

from infra.orchestration.embedded_server import EmbeddedServer


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
