"""Checks of the machine: what is wrong is a problem with a remedy, what only some runs need a warning."""

from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from core.errors import StoreError
from infra.doctor.check import Check, run_check
from infra.doctor.machine import check_kernels, check_machine, check_packages, check_sentence_model, check_wordnet, judge_package


def test_this_installation_is_as_declared() -> None:
    found = check_packages()
    assert found.state == "ok", found
    assert f"prefect {metadata.version('prefect')}" in found.finding


def test_a_version_that_breaks_prefect_is_named_with_what_happens() -> None:
    assert judge_package(Requirement("fastapi<0.1")) == (
        f"fastapi {metadata.version('fastapi')} is not <0.1 (with 0.151 or newer, Prefect 3.8's server does not start)"
    )
    assert judge_package(Requirement("nosuchpackage>=1")) == "nosuchpackage is not installed"
    assert judge_package(Requirement("pytest>=8")) is None


def test_fabula_outside_an_installation_is_a_warning() -> None:
    assert check_packages("nosuchpackage").state == "warning"


def test_wordnet_is_a_warning_unless_a_folder_was_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WNSEARCHDIR", raising=False)
    monkeypatch.setattr("infra.models.wordnet.DEBIAN_FOLDER", tmp_path)
    found = check_wordnet()
    assert (found.state, "apt-get install wordnet-base" in found.remedy) == ("warning", True)
    assert check_wordnet(str(tmp_path)).state == "problem"


def test_wordnet_is_read_where_it_is(wordnet: Path) -> None:
    found = check_wordnet(str(wordnet))
    assert (found.state, str(wordnet) in found.finding) == ("ok", True)


def test_a_missing_model_is_a_warning_and_a_changed_one_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sentence_transformers")
    assert check_sentence_model().state == "ok"
    monkeypatch.setattr("infra.models.sentence_embedder._WEIGHTS_SHA256", "0" * 64)
    changed = run_check("sentence model", check_sentence_model)
    assert changed.state == "problem"
    assert "is not the official model" in changed.finding
    monkeypatch.setattr("infra.doctor.machine.find_spec", lambda _: None)
    missing = check_sentence_model()
    assert (missing.state, "fabula[embeddings]" in missing.remedy) == ("warning", True)


def test_kernels_and_machine_are_told() -> None:
    assert check_kernels().state == "ok"
    assert "cores" in check_machine().finding


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
