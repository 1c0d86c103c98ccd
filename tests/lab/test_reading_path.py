"""The count of what one reads up to the first parser: nothing that a run enters later, nothing of core, and not too much."""

import subprocess
import sys
from pathlib import Path

import pytest

from lab.reading_path import WAY, WHOLE_FLOW, find_closure


def test_ingestion_up_to_the_parsers_is_at_most_21_files_and_2250_lines() -> None:
    way = find_closure(WAY)
    assert {"tasks/frame/plan.py", "tasks/frame/build.py", "tasks/frame/model.py", "infra/store/objects.py"} <= {*way}
    assert not [path for path in way if path.startswith("core/")]
    assert len(way) <= 21, sorted(way)
    assert sum(way.values()) <= 2250
    assert {*way} < {*find_closure(WHOLE_FLOW)}


@pytest.mark.integration
def test_the_way_to_the_parser_ends_there(repository: Path) -> None:
    command = [sys.executable, "lab/reading_path.py", "--files"]
    run = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=True)
    closure, entered = run.stdout.split("entered: ")
    assert closure.startswith("ingestion: ")
    for path in ("flows/frame/run.py", "tasks/frame/plan.py", "tasks/transcripts/reading.py"):
        assert path in closure
        assert path in entered
    assert "flows/frame/release.py" in closure  # it is entered once units are built
    assert "flows/frame/release.py" not in entered
    assert "core/" not in run.stdout
