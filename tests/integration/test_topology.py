"""The processes of docker-compose.yml together: a deployment, started through Prefect's API, ends as a release in the bucket."""

import asyncio
import hashlib
import io
import json
import secrets
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import asyncpg
import distributed
import httpx
import pyarrow.parquet as pq
import pytest
import s3fs

from tasks.pipelines import PIPELINES
from tests.compose import read_env, read_services
from tests.integration.topology import Topology, find_postgres

pytestmark = pytest.mark.integration

RELEASED = "fabula/store"
"""The store in the bucket, as docker-compose.yml names it."""


@pytest.fixture(scope="module")
def topology(
    repository: Path, environment: dict[str, str], free_port: Callable[[], int], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Topology]:
    if find_postgres() is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    given = {name: secrets.token_hex(16) for name in read_env((repository / ".env.example").read_text(encoding="utf-8"))}
    given |= {"FABULA_SOURCE_TRANSCRIPTS": "s3://fabula/sources/transcripts"}
    services = read_services(repository / "docker-compose.yml", given)
    started = Topology(services, environment, tmp_path_factory.mktemp("topology"), free_port)
    try:
        started.up()
        yield started
    finally:
        started.down()


@pytest.fixture(scope="module")
def bucket(topology: Topology) -> s3fs.S3FileSystem:
    return connect(topology.variables("init"))


@pytest.fixture(scope="module")
def api(topology: Topology) -> Iterator[httpx.Client]:
    variables = topology.variables("worker")
    user, _, password = variables["PREFECT_API_AUTH_STRING"].partition(":")
    with httpx.Client(base_url=variables["PREFECT_API_URL"], auth=(user, password), timeout=30) as client:
        # Only what a test starts shall run.
        for deployment in ask(client, "deployments/filter", {}):
            client.patch(f"deployments/{deployment['id']}", json={"paused": True}).raise_for_status()
        yield client


@pytest.fixture(scope="module")
def first_run(topology: Topology, repository: Path, bucket: s3fs.S3FileSystem, api: httpx.Client) -> dict[str, Any]:
    """A run of the deployment `transcripts`, with its own parameters, over the example in the bucket."""
    source = topology.variables("init")["FABULA_SOURCE_TRANSCRIPTS"]
    bucket.put(f"{repository / 'examples' / 'transcripts'}/", f"{source}/", recursive=True)
    return run_deployment(topology, api)


def connect(variables: dict[str, str]) -> s3fs.S3FileSystem:
    return s3fs.S3FileSystem(
        key=variables["AWS_ACCESS_KEY_ID"],
        secret=variables["AWS_SECRET_ACCESS_KEY"],
        endpoint_url=variables["AWS_ENDPOINT_URL"],
        use_listings_cache=False,
    )


def ask(api: httpx.Client, path: str, content: dict[str, Any]) -> Any:
    answer = api.post(path, json=content)
    answer.raise_for_status()
    return answer.json()


def run_deployment(topology: Topology, api: httpx.Client) -> dict[str, Any]:
    """Start a flow run and return it when it has completed."""
    deployment = api.get("deployments/name/transcripts/transcripts").raise_for_status().json()
    run = ask(api, f"deployments/{deployment['id']}/create_flow_run", {})
    deadline = time.monotonic() + 900
    while run["state_type"] not in {"COMPLETED", "FAILED", "CRASHED", "CANCELLED"}:
        assert time.monotonic() < deadline, f"{run['state']}\n{topology.log('worker')[-4000:]}"
        time.sleep(1)
        run = api.get(f"flow_runs/{run['id']}").raise_for_status().json()
    assert run["state_type"] == "COMPLETED", f"{run['state']}\n{topology.log('worker')[-4000:]}"
    return dict(run)


def read_pointer(storage: s3fs.S3FileSystem) -> dict[str, Any]:
    return dict(json.loads(storage.cat(f"{RELEASED}/datasets/transcripts/latest.json")))


def count_computed(topology: Topology) -> list[int]:
    """Return how many calls each Dask worker has computed since it was started."""

    def count(dask_worker: distributed.Worker) -> int:
        return sum(1 for event in dask_worker.state.log if event[1:3] == ("executing", "memory"))

    with distributed.Client(topology.variables("init")["FABULA_SCHEDULER"], timeout=30) as client:
        return sorted(client.run(count).values())


@pytest.mark.usefixtures("first_run")
def test_the_release_in_the_bucket_is_whole(bucket: s3fs.S3FileSystem) -> None:
    pointer = read_pointer(bucket)
    release = f"{RELEASED}/{pointer['path']}"
    assert hashlib.sha256(bucket.cat(f"{release}/manifest.json")).hexdigest() == pointer["manifest_sha256"]
    sums = dict(reversed(line.split("  ")) for line in bucket.cat(f"{release}/SHA256SUMS").decode().splitlines())
    found = {path.removeprefix(f"{release}/") for path in bucket.find(release)}
    assert found == {*sums, "SHA256SUMS"}
    contents = {name: bucket.cat(f"{release}/{name}") for name in sums}
    assert {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()} == sums
    manifest = json.loads(contents["manifest.json"])
    rows = {file["path"]: file["rows"] for file in manifest["files"] if file["path"].endswith(".parquet")}
    assert rows
    assert {name: pq.read_table(io.BytesIO(contents[name])).num_rows for name in rows} == rows
    assert sum(count for name, count in rows.items() if name.startswith("data/pairs/")) > 0


def test_postgresql_has_the_runs_and_the_artifacts(topology: Topology, first_run: dict[str, Any]) -> None:
    settings = topology.variables("server")
    account = {name: settings[f"PREFECT_SERVER_DATABASE_{name.upper()}"] for name in ("host", "port", "user", "password")}

    async def query() -> tuple[list[Any], list[Any]]:
        connection = await asyncpg.connect(database=settings["PREFECT_SERVER_DATABASE_NAME"], **account)
        tasks = await connection.fetch("SELECT name, state_type FROM task_run WHERE flow_run_id = $1", first_run["id"])
        artifacts = await connection.fetch("SELECT key FROM artifact WHERE flow_run_id = $1", first_run["id"])
        await connection.close()
        return tasks, artifacts

    units = {"S01E01", "S01E02", "S01E03", "S01E04"}
    deadline = time.monotonic() + 300
    states: dict[str, str] = {}
    while time.monotonic() < deadline and not (units <= set(states) and set(states.values()) == {"COMPLETED"}):
        time.sleep(1)  # the server writes task runs in batches
        tasks, artifacts = asyncio.run(query())
        states = {row["name"]: row["state_type"] for row in tasks}
    assert units <= set(states)
    assert set(states.values()) == {"COMPLETED"}
    assert "transcripts-run" in {row["key"] for row in artifacts}


@pytest.mark.usefixtures("first_run")
def test_both_dask_workers_did_the_work(topology: Topology) -> None:
    counts = count_computed(topology)
    assert len(counts) == topology.services["dask-worker"]["scale"] == 2
    assert min(counts) > 0
    assert sum(counts) >= 4


@pytest.mark.usefixtures("first_run")
def test_a_second_run_computes_nothing(topology: Topology, bucket: s3fs.S3FileSystem, api: httpx.Client) -> None:
    pointer, counts = read_pointer(bucket), count_computed(topology)
    run_deployment(topology, api)
    assert count_computed(topology) == counts
    assert read_pointer(bucket) == pointer
    (latest,) = sorted(bucket.ls(f"{RELEASED}/runs", detail=False))[-1:]
    units = json.loads(bucket.cat(latest))["units"]
    assert (units["computed"], units["reused"]) == (0, 4)


def test_init_again_changes_nothing(topology: Topology, api: httpx.Client) -> None:
    def listed() -> dict[str, list[str]]:
        kinds = ("work_pools", "deployments", "automations")
        return {kind: sorted(str(each["name"]) for each in ask(api, f"{kind}/filter", {})) for kind in kinds}

    assert "deployment transcripts: up to date" in topology.log("init")
    assert "deployment scripts: paused" in topology.log("init")
    before = listed()
    assert before["work_pools"] == ["fabula"]
    assert {*(pipeline.name for pipeline in PIPELINES), "watch"} <= set(before["deployments"])
    assert topology.start("init").wait(timeout=900) == 0, topology.log("init", 1)
    assert listed() == before
    assert "bucket fabula: there" in topology.log("init", 1)


def test_without_the_password_the_api_is_closed(topology: Topology) -> None:
    address = topology.variables("worker")["PREFECT_API_URL"]
    assert httpx.post(f"{address}/deployments/filter", json={}, timeout=30).status_code == 401
    assert httpx.get(f"{address}/health", timeout=30).status_code == 200
