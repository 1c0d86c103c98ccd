"""The checks of `fabula doctor`, those of services against real ones: what is wrong is a problem with a remedy."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path

import pytest
from distributed import LocalCluster
from packaging.requirements import Requirement
from prefect.settings import PREFECT_API_URL, temporary_settings

from core.errors import StoreError
from infra import doctor
from infra.doctor import Check, check_dask, check_machine, check_packages, check_prefect, judge_package, judge_workers, run_check
from tasks.pipelines import describe_versions
from tests.infra.sources.servers import Handler, serving


def test_this_installation_is_as_declared_and_fabula_outside_of_one_is_a_warning() -> None:
    found = check_packages()
    assert found.state == "ok", found
    assert f"prefect {metadata.version('prefect')}" in found.finding
    assert check_packages("nosuchpackage").state == "warning"
    assert doctor.check_kernels().state == "ok"
    assert "cores" in check_machine().finding
    assert judge_package(Requirement("fastapi<0.1")) == (
        f"fastapi {metadata.version('fastapi')} is not <0.1 (with 0.151 or newer, Prefect 3.8's server does not start)"
    )
    assert judge_package(Requirement("nosuchpackage>=1")) == "nosuchpackage is not installed"
    assert judge_package(Requirement("pytest>=8")) is None


def test_wordnet_is_a_warning_unless_a_folder_was_named(wordnet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = doctor.check_wordnet(str(wordnet))
    assert (found.state, str(wordnet) in found.finding) == ("ok", True)
    monkeypatch.delenv("WNSEARCHDIR", raising=False)
    monkeypatch.setattr("infra.models.wordnet.DEBIAN_FOLDER", tmp_path)
    found = doctor.check_wordnet()
    assert (found.state, "apt-get install wordnet-base" in found.remedy) == ("warning", True)
    assert doctor.check_wordnet(str(tmp_path)).state == "problem"


def test_a_missing_model_is_a_warning_and_a_changed_one_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sentence_transformers")
    assert doctor.check_sentence_model().state == "ok"
    monkeypatch.setattr("infra.models.sentence_embedder._WEIGHTS_SHA256", "0" * 64)
    changed = run_check("sentence model", doctor.check_sentence_model)
    assert changed.state == "problem"
    assert "is not the official model" in changed.finding
    monkeypatch.setattr("infra.doctor.find_spec", lambda _: None)
    missing = doctor.check_sentence_model()
    assert (missing.state, "fabula[embeddings]" in missing.remedy) == ("warning", True)


def test_too_little_memory_names_the_workers_that_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dask.system.CPU_COUNT", 64)
    monkeypatch.setattr("distributed.system.MEMORY_LIMIT", 8 * 2**30)
    found = check_machine()
    assert (found.state, found.remedy) == ("warning", "run with --workers 7")


def test_an_error_is_a_finding_and_timed() -> None:
    def fail() -> Check:
        raise StoreError("store x: no space; free some")

    found = run_check("store", fail)
    assert (found.name, found.state, found.finding) == ("store", "problem", "store x: no space; free some")
    assert run_check("x", lambda: 1 / 0).finding == "ZeroDivisionError: division by zero"  # type: ignore[arg-type, return-value]


@contextmanager
def server(version: str, healthy: bool = True) -> Iterator[str]:
    """An HTTP server with the two addresses of Prefect's API that are asked."""
    answers = {"/api/health": healthy, "/api/admin/version": version}

    class Prefect(Handler):
        def reply(self) -> None:
            self.answer(json.dumps(answers.get(self.path)).encode(), 200 if self.path in answers else 404)

    with serving(Prefect) as address, temporary_settings({PREFECT_API_URL: f"{address}/api"}):
        yield f"{address}/api"


def test_a_store_is_probed_and_left_as_it_was_and_one_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    found = doctor.check_store(str(tmp_path))
    assert (found.state, "readable and writable" in found.finding) == ("ok", True)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(StoreError, match="could not write doctor/"):
        doctor.check_store(str(tmp_path / "taken"))


def test_a_full_disk_is_a_problem_and_little_space_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for few, least, state in ((0, 0, "ok"), (2**60, 0, "warning"), (2**60, 2**60, "problem")):
        monkeypatch.setattr(doctor, "FEW_BYTES", few)
        monkeypatch.setattr(doctor, "LEAST_BYTES", least)
        assert doctor.check_disk(str(tmp_path / "not" / "yet")).state == state
    assert "fabula prune" in doctor.check_disk("memory://x").remedy


def test_no_server_is_needed_but_one_that_is_configured_must_answer_and_be_well_and_of_the_same_minor_version() -> None:
    version = metadata.version("prefect")
    with temporary_settings(restore_defaults={PREFECT_API_URL}):
        assert "each run starts its own" in check_prefect().finding
    with temporary_settings({PREFECT_API_URL: "http://127.0.0.1:1/api"}):
        found = check_prefect()
    assert (found.state, found.finding.partition(":")[0]) == ("problem", "no Prefect server answers at http")
    with server(version):
        assert check_prefect().state == "ok"
    with server(version, healthy=False):
        assert "reports a fault" in check_prefect().finding
    with server("2.20.1") as url:
        found = check_prefect()
        assert found.finding == f"the server at {url} has version 2.20.1, this machine has {version}"
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
