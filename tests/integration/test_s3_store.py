"""A run whose store is a bucket: everything lands there, and a second run finds it."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from infra.store.objects import Store
from infra.store.s3 import PatientS3, make_bucket
from infra.store.takedown import add_takedown, list_takedown
from tasks.pipelines import find_pipeline
from tasks.store.report_site import make_report_site
from tests.flows.calling import Fabula
from tests.integration.chromium import Browser
from tests.integration.test_review import serving
from tests.tasks.in_process import run as run_in_process

pytestmark = pytest.mark.integration


@pytest.fixture
def bucket_store(start_server: Callable[..., None], free_port: Callable[[], int], monkeypatch: pytest.MonkeyPatch) -> Store:
    """Return an empty store in a bucket of a server that holds it in memory."""
    pytest.importorskip("moto", reason="moto[server] is not installed")
    port = free_port()
    start_server("moto_server", "-H", "127.0.0.1", "-p", str(port), port=port)
    for name, value in {"ACCESS_KEY_ID": "test", "SECRET_ACCESS_KEY": "test", "ENDPOINT_URL": f"http://127.0.0.1:{port}"}.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    PatientS3.clear_instance_cache()  # fsspec would give the filesystem of an earlier test's server, which the environment named
    make_bucket("tales")
    return Store("s3://tales/fabula")


def test_simultaneous_takedowns_in_a_bucket_lose_nothing(bucket_store: Store) -> None:
    names = [f"unit-{number:02d}" for number in range(40)]
    with ThreadPoolExecutor(40) as pool:
        list(pool.map(lambda name: add_takedown(bucket_store, "scripts", [name], "asked for", "2026"), names))
    assert [entry.id for entry in list_takedown(bucket_store, "scripts")] == names


def test_the_report_of_a_release_in_a_bucket_opens_and_is_searched(
    repository: Path, bucket_store: Store, browser: Browser, free_port: Callable[[], int]
) -> None:
    source = repository / "examples" / "transcripts"
    run_in_process(find_pipeline("transcripts"), source, bucket_store, config_file=source / "settings.toml")
    with serving(make_report_site(bucket_store, "transcripts"), free_port()) as url:
        browser.open(url.replace("/index.html", "/report/index.html#/read?q=microphone&said=1"))
        browser.wait("fabula.index.whole && fabula.said.progress() === '' && document.querySelector('#row mark.hit') !== null")
        found = browser.run("return fabula.reader.found.length")
        assert 0 < found < browser.run("return fabula.index.rows.length")
        assert browser.faults == []


def test_a_dataset_is_published_to_a_bucket_and_found_again(
    repository: Path, fabula_process: Fabula, bucket_store: Store
) -> None:
    words = ("run", "transcripts", "--source", repository / "examples" / "transcripts", "--store", bucket_store.url, "--json")
    variables = {name: value for name, value in os.environ.items() if name.startswith("AWS_")}
    first, second = (fabula_process(*words, "--in-process", **variables) for _ in range(2))
    units = {"discovered": 5, "computed": 4, "reused": 0, "waiting": 1, "quarantined": 0, "removed": 0}
    assert first.json["units"] == units
    assert second.json["units"] == units | {"computed": 0, "reused": 4}
    release = bucket_store.read_json("datasets/transcripts/latest.json")["path"]
    assert first.json["release"] == second.json["release"] == f"{bucket_store.url}/{release}"
    for file in bucket_store.read_json(f"{release}/manifest.json")["files"]:
        content = bucket_store.read(f"{release}/{file['path']}")
        assert len(content) == file["size"]
        if file["path"].endswith(".parquet"):
            assert pq.read_metadata(pa.BufferReader(content)).num_rows == file["rows"]
