"""A breach of the import contracts would be seen; that there is none, `make lint` looks."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tasks.pipelines import PIPELINES

PACKAGES = ("core", "infra", "tasks", "flows", "lab")
BREACHES = (
    ("core/errors.py", "import infra", "Imports go lab, flows, tasks, infra, core, and never back"),
    ("flows/__init__.py", "import lab", "Imports go lab, flows, tasks, infra, core, and never back"),
    ("core/metrics/oracle.py", "import core.transcripts.config", "The shared parts of core know no pipeline"),
    ("core/scripts/config.py", "import core.subtitles.config", "Pipelines of core do not know each other"),
    ("core/dialogue.py", "import os", "Core has no network, no disk"),
    ("flows/__init__.py", "import s3fs", "Storage is reached through infra"),
    ("flows/__init__.py", "import pyarrow", "Flows pass references"),
    ("tasks/__init__.py", "import prefect", "A unit of work knows neither Prefect"),
    ("tasks/frame/build.py", "import tasks.frame.release_spec", "Ingestion knows nothing of releases"),
    ("tasks/frame/plan.py", "import infra.sources.opening", "Ingestion opens no source"),
    ("flows/frame/beginning.py", "import infra.store.releases", "A run finds its second half"),
    ("tasks/frame/release_spec.py", "import tasks.frame.report", "No circles between siblings"),
)
"""A module, the line that breaks a contract, and the beginning of the contract's name."""


@pytest.mark.integration
def test_every_breach_is_found(repository: Path, tmp_path: Path) -> None:
    shutil.copy(repository / "pyproject.toml", tmp_path)
    for package in PACKAGES:
        shutil.copytree(repository / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    for module, line, _ in BREACHES:
        with (tmp_path / module).open("a", encoding="utf-8") as file:
            file.write(f"\n{line}\n")

    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-logo", "--no-cache"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert result.returncode == 1
    broken = [row for row in result.stdout.splitlines() if " BROKEN" in row]
    assert len(broken) == len({contract for _, _, contract in BREACHES}), result.stdout
    assert "flows is not allowed to import lab" in result.stdout
    for _, _, contract in BREACHES:
        assert any(row.startswith(contract) for row in broken), result.stdout


LISTED = ("core.{}", "infra.tables.{}", "tasks.{}", "tasks.{}.ingestion")
"""How a contract names the modules of a pipeline."""


def test_a_contract_that_lists_pipelines_lists_every_one(repository: Path) -> None:
    settings = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))
    lists = [
        value for each in settings["tool"]["importlinter"]["contracts"] for value in each.values() if isinstance(value, list)
    ]
    for pattern in LISTED:
        modules = {pattern.format(pipeline.name) for pipeline in PIPELINES}
        found = [modules.intersection(entries) for entries in lists if not modules.isdisjoint(entries)]
        assert found == [modules] * len(found)
        assert found, f"no contract lists {pattern.format('*')}"
