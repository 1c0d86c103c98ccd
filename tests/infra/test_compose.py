"""docker-compose.yml, its Dockerfile and .env.example keep the rules that no engine is here to enforce."""

import fnmatch
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from prefect.settings.legacy import _get_valid_setting_names  # Prefect ignores a name that it does not know; this lists them
from prefect.settings.models.root import Settings

from infra.orchestration.dask import ALLOWED_FAILURES, KEPT_MESSAGES
from infra.sources.wiki_api import CONTACT
from tests.compose import find_variables, read_env, read_services

BIN = Path(sys.executable).parent
SECRET = re.compile(r"PASSWORD|SECRET|ACCESS_KEY|AUTH_STRING")
OURS = "infra/docker/Dockerfile"


@pytest.fixture(scope="module")
def compose(repository: Path) -> Path:
    return repository / "docker-compose.yml"


@pytest.fixture(scope="module")
def example(repository: Path) -> str:
    return (repository / ".env.example").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def services(compose: Path) -> dict[str, dict[str, Any]]:
    return read_services(compose, {name: "given" for name, rules in find_variables(compose).items() if required(rules)})


@pytest.fixture(scope="module")
def dockerfile(repository: Path) -> str:
    return (repository / OURS).read_text(encoding="utf-8")


def required(rules: set[tuple[str, str]]) -> bool:
    return any(rule == ":?" for rule, _ in rules)


def test_the_file_follows_the_compose_specification(compose: Path) -> None:
    command = [str(BIN / "check-jsonschema"), "--builtin-schema", "vendor.compose-spec", str(compose)]
    checked = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_every_service_is_on_loopback_restarts_is_bounded_and_gains_no_privileges(
    services: dict[str, dict[str, Any]], dockerfile: str
) -> None:
    ports = [str(port) for service in services.values() for port in service.get("ports", [])]
    assert ports
    assert [port for port in ports if not port.startswith("127.0.0.1:")] == []
    for name, service in services.items():
        assert service["restart"].split(":")[0] in {"unless-stopped", "on-failure"}, name
        assert re.fullmatch(r"\d+[mg]", service["mem_limit"]), name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert "privileged" not in service, name
    images = [service["image"] for service in services.values()] + re.findall(r"^ARG BASE=(\S+)$", dockerfile, re.MULTILINE)
    assert [image for image in images if not re.search(r":\d+\.\d+\S*$", image)] == [], "every image has a version"
    assert re.findall(r"^USER (\S+)$", dockerfile, re.MULTILINE)[-1] not in {"root", "0"}


def test_secrets_come_from_required_variables(compose: Path) -> None:
    raw = yaml.safe_load(compose.read_text(encoding="utf-8"))["services"]
    secrets = [
        (name, variable, value)
        for name, service in raw.items()
        for variable, value in (service.get("environment") or {}).items()
        if SECRET.search(variable)
    ]
    assert {name for name, _, _ in secrets} == {"database", "object-store", "server", "init", "worker", "dask-worker"}
    assert [secret for secret in secrets if not re.fullmatch(r"(fabula:)?\$\{FABULA_\w+:\?[^}]+\}", secret[2])] == []


def test_whoever_reads_a_wiki_can_say_who_asks_and_without_secrets_nothing_starts(compose: Path, example: str) -> None:
    secrets = dict.fromkeys(read_env(example), "x")
    services = read_services(compose, secrets | {CONTACT: "keeper@wiki.invalid"})
    assert {services[name]["environment"][CONTACT] for name in ("worker", "dask-worker")} == {"keeper@wiki.invalid"}
    with pytest.raises(KeyError, match="make_env"):
        read_services(compose, read_env(example))


def test_the_example_names_every_variable_with_its_default(compose: Path, example: str) -> None:
    variables = find_variables(compose)
    defaults = {name: next(iter(rules))[1] for name, rules in variables.items() if not required(rules)}
    assert all(len(rules) == 1 for name, rules in variables.items() if name in defaults), "a default differs between two places"
    assert read_env(example) == {name: "" for name, rules in variables.items() if required(rules)}
    assert dict(re.findall(r"^#(FABULA_\w+)=(.*)$", example, re.MULTILINE)) == defaults


def test_make_env_fills_the_secrets_and_overwrites_nothing(repository: Path, tmp_path: Path, compose: Path) -> None:
    (tmp_path / "infra" / "docker").mkdir(parents=True)
    script = shutil.copy(repository / "infra" / "docker" / "make_env.sh", tmp_path / "infra" / "docker")
    shutil.copy(repository / ".env.example", tmp_path)
    subprocess.run(["sh", script], check=True, timeout=30)
    written = tmp_path / ".env"
    secrets = read_env(written.read_text(encoding="utf-8"))
    assert all(re.fullmatch("[0-9a-f]{48}", secret) for secret in secrets.values())
    assert len(set(secrets.values())) == len(secrets) == 4
    assert written.stat().st_mode & 0o077 == 0
    assert read_services(compose, secrets)
    assert subprocess.run(["sh", script], check=False, timeout=30, stderr=subprocess.DEVNULL).returncode != 0
    assert read_env(written.read_text(encoding="utf-8")) == secrets


def test_settings_of_prefect_and_dask_have_names_that_they_know(services: dict[str, dict[str, Any]]) -> None:
    known = _get_valid_setting_names(Settings)
    named = {variable for service in services.values() for variable in service.get("environment", {})}
    assert {variable for variable in named if variable.startswith("PREFECT_")} - known == set()
    scheduler = services["scheduler"]["environment"]
    assert scheduler["DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES"] == str(ALLOWED_FAILURES)
    assert scheduler["DASK_DISTRIBUTED__ADMIN__LOW_LEVEL_LOG_LENGTH"] == str(KEPT_MESSAGES)


def test_the_builder_copies_what_is_there_and_not_ignored(repository: Path, dockerfile: str) -> None:
    lines = (repository / ".dockerignore").read_text(encoding="utf-8").splitlines()
    kept = [line[1:] for line in lines if line.startswith("!")]
    assert "*" in lines, "what is not named stays out of the build context, .env among it"
    sources = [source for line in re.findall(r"^COPY (?!--)(.+) \S+$", dockerfile, re.MULTILINE) for source in line.split()]
    for source in sources:
        assert (repository / source).exists(), source
        assert any(fnmatch.fnmatch(source.split("/")[0], pattern) for pattern in kept), f".dockerignore leaves out {source}"
    find = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"]["find"]
    assert {pattern.rstrip("*") for pattern in find["include"]} <= {source.rstrip("/") for source in sources}


def test_requirements_are_those_of_the_project_and_its_extras(repository: Path) -> None:
    def listed(extras: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(repository / "infra" / "docker" / "list_requirements.py"), extras]
        return subprocess.run(command, cwd=repository, capture_output=True, text=True, timeout=60, check=False)

    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert listed("").stdout.splitlines() == project["dependencies"]
    assert listed("embeddings").stdout.splitlines() == project["dependencies"] + project["optional-dependencies"]["embeddings"]
    assert "no extra 'nothing'" in listed("nothing").stderr
