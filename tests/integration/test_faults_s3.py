"""A bucket that fails for one request in five, as source and as store."""

import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import s3fs

from tests.integration.conftest import starting_servers
from tests.integration.fault_proxy import faulty_proxy
from tests.integration.fault_runs import GOOD, Command, Landed, check_calm, count_units, read_landed, write_source

pytestmark = [pytest.mark.integration, pytest.mark.faults]

logger = logging.getLogger(__name__)


FEW = GOOD[:3]
"""Each episode is some fifty requests, of which every fifth waits: a few episodes show what twelve would."""


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three good episodes and a bad one."""
    source = tmp_path_factory.mktemp("few") / "source"
    write_source(source, good=FEW)
    return source


@pytest.fixture(scope="module")
def calm(command: Command, few: Path, tmp_path_factory: pytest.TempPathFactory) -> Landed:
    """What a run that nothing disturbs leaves of them."""
    store = tmp_path_factory.mktemp("calm")
    command.run_here(few, store)
    return read_landed(store)


@pytest.fixture(scope="module")
def port(environment: dict[str, str], free_port: Callable[[], int], tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a bucket server that does not fail."""
    pytest.importorskip("moto", reason="moto[server] is not installed")
    port = free_port()
    with starting_servers(environment, tmp_path_factory.mktemp("logs")) as start:
        start("moto_server", "-H", "127.0.0.1", "-p", str(port), port=port)
        yield port


@pytest.mark.parametrize("fault", ["errors", "cut", "stall"])
def test_a_bucket_that_fails_for_one_request_in_five(
    fault: str, command: Command, prefect_server: dict[str, str], few: Path, calm: Landed, port: int, tmp_path: Path
) -> None:
    tales = f"tales-{fault}"
    bucket = s3fs.S3FileSystem(key="test", secret="test", endpoint_url=f"http://127.0.0.1:{port}", skip_instance_cache=True)
    bucket.mkdir(tales)
    bucket.put(f"{few}/", f"{tales}/source/", recursive=True)
    with faulty_proxy(port, fault) as proxy:
        ended = command.run(
            f"s3://{tales}/source",
            f"s3://{tales}/store",
            *([] if fault == "errors" else ["--in-process"]),  # Dask adds connections to a bucket, and no other kind of fault
            **prefect_server,
            AWS_ACCESS_KEY_ID="test",
            AWS_SECRET_ACCESS_KEY="test",
            AWS_ENDPOINT_URL=f"http://127.0.0.1:{proxy.server_port}",
            FSSPEC_S3=json.dumps({"config_kwargs": {"read_timeout": 1}}),  # so that a stall costs a test a second, not 15
        )
    logger.info("%s: %d of %d requests", fault, proxy.counts["faults"], proxy.counts["requests"])
    assert 0.1 < proxy.counts["faults"] / proxy.counts["requests"] < 0.3
    assert ended["units"] == count_units(len(FEW), 0)
    bucket.get(f"{tales}/store/", f"{tmp_path}/store/", recursive=True)
    check_calm(tmp_path / "store", calm)
