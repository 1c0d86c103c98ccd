"""Checks of services, each against a real one: a folder, an HTTP server, a Dask cluster."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import metadata
from pathlib import Path

import pytest
from distributed import LocalCluster
from prefect.settings import PREFECT_API_URL, temporary_settings
from tasks.frame.versions import describe_versions

from core.errors import StoreError
from infra.doctor import services
from infra.doctor.services import check_dask, check_disk, check_prefect, check_store, judge_workers


@contextmanager
def server(version: str, healthy: bool = True) -> Iterator[str]:
    """An HTTP server with the two addresses of Prefect's API that are asked."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answers = {"/api/health": healthy, "/api/admin/version": version}
            self.send_response(200 if self.path in answers else 404)
            self.end_headers()
            self.wfile.write(json.dumps(answers.get(self.path)).encode())

        def log_message(self, *_: object) -> None:
            pass

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=listening.serve_forever, daemon=True).start()
    try:
        with temporary_settings({PREFECT_API_URL: f"http://127.0.0.1:{listening.server_port}/api"}):
            yield f"http://127.0.0.1:{listening.server_port}/api"
    finally:
        listening.shutdown()
        listening.server_close()


def test_a_store_is_probed_and_left_as_it_was(tmp_path: Path) -> None:
    found = check_store(str(tmp_path))
    assert (found.state, "readable and writable" in found.finding) == ("ok", True)
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(StoreError, match="could not write doctor/"):
        check_store(str(tmp_path / "taken"))


def test_a_full_disk_is_a_problem_and_little_space_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "FEW_BYTES", 0)
    assert check_disk(str(tmp_path / "not" / "yet")).state == "ok"
    monkeypatch.setattr(services, "FEW_BYTES", 2**60)
    assert check_disk(str(tmp_path)).state == "warning"
    monkeypatch.setattr(services, "LEAST_BYTES", 2**60)
    found = check_disk("memory://x")
    assert (found.state, "fabula prune" in found.remedy) == ("problem", True)


def test_no_server_is_needed_but_one_that_is_configured_must_answer() -> None:
    with temporary_settings(restore_defaults={PREFECT_API_URL}):
        assert "each run starts its own" in check_prefect().finding
    with temporary_settings({PREFECT_API_URL: "http://127.0.0.1:1/api"}):
        found = check_prefect()
    assert found.state == "problem"
    assert "no server answers at http://127.0.0.1:1/api" in found.finding


def test_a_server_must_be_well_and_of_the_same_minor_version() -> None:
    version = metadata.version("prefect")
    with server(version):
        assert check_prefect().state == "ok"
    with server(version, healthy=False):
        assert "is not well" in check_prefect().finding
    with server("2.20.1") as url:
        found = check_prefect()
        assert found.finding == f"the server at {url} has version 2.20.1, this machine {version}"
        assert (found.state, found.remedy) == ("problem", f"run the server with prefect=={version}")


def test_a_scheduler_must_answer_and_have_workers_with_the_same_versions() -> None:
    with LocalCluster(n_workers=1, processes=False, dashboard_address="127.0.0.1:0", host="tcp://127.0.0.1") as cluster:
        found = check_dask(cluster.scheduler_address, describe_versions)
        assert (found.state, "1 workers" in found.finding) == ("ok", True)
        cluster.scale(0)
        cluster.sync(cluster._correct_state)
        assert "has no workers" in check_dask(cluster.scheduler_address, describe_versions).finding
    assert check_dask("tcp://127.0.0.1:1", describe_versions).state == "problem"


def test_a_worker_that_differs_or_has_no_fabula_is_named() -> None:
    here = {"python": "3.11", "numpy": "2.4"}
    assert judge_workers("s", here, {"a": here, "b": here}).state == "ok"
    differs = judge_workers("s", here, {"a": here, "b": here | {"numpy": "1.26"}})
    assert (differs.state, differs.finding) == ("problem", "versions differ: numpy 1.26 on b, 2.4 here")
    broken = judge_workers("s", here, {"a": here, "b": ModuleNotFoundError("No module named 'tasks'")})
    assert broken.finding == "1 of 2 workers cannot import fabula: b (No module named 'tasks')"
