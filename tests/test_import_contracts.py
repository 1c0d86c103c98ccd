"""The import contracts of pyproject.toml hold, and a breach would be seen."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGES = ("core", "infra", "tasks", "flows")


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-logo", "--no-cache"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def test_contracts_are_kept(repository: Path) -> None:
    result = lint_imports(repository)

    assert result.returncode == 0, result.stdout + result.stderr
    assert " 0 broken" in result.stdout


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("core/errors.py", "import infra", "Imports go flows, tasks, infra, core, and never back"),
        ("core/text/tokens.py", "import core.transcripts.config", "The shared parts of core know no pipeline"),
        ("core/dialogue.py", "import os", "Core has no network, no disk"),
        ("flows/__init__.py", "import s3fs", "Storage is reached through infra"),
        ("flows/__init__.py", "import pyarrow", "Flows pass references"),
        ("tasks/__init__.py", "import prefect", "A unit of work knows neither Prefect"),
    ],
)
def test_a_breach_is_found(repository: Path, tmp_path: Path, module: str, line: str, contract: str) -> None:
    shutil.copy(repository / "pyproject.toml", tmp_path)
    for package in PACKAGES:
        shutil.copytree(repository / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / module).open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")

    result = lint_imports(tmp_path)

    assert result.returncode == 1
    broken = [row for row in result.stdout.splitlines() if " BROKEN" in row]
    assert any(row.startswith(contract) for row in broken), result.stdout
