"""The count of what one reads up to the first parser: nothing that a run enters later, nothing of core."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.integration


def test_the_way_to_the_parser_ends_there(repository: Path) -> None:
    command = [sys.executable, "benchmarks/reading_path.py", "--files"]
    run = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=True)
    closure, entered = run.stdout.split("entered: ")
    assert closure.startswith("import closure: ")
    for path in ("flows/frame/run.py", "tasks/frame/planning.py", "tasks/transcripts/build.py"):
        assert path in closure
        assert path in entered
    assert "flows/frame/release.py" in closure  # it is entered once units are built
    assert "flows/frame/release.py" not in entered
    assert "core/" not in run.stdout
