"""A run on a Dask cluster that somebody else started: no other code path, and no Prefect on its workers."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.integration.conftest import BIN

pytestmark = pytest.mark.integration


def test_a_running_scheduler_computes_the_units(
    repository: Path, environment: dict[str, str], start_server: Callable[..., None], free_port: Callable[[], int], tmp_path: Path
) -> None:
    scheduler, nanny, worker = free_port(), free_port(), free_port()
    start_server("dask", "scheduler", "--host", "127.0.0.1", "--port", str(scheduler), "--no-dashboard", port=scheduler)
    address = f"tcp://127.0.0.1:{scheduler}"
    ports = ("--nanny-port", str(nanny), "--worker-port", str(worker))
    start_server("dask", "worker", address, "--host", "127.0.0.1", *ports, "--nthreads", "1", "--no-dashboard", port=worker)
    call = [str(BIN / "fabula"), "run", "transcripts", "--source", str(repository / "examples" / "transcripts")]
    call += ["--store", str(tmp_path / "store"), "--scheduler", address, "--json"]
    ended = subprocess.run(call, env=environment, capture_output=True, text=True, timeout=900, check=False)
    assert ended.returncode == 0, ended.stderr
    units = json.loads(ended.stdout)["units"]
    assert units == {"discovered": 5, "computed": 4, "reused": 0, "waiting": 1, "quarantined": 0, "removed": 0}
