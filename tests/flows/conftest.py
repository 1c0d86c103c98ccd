"""One Prefect home for all flow tests, migrated once, and the command as a user calls it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from prefect.testing.utilities import prefect_test_harness

FABULA = Path(sys.executable).parent / "fabula"


@dataclass(frozen=True, slots=True)
class Ended:
    """A command that has ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """Standard output, which must be one JSON object and nothing else."""
        return json.loads(self.out)


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which neither the user's Prefect nor the user's settings play a part."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PREFECT_", "FABULA_", "DASK_"))}
    return kept | {"PREFECT_HOME": str(tmp_path_factory.mktemp("prefect")), "HF_HUB_OFFLINE": "1"}


@pytest.fixture(scope="session")
def prefect_server() -> Iterator[None]:
    """A real Prefect server with a database of its own, for flows that run in the test's own process."""
    with prefect_test_harness(server_startup_timeout=120):
        yield


@pytest.fixture(scope="session")
def fabula(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Ended]:
    """Run `fabula` with the given arguments, in an empty folder unless `cwd` names one, and wait for it."""

    def call(*arguments: object, cwd: Path | None = None, **variables: str) -> Ended:
        ended = subprocess.run(
            [str(FABULA), *map(str, arguments)],
            env=environment | variables,
            cwd=cwd or tmp_path_factory.mktemp("cwd"),
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
        return Ended(ended.returncode, ended.stdout, ended.stderr)

    return call


@pytest.fixture(scope="session")
def start_fabula(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Callable[..., "subprocess.Popen[str]"]:
    """Start `fabula` at the head of a process group of its own, as a shell does."""

    def start(*arguments: object) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [str(FABULA), *map(str, arguments)],
            env=environment,
            cwd=tmp_path_factory.mktemp("cwd"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    return start
