"""A disk that becomes full below the store."""

import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.fault_runs import BAD, GOOD, Command, Landed, list_finished, list_quarantined, read_landed

pytestmark = [pytest.mark.integration, pytest.mark.faults]


def mount(folder: Path, options: str) -> None:
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True, text=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip(f"a small disk needs the right to mount one (root): {mounted.stderr.strip()}")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 384 KiB: enough for some of the episodes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount(folder, "size=384k")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_full_disk(command: Command, prefect_server: dict[str, str], stories: Path, calm: Landed, disk: Path) -> None:
    process = command.start(stories, disk / "store", **prefect_server)
    _, err = process.communicate(timeout=600)
    assert process.returncode == 1
    assert "Traceback" not in err
    assert "No space left on device" in err
    finished = list_finished(disk / "store")
    assert 0 < len(finished) < len(GOOD)
    for unit in {*GOOD, BAD} - finished:
        assert unit in err
    assert not list(disk.rglob(".writing-*"))
    assert not (disk / "store" / "datasets" / "transcripts" / "latest.json").exists()

    mount(disk, "remount,size=64m")
    ended = command.resume_here(shlex.split(err.splitlines()[-1]))
    assert ended["units"]["computed"] == 12 - len(finished)
    assert read_landed(disk / "store") == calm
    assert list_quarantined(disk / "store") == {BAD}
