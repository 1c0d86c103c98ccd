"""A bucket that fails for one request in five, as source and as store."""

import json
import logging
from collections.abc import Callable
from pathlib import Path

import pytest
import s3fs

from tests.integration.fault_proxy import faulty_proxy
from tests.integration.fault_runs import BAD, Command, Landed, count_units, list_quarantined, read_landed

pytestmark = [pytest.mark.integration, pytest.mark.faults]

logger = logging.getLogger(__name__)


@pytest.mark.parametrize("fault", ["errors", "cut", "stall"])
def test_a_bucket_that_fails_for_one_request_in_five(
    fault: str,
    command: Command,
    stories: Path,
    calm: Landed,
    start_server: Callable[..., None],
    free_port: Callable[[], int],
    tmp_path: Path,
) -> None:
    pytest.importorskip("moto", reason="moto[server] is not installed")
    port = free_port()
    start_server("moto_server", "-H", "127.0.0.1", "-p", str(port), port=port)
    bucket = s3fs.S3FileSystem(key="test", secret="test", endpoint_url=f"http://127.0.0.1:{port}", skip_instance_cache=True)
    bucket.mkdir("tales")
    bucket.put(f"{stories}/", "tales/source/", recursive=True)
    with faulty_proxy(port, fault) as proxy:
        ended = command.run(
            "s3://tales/source",
            "s3://tales/store",
            *([] if fault == "errors" else ["--in-process"]),  # Dask adds connections to a bucket, and no other kind of fault
            AWS_ACCESS_KEY_ID="test",
            AWS_SECRET_ACCESS_KEY="test",
            AWS_ENDPOINT_URL=f"http://127.0.0.1:{proxy.server_port}",
            FSSPEC_S3=json.dumps({"config_kwargs": {"read_timeout": 1}}),  # so that a stall costs a test a second, not 15
        )
    logger.info("%s: %d of %d requests", fault, proxy.counts["faults"], proxy.counts["requests"])
    assert 0.1 < proxy.counts["faults"] / proxy.counts["requests"] < 0.3
    assert ended["units"] == count_units(12, 0)
    bucket.get("tales/store/", f"{tmp_path}/store/", recursive=True)
    assert read_landed(tmp_path / "store") == calm
    assert list_quarantined(tmp_path / "store") == {BAD}
