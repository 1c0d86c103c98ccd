"""A run whose store is a bucket: everything lands there, and a second run finds it."""

import json
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import s3fs

from infra.store.objects import Store
from infra.store.s3 import PatientS3, make_bucket
from infra.store.takedown import add_takedown, list_takedown
from tasks.pipelines import find_pipeline
from tasks.store.report_site import make_report_site
from tests.integration.chromium import browsing
from tests.integration.conftest import BIN
from tests.integration.test_review import serving
from tests.tasks.in_process import run as run_in_process

pytestmark = pytest.mark.integration


def list_variables(endpoint: str) -> dict[str, str]:
    return {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_ENDPOINT_URL": endpoint}


@pytest.fixture
def bucket_store(start_server: Callable[..., None], free_port: Callable[[], int], monkeypatch: pytest.MonkeyPatch) -> Store:
    """Return an empty store in a bucket of a server that holds it in memory."""
    pytest.importorskip("moto", reason="moto[server] is not installed")
    port = free_port()
    start_server("moto_server", "-H", "127.0.0.1", "-p", str(port), port=port)
    for name, value in list_variables(f"http://127.0.0.1:{port}").items():
        monkeypatch.setenv(name, value)
    PatientS3.clear_instance_cache()  # fsspec would give the filesystem of an earlier test's server, which the environment named
    make_bucket("tales")
    return Store("s3://tales/fabula")


def test_simultaneous_takedowns_in_a_bucket_lose_nothing(bucket_store: Store) -> None:
    names = [f"unit-{number:02d}" for number in range(40)]
    with ThreadPoolExecutor(40) as pool:
        list(pool.map(lambda name: add_takedown(bucket_store, "scripts", [name], "asked for", "2026"), names))
    assert [entry.id for entry in list_takedown(bucket_store, "scripts")] == names


def test_the_report_of_a_release_in_a_bucket_opens_and_is_searched(
    repository: Path, bucket_store: Store, free_port: Callable[[], int], tmp_path: Path
) -> None:
    source = repository / "examples" / "transcripts"
    run_in_process(find_pipeline("transcripts"), source, bucket_store, config_file=source / "settings.toml")
    (tmp_path / "profile").mkdir()
    with (
        browsing(tmp_path / "profile", "") as browser,
        serving(make_report_site(bucket_store, "transcripts"), free_port()) as url,
    ):
        browser.watch()
        browser.open(url.replace("/index.html", "/report/index.html#/read?q=microphone&said=1"))
        browser.wait("fabula.index.whole && fabula.said.progress() === '' && document.querySelector('#row mark.hit') !== null")
        found = browser.run("return fabula.reader.found.length")
        assert 0 < found < browser.run("return fabula.index.rows.length")
        assert browser.faults == []


def test_a_dataset_is_published_to_a_bucket_and_found_again(
    repository: Path, environment: dict[str, str], start_server: Callable[..., None], free_port: Callable[[], int]
) -> None:
    pytest.importorskip("moto", reason="moto[server] is not installed")
    port = free_port()
    start_server("moto_server", "-H", "127.0.0.1", "-p", str(port), port=port)
    endpoint = f"http://127.0.0.1:{port}"
    variables = list_variables(endpoint)
    bucket = s3fs.S3FileSystem(key="test", secret="test", endpoint_url=endpoint)
    bucket.mkdir("tales")
    call = [str(BIN / "fabula"), "run", "transcripts", "--source", str(repository / "examples" / "transcripts")]
    call += ["--store", "s3://tales/fabula", "--in-process", "--json"]

    def run() -> dict[str, object]:
        ended = subprocess.run(call, env=environment | variables, capture_output=True, text=True, timeout=900, check=False)
        assert ended.returncode == 0, ended.stderr
        return dict(json.loads(ended.stdout))

    first = run()
    assert first["units"] == {"discovered": 5, "computed": 4, "reused": 0, "waiting": 1, "quarantined": 0, "removed": 0}
    pointer = json.loads(bucket.cat("tales/fabula/datasets/transcripts/latest.json"))
    assert first["release"] == f"s3://tales/fabula/{pointer['path']}"
    manifest = json.loads(bucket.cat(f"tales/fabula/{pointer['path']}/manifest.json"))
    for file in manifest["files"]:
        assert bucket.size(f"tales/fabula/{pointer['path']}/{file['path']}") == file["size"]
        if file["path"].endswith(".parquet"):
            with bucket.open(f"tales/fabula/{pointer['path']}/{file['path']}") as stream:
                assert pq.ParquetFile(stream).metadata.num_rows == file["rows"]
    second = run()
    assert second["units"] == {"discovered": 5, "computed": 0, "reused": 4, "waiting": 1, "quarantined": 0, "removed": 0}
    assert second["release"] == first["release"]
