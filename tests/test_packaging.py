"""The wheel holds the five packages and their data, and imports them far from the working tree."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

PACKAGES = ("core", "infra", "tasks", "flows", "lab")
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.fixture(scope="module")
def wheel(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The distribution's wheel, built without a network from a copy of the tree."""
    source = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(repository / name, source)
    for package in PACKAGES:
        shutil.copytree(repository / package, source / package, ignore=shutil.ignore_patterns("__pycache__"))
    out = tmp_path_factory.mktemp("wheel")
    command = [*PIP, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(out), str(source)]
    subprocess.run(command, check=True, capture_output=True, timeout=900)
    (built,) = out.glob("fabula-*.whl")
    return built


@pytest.mark.integration
def test_installed_packages_import_from_another_directory(wheel: Path, tmp_path: Path) -> None:
    site, elsewhere = tmp_path / "site", tmp_path / "elsewhere"
    elsewhere.mkdir()
    subprocess.run([*PIP, "install", "--no-deps", "--target", str(site), str(wheel)], check=True, timeout=900)
    names = ", ".join(PACKAGES)
    program = f"import {names}\nfor package in ({names}): print(package.__file__)"

    result = subprocess.run(
        [sys.executable, "-c", program],
        cwd=elsewhere,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=True,
        timeout=900,
    )

    assert result.stdout.split() == [str(site / package / "__init__.py") for package in PACKAGES]


@pytest.mark.integration
def test_wheel_holds_every_module_and_data_file(wheel: Path, repository: Path) -> None:
    packed = set(zipfile.ZipFile(wheel).namelist())
    for package in PACKAGES:
        files = [
            path for path in (repository / package).rglob("*") if path.is_file() and path.suffix not in {".pyc", ".nbi", ".nbc"}
        ]
        files = [path for path in files if repository / "infra" / "docker" not in path.parents]  # it makes the image
        missing = [path for path in files if path.relative_to(repository).as_posix() not in packed]
        assert not missing, f"not in the wheel (see [tool.setuptools.package-data]): {missing}"


def test_every_make_command_in_the_documents_exists(repository: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (repository / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    for document in [repository / "README.md", *(repository / "docs").glob("*.md")]:
        named = set(re.findall(r"(?:^|`)make ([a-z][a-z-]*)", document.read_text(encoding="utf-8"), flags=re.MULTILINE))
        assert named <= targets, f"{document.name} names targets that the Makefile lacks: {named - targets}"
    readme = (repository / "README.md").read_text(encoding="utf-8")
    assert "make run" in readme
    assert "make test" in readme


def test_every_dependency_has_one_pin(repository: Path) -> None:
    lines = (repository / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [re.fullmatch(r"([A-Za-z0-9._-]+)==([0-9][A-Za-z0-9.]*)", line) for line in lines if line and not line.startswith("#")]
    assert all(pins), "constraints.txt holds comments and name==version lines only, which every pip can use"
    names = [canonical(pin[1]) for pin in pins if pin]
    assert len(names) == len(set(names))

    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = [*project["dependencies"], *(line for extra in project["optional-dependencies"].values() for line in extra)]
    unpinned = {canonical(re.split(r"[\[<>=,! ]", line)[0]) for line in declared} - set(names)
    assert not unpinned
