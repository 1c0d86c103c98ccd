"""Dask between machines by TLS, as docs/deployment.md turns it on: whoever has no certificate of this CA gets no answer."""

import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest

pytestmark = pytest.mark.integration

PROGRAM = """
import sys
from infra.orchestration.dask import Cluster
with Cluster(scheduler=sys.argv[1]) as cluster:
    print(cluster.run(abs, -41))
"""


def write_certificates(folder: Path, repository: Path) -> dict[str, str]:
    """Make an authority and a certificate by the commands of docs/deployment.md; return the environment that turns TLS on."""
    folder.mkdir()
    commands = re.findall("^openssl .*$", (repository / "docs" / "deployment.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        subprocess.run(shlex.split(command), cwd=folder, check=True, capture_output=True, timeout=300)
    variables = {"REQUIRE_ENCRYPTION": "true", "DEFAULT_SCHEME": "tls", "TLS__CA_FILE": str(folder / "ca.pem")}
    for role in ("SCHEDULER", "WORKER", "CLIENT"):
        variables |= {f"TLS__{role}__CERT": str(folder / "cert.pem"), f"TLS__{role}__KEY": str(folder / "key.pem")}
    return {f"DASK_DISTRIBUTED__COMM__{name}": value for name, value in variables.items()}


def test_units_travel_by_tls_and_nobody_without_a_certificate_gets_in(
    environment: dict[str, str],
    start_server: Callable[..., None],
    free_port: Callable[[], int],
    repository: Path,
    tmp_path: Path,
) -> None:
    own, foreign = (write_certificates(tmp_path / name, repository) for name in ("own", "foreign"))

    def call(scheme: str, variables: dict[str, str]) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-c", PROGRAM, f"{scheme}://127.0.0.1:{port}"]
        environ = environment | variables
        return subprocess.run(command, env=environ, cwd=repository, capture_output=True, text=True, timeout=900, check=False)

    port, nanny = free_port(), free_port()
    with patch.dict(environment, own):  # `start_server` starts its programs with it
        start_server("dask", "scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard", port=port)
        address = f"tls://127.0.0.1:{port}"
        options = ["--nthreads", "1", "--host", "127.0.0.1", "--nanny-port", str(nanny), "--local-directory", str(tmp_path)]
        start_server("dask", "worker", address, *options, "--no-dashboard", port=nanny)
    computed = call("tls", own)
    assert (computed.returncode, computed.stdout) == (0, "41\n"), computed.stderr
    for scheme, variables in (("tcp", {}), ("tls", foreign)):
        refused = call(scheme, variables)
        assert refused.returncode == 1
        assert "ConfigError" in refused.stderr
        assert refused.stdout == ""
    # With encryption required no address without it is even tried.
    assert "encryption required" in call("tcp", own).stderr
